internal import Foundation
internal import Hummingbird

/// What somebody has filled in.
struct Form: Sendable {
  private let items: [(name: String, value: String)]

  /// Reads the form of a request.
  ///
  /// - Throws: ``WebProblem`` if it is too long or is none.
  init(_ request: Request, _ context: WebContext) async throws {
    guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
    else {
      throw WebProblem(.unsupportedMediaType, "noForm", "this page takes a form")
    }
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    self.init(String(buffer: body))
  }

  init(_ text: String) {
    var components = URLComponents()
    components.percentEncodedQuery = text.replacing("+", with: "%20").filter(\.isASCII)
    // A browser ends lines as a mail does.
    items = (components.queryItems ?? []).map {
      ($0.name, ($0.value ?? "").replacing("\r\n", with: "\n"))
    }
  }

  /// The value of a field; `nil` if it is missing or blank.
  subscript(_ name: String) -> String? {
    items.last { $0.name == name }.flatMap { item in
      item.value.contains { !$0.isWhitespace } ? item.value : nil
    }
  }

  /// The values of a field that can have several.
  func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// The page of this server to which a form goes back.
  var back: String {
    guard let path = self["back"], path.hasPrefix("/"), !path.hasPrefix("//"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return path
  }
}

extension Request {
  /// The fields in the request's address, as a browser's form writes them: with a plus sign for a blank.
  var fields: Form { Form(uri.query ?? "") }
}
