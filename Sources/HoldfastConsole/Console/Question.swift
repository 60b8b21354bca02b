internal import ArgumentParser
internal import Foundation

/// A question that the user must answer before the command goes on.
package struct Question {
  private let text: String
  private let instead: String

  /// Makes a question.
  ///
  /// - Parameters:
  ///   - text: The question.
  ///   - instead: The option that answers it when no user is there.
  package init(_ text: String, instead: String) {
    self.text = text
    self.instead = instead
  }

  /// Asks, and reads a line from standard input.
  ///
  /// - Throws: ``NotConfirmed`` when there is no input.
  package func answer() throws -> String {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    guard let line = readLine() else {
      throw NotConfirmed(description: "no answer; give \(instead) to go on without asking")
    }
    return line.trimmingCharacters(in: .whitespaces)
  }

  /// Asks for a yes.
  ///
  /// - Throws: ``NotConfirmed`` for any other answer.
  package func confirm() throws {
    guard try ["y", "yes"].contains(answer().lowercased()) else { throw NotConfirmed() }
  }
}

/// The user did not confirm, or nobody was there to answer.
package struct NotConfirmed: Error, CustomStringConvertible {
  package var description = "not confirmed; nothing was changed"

  package init() {}

  init(description: String) { self.description = description }
}
