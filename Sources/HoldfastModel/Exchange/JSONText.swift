import Foundation
import Synchronization

/// Valid JSON that is copied into a document as it is, which takes far less time than reading and writing it again.
///
/// Only ``JSONFormat/data(of:)`` copies it. A random string holds its place in the document.
package struct JSONText: Encodable, Hashable, Sendable {
  private let text: String

  /// Takes a text, if every reader of JSON takes it as well.
  ///
  /// - Parameter text: A JSON value on one line.
  /// - Returns: `nil` for deeply nested lists and objects, which many readers refuse, and for `\u`
  ///   escapes, because half of a surrogate pair is not a character. An encoder has to write such a
  ///   value.
  package init?(_ text: String) {
    var (depth, deepest) = (0, 0)
    for byte in text.utf8 {
      switch byte {
      // Those in strings are counted as well.
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    guard deepest <= 32, !text.utf8.contains(UInt8(ascii: "\\")) || !text.contains("\\u") else {
      return nil
    }
    self.text = text
  }

  /// Leaves a string in the text's place.
  package func encode(to encoder: any Encoder) throws {
    guard let key = Copies.key, let copies = encoder.userInfo[key] as? Copies else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "this encoder copies no JSON"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(copies.place(for: text))
  }

  /// The texts that are to be copied into one document.
  final class Copies: Sendable {
    static let key = CodingUserInfoKey(rawValue: "JSONText.Copies")

    private let secret = UUID().uuidString
    private let texts = Mutex<[String]>([])

    fileprivate func place(for text: String) -> String {
      texts.withLock { texts in
        texts.append(text)
        return place(texts.count - 1)
      }
    }

    private func place(_ index: Int) -> String { "\(secret)/\(index)" }

    func use(in encoder: JSONEncoder) {
      guard let key = Self.key else { return }
      encoder.userInfo[key] = self
    }

    /// Puts the texts into the encoded document, and forgets them.
    func put(into document: inout Data) {
      for (index, text) in texts.withLock({ exchange(&$0, with: []) }).enumerated() {
        guard let range = document.range(of: Data("\"\(place(index))\"".utf8)) else { continue }
        document.replaceSubrange(range, with: text.utf8)
      }
    }
  }
}
