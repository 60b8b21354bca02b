/// Where the server can be reached: on this computer only, under a secret name.
///
/// Browsers resolve each name below `localhost` to this computer. A name of its own keeps the cookies of
/// other local servers apart, which would share them because cookies ignore ports, and another site
/// cannot guess it for a request of its own (DNS rebinding).
struct ServerAddress: Hashable, Sendable {
  let host: String
  let port: Int

  init(usesPlainHost: Bool, port: Int) {
    host = usesPlainHost ? "127.0.0.1" : "\(RandomToken().text.prefix(16)).localhost"
    self.port = port
  }

  /// What a request's `Host` must be.
  var authority: String { "\(host):\(port)" }
  /// What the `Origin` of a change must be.
  var origin: String { "http://\(authority)" }
  /// The name of the cookie. Another port's server, under the same host, has another one.
  var cookieName: String { "holdfast-\(port)" }
}
