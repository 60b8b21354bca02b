internal import Foundation
internal import HoldfastModel
internal import Subprocess

/// The program in which a person hears and sees recordings.
struct Player {
  /// The program, then the arguments that come before the file.
  private let command: [String]
  /// What the person calls it.
  let name: String

  /// The person's player: `$HOLDFAST_PLAYER`, which is a shell command, else the first of mpv, ffplay
  /// and xdg-open that is installed.
  ///
  /// - Returns: `nil` when there is none.
  static func find(in environment: [String: String]) -> Player? {
    if let line = environment["HOLDFAST_PLAYER"]?.nonBlank {
      // As $PAGER and $EDITOR are read: a command with its options.
      return Player(command: ["sh", "-c", "\(line) \"$@\"", line], name: line)
    }
    let known = [
      ["mpv", "--"], ["ffplay", "-autoexit", "-hide_banner", "-loglevel", "warning"],
      ["xdg-open"],
    ]
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let installed = known.first { candidate in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(candidate[0])") }
    }
    return installed.map { Player(command: $0, name: $0[0]) }
  }

  /// Plays a file to its end.
  ///
  /// What the player prints goes to standard error: standard output is for results.
  ///
  /// - Parameter path: The file's absolute path.
  /// - Returns: The exit status; a signal's number and 128 for a player that a signal ended.
  /// - Throws: When the player cannot be started.
  func play(_ path: String) async throws -> Int {
    let command = ignoringSignals(command + [path])
    let ended = try await Subprocess.run(
      .name(command[0]), arguments: Arguments(Array(command.dropFirst())),
      input: .currentStandardInput, output: .currentStandardError, error: .currentStandardError)
    return switch ended.terminationStatus {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }

  /// The command that ignores the signals which this process was started to ignore: Subprocess gives
  /// every child the default for each.
  private func ignoringSignals(_ command: [String]) -> [String] {
    let numbers = Interruption.ignored
    guard !numbers.isEmpty else { return command }
    let list = numbers.map { "\($0)" }.joined(separator: " ")
    return ["sh", "-c", "trap '' \(list); exec \"$@\"", "sh"] + command
  }
}
