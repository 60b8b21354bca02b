import HTTPTypes
import Hummingbird

/// Accepts only requests from this server's own pages, in a browser that has opened a link to this
/// server.
struct SafetyMiddleware: RouterMiddleware {
  let address: ServerAddress
  let sessions: Sessions
  private let refusals = RefusalRate()

  init(address: ServerAddress, sessions: Sessions) {
    self.address = address
    self.sessions = sessions
  }

  /// The beginning of the path of a link.
  static let linkPath = "/open/"
  /// The path of the style and the script.
  static let assetsPath = "/assets/"

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let isKnown = sessions.know(request, address)
    if !isKnown, !sessions.hasLink(to: request) { await refusals.wait() }
    var response =
      if let refusal = refusal(of: request, isKnown: isKnown) {
        refusal.response(for: request)
      } else {
        try await next(request, context)
      }
    for (name, value) in Self.headers { response.headers[name] = value }
    if response.headers[.cacheControl] == nil {
      response.headers[.cacheControl] = "private, no-store"
    }
    return response
  }

  private func refusal(of request: Request, isKnown: Bool) -> WebProblem? {
    // The host is another site's name, which that site resolves to this computer.
    guard request.head.authority == address.authority, request.head.path?.hasPrefix("/") == true
    else {
      return WebProblem(
        .misdirectedRequest, code: "foreignHost", detail: "this server has another name")
    }
    let isLink = request.uri.path.hasPrefix(Self.linkPath) && request.method == .get
    if isLink { return nil }
    if let site = request.headers[.secFetchSite], !["same-origin", "none"].contains(site) {
      return WebProblem(
        .forbidden, code: "foreignSite", detail: "this page can only be opened from Holdfast itself"
      )
    }
    // The style of the page about the missing link. Assets contain nothing from the library.
    if request.uri.path.hasPrefix(Self.assetsPath), request.method == .get { return nil }
    guard isKnown else {
      let isOld = request.headers[.cookie]?.contains(ServerAddress.cookiePrefix) == true
      return WebProblem(
        .unauthorized, code: "noLink",
        detail: isOld
          ? "Holdfast was restarted. Open it again from its icon, or run `holdfast serve --open`."
          : "This browser is not connected yet. Open Holdfast from its icon, or run "
            + "`holdfast serve --open`.")
    }
    let isChange = ![.get, .head].contains(request.method)
    guard !isChange || request.headers[.origin] == address.origin else {
      return WebProblem(
        .forbidden, code: "foreignOrigin",
        detail: "a change can only be made from Holdfast's own pages")
    }
    return nil
  }

  private static let headers: [(HTTPField.Name, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        + "media-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"
    ),
    (.xContentTypeOptions, "nosniff"),
    (.referrerPolicy, "same-origin"),
    (.permissionsPolicy, "camera=(self), microphone=(self), geolocation=()"),
    (.crossOriginResourcePolicy, "same-origin"),
    (.crossOriginOpenerPolicy, "same-origin"),
  ]
}

extension HTTPField.Name {
  static let secFetchSite = HTTPField.Name(known: "sec-fetch-site")
  static let clearSiteData = HTTPField.Name(known: "clear-site-data")
  static let referrerPolicy = HTTPField.Name(known: "referrer-policy")
  static let permissionsPolicy = HTTPField.Name(known: "permissions-policy")
  static let crossOriginOpenerPolicy = HTTPField.Name(known: "cross-origin-opener-policy")

  /// A name that is known to be valid.
  private init(known name: String) {
    self = HTTPField.Name(name) ?? .server
  }
}
