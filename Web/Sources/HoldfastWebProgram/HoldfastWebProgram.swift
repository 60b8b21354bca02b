import ArgumentParser
import Foundation
import Glibc
import Holdfast
import HoldfastCravingsPages
import HoldfastWeb
import HoldfastWorkerPool
import Synchronization

/// `holdfast-web`, which `holdfast serve` starts.
@main
struct HoldfastWebProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holdfast-web",
    abstract: "Show the library as pages in a browser on this computer; see holdfast serve.")

  @Option(help: "The library's folder.")
  var library: String?

  @Option(help: "The port; 0 for any that is free.")
  var port = 0

  @Option(help: "End when it has not been used for so many seconds (default: never).")
  var idle: Double?

  @Flag(help: "Open the link in the browser.")
  var open = false

  @Flag(help: "Use 127.0.0.1 in the link.")
  var plainHost = false

  @Flag(help: "Print only the link.")
  var quiet = false

  func run() async throws {
    umask(0o077)
    Self.allowManyConnections()
    let location = try LibraryLocation.resolve(
      option: library, environment: ProcessInfo.processInfo.environment)
    let pool = WorkerPool(try WorkerProgram.find())
    var options = WebOptions(
      location: location, port: port, usesPlainHost: plainHost, idle: idle)
    options.startsWithoutLibrary = open
    let defaultPlace = DefaultPlace(
      option: library, environment: ProcessInfo.processInfo.environment)
    if open { options.defaultPlace = defaultPlace }
    options.journals = Journals.all
    options.others = [CravingsPages.self]
    let server = WebServer(options, engine: pool)
    let (port, open, quiet) = (port, open, quiet)
    let file = Mutex<LinkFile?>(nil)
    let isElsewhere = Atomic(false)
    do {
      try await server.run { link, wasRunning in
        isElsewhere.store(wasRunning, ordering: .relaxed)
        if !quiet, wasRunning { Self.note("It is served already. This link leads there:") }
        if wasRunning, let own = Self.port(of: link), ![0, own].contains(port) {
          Self.note("That server keeps its port, \(own). To use \(port), end it first.")
        }
        print(link)
        fflush(nil)
        if !quiet, !wasRunning {
          Self.note("Open this link in your browser. Ctrl-C ends the server.")
        }
        // Warn even with --quiet, because other local servers could read the library.
        if URL(string: link)?.host() == "127.0.0.1" { Self.note(Self.plainHostWarning) }
        if open { file.withLock { $0 = LinkFile(link) } }
      }
    } catch let error as HoldfastError where error.code == .noLibrary {
      let offer = defaultPlace == nil ? "holdfast init makes" : "holdfast-web --open offers to make"
      throw RuleError("\(error); is its disk connected? \(offer) a new one")
    }
    if isElsewhere.load(ordering: .relaxed), file.withLock({ $0 != nil }) {
      // The browser must read the file first.
      try? await Task.sleep(for: .seconds(10))
    }
    file.withLock { $0?.remove() }
    await pool.close()
  }

  /// Cookies ignore ports, so a browser sends them to all servers of one name.
  private static let plainHostWarning = """
    Warning: the link names 127.0.0.1, so the browser gives its cookie to every server on \
    127.0.0.1 that it visits. The owner of such a server can then read and change the library. \
    Without --plain-host no other server gets the cookie.
    """

  private static func port(of link: String) -> Int? { URL(string: link)?.port }

  private static func note(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  /// Slow clients hold connections for a while, which must not keep other clients out.
  private static func allowManyConnections() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 16_384)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}

/// A file that leads a browser to a link. In the browser's arguments, other users could see the
/// link.
struct LinkFile {
  private let file: URL

  /// Makes the file and has the browser open it; `nil` if it cannot be made.
  init?(_ link: String) {
    let folder =
      ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
    file = URL(filePath: folder).appending(path: "holdfast-\(UUID().uuidString).html")
    let text = """
      <!doctype html><meta charset="utf-8"><title>Holdfast</title>
      <meta http-equiv="refresh" content="0; url=\(link)"><a href="\(link)">Open Holdfast</a>
      """
    let isMade = FileManager.default.createFile(
      atPath: file.path(percentEncoded: false), contents: Data(text.utf8),
      attributes: [.posixPermissions: 0o600])
    guard isMade else { return nil }
    let browser = Process()
    browser.executableURL = URL(filePath: "/usr/bin/env")
    browser.arguments = ["xdg-open", file.path(percentEncoded: false)]
    browser.standardOutput = FileHandle.nullDevice
    browser.standardError = FileHandle.nullDevice
    try? browser.run()
  }

  /// Removes the file. Its link works only once in any case.
  func remove() { try? FileManager.default.removeItem(at: file) }
}
