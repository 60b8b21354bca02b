import Foundation
import HoldfastConsole
import Holdfast
import Subprocess

/// The user's editor, which gets a text in a folder that no other user can read.
struct PrivateEditor {
  private let command: String
  private let parent: String

  /// Finds the editor: `$VISUAL`, else `$EDITOR`. Both are shell commands.
  static func find(in environment: [String: String]) -> PrivateEditor? {
    guard let command = (environment["VISUAL"] ?? "").nonBlank ?? environment["EDITOR"]?.nonBlank
    else { return nil }
    // The first of them is in memory, and is emptied when the user logs out.
    let parent = environment["XDG_RUNTIME_DIR"]?.nonBlank ?? NSTemporaryDirectory()
    return PrivateEditor(command: command, parent: parent)
  }

  /// Lets the user edit a text, and has `save` keep what the file holds then. The file is removed,
  /// unless the user changed it and it could not be saved.
  ///
  /// - Throws: ``CommandFailure`` with the place of the file, if it was left.
  func edit(_ text: String, save: (String) throws -> Void) async throws {
    let folder = "\(parent)/holdfast-\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    var isLeft = false
    defer { if !isLeft { try? files.removeItem(atPath: folder) } }
    let path = "\(folder)/transcript.txt"
    guard
      files.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CommandFailure("\(path.escapedForDisplay) cannot be made") }
    let status = try await Interruption.handled {
      // Ctrl-C is meant for the editor. This process goes on, to remove the file.
    } _: {
      try await run(path)
    }
    do {
      guard status.isSuccess else {
        throw CommandFailure(
          "the editor failed (\(command.escapedForDisplay)); nothing was changed")
      }
      try save(path)
    } catch {
      guard files.contents(atPath: path).map({ $0 != Data(text.utf8) }) == true else { throw error }
      isLeft = true
      throw CommandFailure(
        "\(HoldfastError.explained(error))\nwhat you wrote is in \(path.escapedForDisplay): give "
          + "it with --file, and then remove it")
    }
  }

  private func run(_ path: String) async throws -> TerminationStatus {
    try await Subprocess.run(
      .name("sh"), arguments: ["-c", "\(command) \"$@\"", command, path],
      input: .currentStandardInput, output: .currentStandardOutput, error: .currentStandardError
    ).terminationStatus
  }
}
