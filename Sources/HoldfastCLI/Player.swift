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
      return Player(command: ["/bin/sh", "-c", "\(line) \"$@\"", line], name: line)
    }
    let known = [
      ["mpv", "--"], ["ffplay", "-autoexit", "-hide_banner", "-loglevel", "warning"],
      ["xdg-open"],
    ]
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    for candidate in known {
      for folder in folders {
        let path = "\(folder)/\(candidate[0])"
        if FileManager.default.isExecutableFile(atPath: path) {
          return Player(command: [path] + candidate.dropFirst(), name: candidate[0])
        }
      }
    }
    return nil
  }

  /// Plays a file to its end.
  ///
  /// What the player prints goes to standard error: standard output is for results.
  ///
  /// - Parameter path: The file's absolute path.
  /// - Returns: The exit status; a signal's number and 128 for a player that a signal ended.
  /// - Throws: When the player cannot be started.
  func play(_ path: String) async throws -> Int {
    let ended = try await Subprocess.run(
      .path(.init(command[0])), arguments: Arguments(Array(command.dropFirst()) + [path]),
      input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
      output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
      error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
    return switch ended.terminationStatus {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }
}
