import Hummingbird

/// Everything that the server answers.
struct Site: Sendable {
  let address: ServerAddress
  let host: LibraryHost
  private let sessions: Sessions
  let responder: any HTTPResponder<WebContext>

  init(
    host: LibraryHost, imports: Imports, copies: Copies, runs: Runs,
    options: WebOptions, address: ServerAddress
  ) {
    let sessions = Sessions()
    self.host = host
    self.address = address
    self.sessions = sessions
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      SafetyMiddleware(address: address, sessions: sessions)
      NoticeMiddleware()
      ProblemMiddleware()
    }
    let links = LinkPage(address: address, sessions: sessions)
    router.get("\(SafetyMiddleware.linkPath):token") { request, context in
      links.response(to: try context.parameters.require("token"), request)
    }
    router.get("\(SafetyMiddleware.assetsPath):name") { request, context in
      try Assets.response(to: context.parameters.require("name"), request)
    }
    JournalsAPI(host: host, journals: options.journals.map { $0.journal }).add(to: router)
    let journals = JournalSettings(host: host, journals: options.journals)
    let others = options.others.map { $0.init(host: host) }
    for pages in others { pages.add(to: router) }
    let first = FirstLibrary(host: host, place: options.defaultPlace)
    first.add(to: router)
    HomePages(host: host, journals: journals, others: others, first: first).add(to: router)
    RecordingListPages(host: host).add(to: router)
    RecordingPages(host: host, others: others, journals: options.journals).add(to: router)
    RecordingMenuPages(host: host, copies: copies).add(to: router)
    PhonePages(host: host).add(to: router)
    FilePages(host: host).add(to: router)
    TranscriptPages(host: host).add(to: router)
    SettingsPages(host: host, journals: journals).add(to: router)
    journals.add(to: router)
    CarePages(host: host, copies: copies, sessions: sessions, address: address).add(to: router)
    ExportPages(host: host).add(to: router)
    ImportDataPages(host: host).add(to: router)
    UpkeepPages(host: host, runs: runs).add(to: router)
    RecordPages(imports: imports).add(to: router)
    ImportsAPI(imports: imports).add(to: router)
    RecordingsAPI(host: host, copies: copies).add(to: router)
    CopiesAPI(copies: copies).add(to: router)
    MediaAPI(files: FilePages(host: host)).add(to: router)
    UpkeepAPI(host: host).add(to: router)
    responder = router.buildResponder()
  }

  /// Whether a request comes from a browser that has opened a link.
  func knows(_ request: Request) -> Bool { sessions.know(request, address) }

  func newLink() -> String {
    "\(address.origin)\(SafetyMiddleware.linkPath)\(sessions.makeToken())"
  }
}
