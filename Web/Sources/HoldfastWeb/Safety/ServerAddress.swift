/// The server's address: on this computer only, under a secret name.
///
/// Browsers resolve each name below `localhost` to this computer. A secret name keeps cookies apart
/// from those of other local servers, which would share them because cookies ignore ports, and
/// another site cannot guess it for a request (DNS rebinding).
struct ServerAddress: Hashable, Sendable {
  let host: String
  let port: Int

  init(usesPlainHost: Bool, port: Int) {
    host = usesPlainHost ? "127.0.0.1" : "\(RandomToken().text.prefix(16)).localhost"
    self.port = port
  }

  /// The `Host` that a request must have.
  var authority: String { "\(host):\(port)" }
  /// The `Origin` that a change must have.
  var origin: String { "http://\(authority)" }
  /// The name of the cookie. A server at another port of the host has another name.
  var cookieName: String { "\(Self.cookiePrefix)\(port)" }
  static let cookiePrefix = "holdfast-"
}
