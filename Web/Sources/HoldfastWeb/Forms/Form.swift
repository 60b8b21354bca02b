import Foundation
package import Holdfast
package import Hummingbird

/// The fields that a user filled in.
package struct Form: Sendable {
  private var items: [(name: String, value: String)]
  /// The photos that came with it; `nil` without any.
  package var photos: NewPhotos?
  /// Why its photos were refused; `nil` if they were not.
  package var refusal: (any Error)?

  /// - Throws: ``WebProblem`` if the form is too long or is missing.
  package init(_ request: Request, _ context: WebContext) async throws {
    guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true
    else {
      throw WebProblem(.unsupportedMediaType, code: "noForm", detail: "this page expects a form")
    }
    let body = try await request.body.collect(upTo: context.maxUploadSize)
    self.init(String(buffer: body))
  }

  /// Reads fields as a browser writes them. Any text is accepted.
  package init(_ text: String = "") {
    items = text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
      return (Self.decoded(parts[0]), Self.withPlainLines(value))
    }
  }

  mutating func add(_ name: String, _ value: String) {
    items.append((name, Self.withPlainLines(value)))
  }

  /// Browsers end lines with CR and LF.
  private static func withPlainLines(_ text: String) -> String {
    text.replacing("\r\n", with: "\n")
  }

  /// Returns a text without its escapes. An invalid escape stays, and bytes that are not UTF-8 are
  /// replaced.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        if digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
          let value = UInt8(digits, radix: 16)
        {
          bytes.append(value)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a field; `nil` if it is missing or blank.
  package subscript(_ name: String) -> String? {
    items.last { $0.name == name }.flatMap { item in
      item.value.contains { !$0.isWhitespace } ? item.value : nil
    }
  }

  /// The names of the fields, each once.
  var names: [String] { Set(items.map(\.name)).sorted() }

  package func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  /// Returns the fields as the query of an address, with one more.
  func query(adding name: String, _ value: String) -> String {
    (items + [(name, value)]).map {
      "\($0.name.addingPercentEncoding)=\($0.value.addingPercentEncoding)"
    }.joined(separator: "&")
  }

  /// The page of this server to return to after the form.
  package var back: String { path("back") ?? "/" }

  /// The page of this server that a field names; `nil` without one.
  func path(_ name: String) -> String? {
    guard let path = self[name], path.hasPrefix("/"), !path.hasPrefix("//"),
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return path
  }
}

extension Request {
  /// The fields in the request's address, where a browser's form writes a plus sign for a blank.
  package var fields: Form { Form(uri.query ?? "") }
}
