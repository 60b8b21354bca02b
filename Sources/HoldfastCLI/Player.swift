internal import Foundation
internal import HoldfastModel
internal import Subprocess

/// The program in which a person hears and sees recordings.
struct Player {
  /// The program, then the arguments that come before the file.
  private let command: [String]
  /// What the person calls it.
  let name: String
  /// The option by which it takes filters, and whether their text is an argument of its own.
  private let filterOption: (name: String, isSeparate: Bool)?

  /// The person's player: `$HOLDFAST_PLAYER`, which is a shell command, else the first of mpv, ffplay
  /// and xdg-open that is installed.
  ///
  /// - Returns: `nil` when there is none.
  static func find(in environment: [String: String]) -> Player? {
    if let line = environment["HOLDFAST_PLAYER"]?.nonBlank {
      // As $PAGER and $EDITOR are read: a command with its options.
      let program = line.split(separator: " ").first?.split(separator: "/").last
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      return Player(
        command: ["sh", "-c", "\(line) \"$@\"", line], name: line,
        filterOption: filterOption(of: program ?? ""))
    }
    let known = [
      ["mpv"], ["ffplay", "-autoexit", "-hide_banner", "-loglevel", "warning"], ["xdg-open"],
    ]
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let installed = known.first { candidate in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(candidate[0])") }
    }
    return installed.map {
      Player(command: $0, name: $0[0], filterOption: filterOption(of: $0[0]))
    }
  }

  private static func filterOption(of program: String) -> (name: String, isSeparate: Bool)? {
    switch program {
    case "mpv": ("--af=", false)
    case "ffplay": ("-af", true)
    default: nil
    }
  }

  /// Whether it can be told how loud to play.
  var takesGain: Bool { filterOption != nil }

  private func arguments(for gain: Gain?) -> [String] {
    guard let gain, let option = filterOption else { return [] }
    return option.isSeparate ? [option.name, gain.filters] : [option.name + gain.filters]
  }

  /// Plays a file to its end.
  ///
  /// What the player prints goes to standard error: standard output is for results.
  ///
  /// - Parameters:
  ///   - path: The file's absolute path.
  ///   - gain: How much louder or quieter it is to be; a player that ``takesGain`` is needed.
  /// - Returns: The exit status; a signal's number and 128 for a player that a signal ended.
  /// - Throws: When the player cannot be started.
  func play(_ path: String, _ gain: Gain? = nil) async throws -> Int {
    let command = ignoringSignals(command + arguments(for: gain) + [path])
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

/// How much louder or quieter a recording is played than it is.
struct Gain {
  /// What recordings are brought to, in LUFS.
  static let target = -16.0
  /// Peaks stay under this, in dBTP (EBU R 128).
  private static let highestPeak = -1.0

  /// In dB.
  let decibels: Double
  private let limits: Bool

  /// What brings sound to ``target``; `nil` for silence.
  init?(for sound: SoundProfile) {
    guard let loudness = sound.loudness else { return nil }
    decibels = ((Self.target - loudness) * 10).rounded() / 10
    limits = (sound.truePeak ?? 0) + decibels > Self.highestPeak
  }

  /// libavfilter's words for it, which mpv and ffplay both take.
  var filters: String {
    "volume=\(decibels)dB"
      + (limits ? ",alimiter=limit=\(pow(10, Self.highestPeak / 20)):level=disabled" : "")
  }
}
