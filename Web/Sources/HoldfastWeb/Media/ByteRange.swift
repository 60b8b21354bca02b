/// The part of a file that a request asks for.
///
/// - SeeAlso: https://www.rfc-editor.org/rfc/rfc9110#section-14
enum ByteRange: Hashable, Sendable {
  /// The whole file: no range, an invalid one, or several.
  case whole
  /// These bytes.
  case part(Range<Int64>)
  /// Bytes that the file does not have.
  case unsatisfiable

  /// Reads a `Range` field. The size is the file's, in bytes.
  init(_ field: String?, size: Int64) {
    guard let field, let equals = field.firstIndex(of: "="),
      field[..<equals].lowercased() == "bytes"
    else {
      self = .whole
      return
    }
    let text = field[field.index(after: equals)...].trimmed
    guard !text.contains(","), let dash = text.firstIndex(of: "-") else {
      self = .whole
      return
    }
    let (first, last) = (text[..<dash].trimmed, text[text.index(after: dash)...].trimmed)
    guard Self.isNumber(first), Self.isNumber(last), !(first.isEmpty && last.isEmpty) else {
      self = .whole
      return
    }
    // A number that is too large for any file counts as the largest one.
    let start = Int64(first) ?? .max
    if first.isEmpty {
      let count = Int64(last) ?? .max
      self =
        count == 0 || size == 0 ? .unsatisfiable : .part(size - min(count, size)..<size)
      return
    }
    let end = last.isEmpty ? Int64.max : Int64(last) ?? .max
    guard start <= end else {
      self = .whole
      return
    }
    self = start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
  }

  private static func isNumber(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = self.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return text
  }
}
