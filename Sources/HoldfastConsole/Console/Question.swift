import ArgumentParser
import Foundation
import HoldfastModel

/// A question that the user must answer before the command goes on.
package struct Question {
  private let text: String
  private let instead: String

  /// - Parameter instead: The option that answers it when no user is there.
  package init(_ text: String, instead: String) {
    self.text = text
    self.instead = instead
  }

  /// Asks, and reads a line from standard input. Without input it throws ``CommandFailure``.
  package func answer() throws -> String {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    guard let line = try Self.line() else {
      throw CommandFailure("no answer; give \(instead) to go on without asking")
    }
    return line.trimmingCharacters(in: .whitespaces)
  }

  /// Reads a line from standard input; `nil` at its end.
  private static func line() throws -> String? {
    var line = Data()
    while let byte = try FileHandle.standardInput.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
      guard line.count <= ReadLimit.answer else {
        throw CommandFailure(
          "the answer has more than \(ReadLimit.answer) bytes; nothing was changed")
      }
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Asks for a yes. Any other answer throws ``CommandFailure/notConfirmed``.
  package func confirm() throws {
    guard try ["y", "yes"].contains(answer().lowercased()) else {
      throw CommandFailure.notConfirmed
    }
  }
}
