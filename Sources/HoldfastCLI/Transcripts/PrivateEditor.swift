import Foundation
import HoldfastConsole
import HoldfastModel
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

  /// Lets the user edit a text, and returns what `read` makes of the file. The file is removed in
  /// any case.
  func edit<Value>(_ text: String, read: (String) throws -> Value) async throws -> Value {
    let folder = "\(parent)/holdfast-\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? files.removeItem(atPath: folder) }
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
    guard status.isSuccess else {
      throw CommandFailure("the editor failed (\(command.escapedForDisplay)); nothing was changed")
    }
    return try read(path)
  }

  private func run(_ path: String) async throws -> TerminationStatus {
    try await Subprocess.run(
      .name("sh"), arguments: ["-c", "\(command) \"$@\"", command, path],
      input: .currentStandardInput, output: .currentStandardOutput, error: .currentStandardError
    ).terminationStatus
  }
}
