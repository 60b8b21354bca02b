internal import ArgumentParser
internal import Foundation

/// Something that a person must confirm.
struct Question {
  private let text: String
  private let instead: String

  /// - Parameters:
  ///   - text: What is asked.
  ///   - instead: The option that answers it where nobody can be asked.
  init(_ text: String, instead: String) {
    self.text = text
    self.instead = instead
  }

  /// Asks, and reads a line from standard input.
  ///
  /// - Throws: When there is nobody to answer.
  func answer() throws -> String {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    guard let line = readLine() else {
      throw NotConfirmed(description: "nobody answered; give \(instead) to go on without asking")
    }
    return line.trimmingCharacters(in: .whitespaces)
  }
}

/// A person thought better of it, or is not there.
struct NotConfirmed: Error, CustomStringConvertible {
  var description = "not confirmed; nothing was changed"
}
