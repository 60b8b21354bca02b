package import Foundation
import HoldfastModel

package enum TextInput {
  /// Returns the text of an option, which is read from standard input if it is `-`.
  ///
  /// - Parameter limit: The most Unicode scalars. Nothing much longer is read.
  package static func text(_ option: String, limit: Int) throws -> String {
    guard option == "-" else { return option }
    // A scalar has at most four bytes, and one line break may follow.
    let most = limit * 4 + 2
    let data = try bytes(of: .standardInput, atMost: most)
    guard data.count <= most else {
      throw RuleError(
        "standard input has more than \(most) bytes; at most \(limit) characters are allowed")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw RuleError("standard input is not text in UTF-8; convert it")
    }
    // The end of the last line is not part of the text.
    if text.hasSuffix("\r\n") || text.hasSuffix("\n") { return String(text.dropLast()) }
    return text
  }

  /// - Parameter limit: The most bytes. One more is read, to learn whether there are more.
  package static func bytes(ofFile path: String, atMost limit: Int) throws -> Data {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw RuleError("\(path.escapedForDisplay) cannot be opened; name a file that you can read")
    }
    do { return try bytes(of: file, atMost: limit) } catch {
      throw RuleError("\(path.escapedForDisplay) cannot be read; name a file that you can read")
    }
  }

  private static func bytes(of file: FileHandle, atMost limit: Int) throws -> Data {
    var data = Data()
    while data.count <= limit {
      guard let more = try file.read(upToCount: limit + 1 - data.count), !more.isEmpty else {
        break
      }
      data += more
    }
    return data
  }
}
