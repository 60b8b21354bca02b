import Hummingbird
import Synchronization

/// The browsers that may use the library because they opened a link with a token. None is
/// remembered after the server ends.
final class Sessions: Sendable {
  private struct State {
    /// Tokens of links that were not opened.
    var tokens: Set<String> = []
    var cookies: Set<String> = []
  }

  /// More links than a user opens. At the limit, the older ones stop working together.
  private static let most = 1000
  private let state = Mutex(State())

  /// Returns the token of a new link, which works once.
  func makeToken() -> String {
    let token = RandomToken().text
    state.withLock { state in
      if state.tokens.count >= Self.most { state.tokens = [] }
      state.tokens.insert(token)
    }
    return token
  }

  /// Returns the cookie for a browser that has opened a link; `nil` if its token does not work.
  func cookie(for token: String) -> String? {
    state.withLock { state in
      guard state.tokens.remove(token) != nil else { return nil }
      if state.cookies.count >= Self.most { state.cookies = [] }
      let cookie = RandomToken().text
      state.cookies.insert(cookie)
      return cookie
    }
  }

  /// Replaces a browser's cookie. What the browser has kept under the old one, it asks for again.
  func renew(_ cookie: String) -> String {
    state.withLock { state in
      state.cookies.remove(cookie)
      let cookie = RandomToken().text
      state.cookies.insert(cookie)
      return cookie
    }
  }

  private func awaits(_ token: String) -> Bool { state.withLock { $0.tokens.contains(token) } }

  func knows(_ cookie: String) -> Bool { state.withLock { $0.cookies.contains(cookie) } }
}

extension Sessions {
  /// Whether a request has the cookie of a browser that has opened a link to this server.
  func know(_ request: Request, _ address: ServerAddress) -> Bool {
    request.cookies[address.cookieName].map { knows($0.value) } ?? false
  }

  /// Whether a request opens a link that was not opened yet.
  func hasLink(to request: Request) -> Bool {
    let path = request.uri.path
    return path.hasPrefix(SafetyMiddleware.linkPath)
      && awaits(String(path.dropFirst(SafetyMiddleware.linkPath.count)))
  }
}
