import HTTPTypes
package import Hummingbird

/// Who asks for a page: a browser that has opened a link, and whether it shows the page now.
package struct Visit: Sendable {
  /// The browser's cookie, which lasts until the server ends.
  package let session: String
  /// Whether a person sees the page; not, if the browser only fetches it in case it is needed.
  package let isSeen: Bool
  /// The page's address at this server.
  package let address: String
}

extension Request {
  package var visit: Visit {
    let cookies = (headers[.cookie] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let cookie = cookies.first { $0.hasPrefix(ServerAddress.cookiePrefix) }
    let purpose = headers[values: .secPurpose] + headers[values: .purpose]
    return Visit(
      session: cookie.map(String.init) ?? "",
      isSeen: method == .get && !purpose.contains { $0.contains("prefetch") },
      address: head.path ?? "/")
  }
}

extension HTTPField.Name {
  fileprivate static let secPurpose = HTTPField.Name("sec-purpose") ?? .server
  fileprivate static let purpose = HTTPField.Name("purpose") ?? .server
}
