package import Foundation
package import HTTPTypes
import Holdfast
package import Hummingbird

package enum JSONAnswer {
  package static func response(
    _ value: some Encodable, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    response(text: try text(value), status: status)
  }

  static func response(text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONFormat.encoder.encode(value), as: UTF8.self)
  }
}

/// A page of a list, with the number of items before it.
package struct JSONList<Item: Encodable>: Encodable {
  var items: [Item]
  var offset: Int
  /// The offset of the next page; `nil` if this is the last.
  var next: Int?

  /// - Parameter found: The page, and one more item if there are more.
  package init(_ found: [Item], _ page: ListedPage) {
    items = Array(found.prefix(page.limit))
    offset = page.offset
    next = found.count > page.limit ? page.offset + page.limit : nil
  }
}

/// The part of a list that a request asks for: `limit` and `offset` in its address.
package struct ListedPage: Sendable {
  package let limit: Int
  package let offset: Int

  package init(_ fields: Form) throws {
    limit = try fields.number("limit", 1...1000) ?? 50
    offset = try fields.number("offset", 0...1_000_000_000) ?? 0
  }
}

extension Form {
  /// A whole number; `nil` if the field is missing. Anything but a number in the range throws
  /// ``WebProblem``.
  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw WebProblem(
        .unprocessableContent, code: "invalidValue",
        detail: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A moment in ISO 8601; `nil` if the field is missing.
  package func moment(_ name: String) throws -> Date? {
    try self[name].map { text in
      guard let date = JSONFormat.date(text) else {
        throw WebProblem(
          .unprocessableContent, code: "invalidValue",
          detail: "\(name) must be a moment like 2025-10-25T13:42:00Z")
      }
      return date
    }
  }
}

/// A document that a request may have, and the names of all its fields.
package protocol RequestDocument: Decodable {
  associatedtype Field: CodingKey & CaseIterable
}

extension Request {
  /// The fields in the request's address. A field with another name throws ``WebProblem``.
  package func fields(_ known: String...) throws -> Form {
    let fields = fields
    try WebProblem.refuseUnknown(fields.names, known: known)
    return fields
  }

  /// The document in the request's body. A document that is too long or unexpected, or has an
  /// unknown field, throws ``WebProblem``.
  package func document<Value: RequestDocument>(
    _ type: Value.Type, _ context: WebContext
  ) async throws -> Value {
    try await document(type, known: Value.Field.allCases.map(\.stringValue), context)
  }

  func document<Value: Decodable>(
    _ type: Value.Type, known: [String], _ context: WebContext
  ) async throws -> Value {
    let body = try await body.collect(upTo: context.maxUploadSize)
    do {
      let json = Data(body.readableBytesView)
      try WebProblem.refuseUnknown(
        JSONFormat.decoder.decode([String: AnyField].self, from: json).keys.sorted(), known: known)
      return try JSONFormat.decoder.decode(type, from: json)
    } catch let error as RuleError {
      throw error
    } catch DecodingError.keyNotFound(let key, _) {
      throw WebProblem(
        .unprocessableContent, code: "invalidValue", detail: "\(key.stringValue) is missing")
    } catch DecodingError.typeMismatch(_, let place), DecodingError.valueNotFound(_, let place),
      DecodingError.dataCorrupted(let place)
    {
      let name = place.codingPath.map(\.stringValue).joined(separator: ".")
      throw WebProblem(
        .unprocessableContent, code: "invalidValue",
        detail: name.isEmpty ? "the document is not a JSON object" : "\(name) cannot be read")
    }
  }
}

/// A field whose value is ignored.
private struct AnyField: Decodable {
  init(from decoder: any Decoder) {}
}

extension WebProblem {
  /// Refuses fields that would otherwise be ignored without a word.
  fileprivate static func refuseUnknown(_ names: [String], known: [String]) throws {
    let unknown = names.filter { !known.contains($0) }.prefix(5)
      .map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }
    guard !unknown.isEmpty else { return }
    throw WebProblem(
      .unprocessableContent, code: "unknownField",
      detail: "\(unknown.joined(separator: ", ")) is not known here; "
        + (known.isEmpty ? "no field is" : "there is \(known.joined(separator: ", "))"))
  }
}
