import Foundation
import Hummingbird

/// Reads the files of a form, as a browser sends them without a script: one after the other, in
/// pieces.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc7578
final class MultipartReader {
  /// The most bytes of a part's head.
  private static let longestHead = 16 << 10
  private static let lineEnd = Array("\r\n".utf8)

  /// The bytes that end a part.
  private let boundary: [UInt8]
  private var body: RequestBody.AsyncIterator
  /// Bytes that were read but not returned yet. It starts with a line end, because the first
  /// boundary has none before it.
  private var buffer = lineEnd
  private var hasBegun = false
  private var isInPart = false
  /// The name of the present part, if it is a text and not a file.
  private(set) var textName: String?

  /// Whether a request has such a form.
  static func accepts(_ request: Request) -> Bool {
    request.headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true
  }

  /// - Throws: ``WebProblem`` if the request does not have such a form.
  init(_ request: Request) throws {
    let type = request.headers[.contentType] ?? ""
    guard Self.accepts(request), let start = type.range(of: "boundary=") else {
      throw Self.noForm
    }
    let name = type[start.upperBound...].prefix { $0 != ";" }
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    guard !name.isEmpty, name.utf8.count <= 70 else { throw Self.noForm }
    boundary = Array("\r\n--\(name)".utf8)
    body = request.body.makeAsyncIterator()
  }

  /// Goes to the next part, past the rest of the present one.
  ///
  /// - Returns: The name of the part's file, which is empty without one; `nil` after the last part.
  func nextPart() async throws -> String? {
    if !hasBegun {
      guard try await text(until: boundary, atMost: 1 << 10) != nil else { throw Self.cut }
      hasBegun = true
    }
    while try await nextPiece() != nil {}
    while buffer.count < 2 { guard try await fill() else { throw Self.cut } }
    if buffer.starts(with: Array("--".utf8)) { return nil }
    guard buffer.starts(with: Self.lineEnd) else { throw Self.cut }
    // A head without lines ends with the line end before it.
    guard let head = try await text(until: Self.lineEnd + Self.lineEnd, atMost: Self.longestHead)
    else { throw Self.cut }
    isInPart = true
    let file = Self.value("filename", in: head)
    textName = file == nil ? Self.value("name", in: head) : nil
    return file ?? ""
  }

  /// Returns the next bytes of the part; `nil` at its end.
  func nextPiece() async throws -> ByteBuffer? {
    while isInPart {
      if let range = buffer.range(of: boundary) {
        isInPart = false
        let piece = ByteBuffer(bytes: buffer[..<range.lowerBound])
        buffer.removeSubrange(..<range.upperBound)
        if piece.readableBytes > 0 { return piece }
      } else if buffer.count > boundary.count {
        // The boundary may begin at the end of the buffer.
        let piece = ByteBuffer(bytes: buffer.dropLast(boundary.count))
        buffer.removeFirst(buffer.count - boundary.count)
        return piece
      } else {
        guard try await fill() else { throw Self.cut }
      }
    }
    return nil
  }

  /// Reads more bytes. Returns whether there were any.
  private func fill() async throws -> Bool {
    guard let next = try await body.next() else { return false }
    buffer += next.readableBytesView
    return true
  }

  /// Removes the text up to some bytes, and those bytes, and returns the text; `nil` if they do not
  /// come within the limit.
  private func text(until end: [UInt8], atMost limit: Int) async throws -> String? {
    while true {
      if let range = buffer.range(of: end) {
        let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<range.upperBound)
        return text
      }
      guard buffer.count < limit, try await fill() else { return nil }
    }
  }

  /// A value of the head, such as the file's name; `nil` without it.
  private static func value(_ name: String, in head: String) -> String? {
    for line in head.components(separatedBy: "\r\n")
    where line.lowercased().hasPrefix("content-disposition:") {
      guard let start = line.range(of: " \(name)=\"") ?? line.range(of: ";\(name)=\"") else {
        return nil
      }
      let value = String(line[start.upperBound...].prefix { $0 != "\"" })
      return value.replacing("%22", with: "\"").replacing("%0D", with: "")
        .replacing("%0A", with: "")
    }
    return nil
  }

  private static let noForm = WebProblem(
    .unsupportedMediaType, code: "noForm", detail: "this page expects a form with files")
  private static let cut = WebProblem(
    .badRequest, code: "cut", detail: "the form arrived incomplete; send it again")
}

extension [UInt8] {
  /// Returns the range of the first occurrence of some bytes; `nil` if there is none.
  ///
  /// The first byte must be rare in them, as the line end of a boundary is. It then takes linear
  /// time, also for bytes that nearly occur many times.
  fileprivate func range(of bytes: [UInt8]) -> Range<Int>? {
    var rest = self[...]
    while let start = rest.firstIndex(of: bytes[0]) {
      rest = self[start...]
      if rest.starts(with: bytes) { return start..<start + bytes.count }
      rest.removeFirst()
    }
    return nil
  }
}
