import HTTPTypes
package import Hummingbird

/// What a form has just done, in one short line. The next page shows it once.
package enum Notice: String, Sendable {
  case saved, linked, deleted, undone, erased, recordingDeleted, recordingAdded, wordsDeleted
  case libraryMade

  /// The notice for the page that is being made.
  @TaskLocal static var shown: Notice?

  /// The cookie that carries the notice to the next page. It holds a name from the list above, so
  /// no text of a request is ever shown.
  static let cookie = "notice"

  var sentence: String {
    switch self {
    case .saved: "Saved."
    case .linked: "Linked."
    case .deleted: "Deleted."
    case .undone: "Undone. Nothing was logged."
    case .erased: "Everything was deleted."
    case .recordingDeleted: "The recording was deleted."
    case .recordingAdded: "Added to your library."
    case .wordsDeleted: "The words were deleted. The recording is kept."
    case .libraryMade: "Your library is ready."
    }
  }
}

extension Response {
  /// Has the next page show a notice.
  package mutating func say(_ notice: Notice?) {
    guard let notice else { return }
    addCookie("\(Notice.cookie)=\(notice.rawValue); Max-Age=60")
  }

  /// Adds a cookie that only this server reads.
  mutating func addCookie(_ text: String) {
    headers.append(
      HTTPField(name: .setCookie, value: "\(text); Path=/; HttpOnly; SameSite=Strict"))
  }
}

/// Shows a notice on the page after the change, and on no other.
struct NoticeMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get,
      let notice = request.cookies[Notice.cookie].flatMap({ Notice(rawValue: $0.value) })
    else { return try await next(request, context) }
    var response = try await Notice.$shown.withValue(notice) { try await next(request, context) }
    if response.headers[.contentType]?.hasPrefix("text/html") == true {
      response.addCookie("\(Notice.cookie)=; Max-Age=0")
    }
    return response
  }
}
