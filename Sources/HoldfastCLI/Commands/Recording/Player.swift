internal import Foundation
internal import HoldfastModel
internal import Subprocess

/// The program in which a person hears and sees recordings.
struct Player {
  /// What starts the program; its options and the file come behind it.
  private let command: [String]
  /// What the person calls it.
  let name: String
  /// The program's name or path; `nil` where only a shell knows it.
  private let program: String?
  private var options: [String] = []

  /// The person's player: `$HOLDFAST_PLAYER`, which is a shell command, else the first of mpv, ffplay
  /// and xdg-open that is installed.
  ///
  /// - Returns: `nil` when there is none.
  static func find(in environment: [String: String]) -> Player? {
    if let line = environment["HOLDFAST_PLAYER"]?.nonBlank {
      // As $PAGER and $EDITOR are read: a command with its options.
      let words = line.split(separator: " ").map(String.init)
      let isPlain =
        !words[0].contains("=")
        && line.allSatisfy {
          $0.isASCII && ($0.isLetter || $0.isNumber || "-_=./:+, ".contains($0))
        }
      guard isPlain else {
        return Player(command: ["sh", "-c", "\(line) \"$@\"", line], name: line, program: nil)
      }
      return Player(
        command: ["sh", "-c", "\(words[0]) \"$@\"", line], name: line, program: words[0],
        options: Array(words.dropFirst()))
    }
    let known = [
      ["mpv"], ["ffplay", "-autoexit", "-hide_banner", "-loglevel", "warning"], ["xdg-open"],
    ]
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let installed = known.first { candidate in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(candidate[0])") }
    }
    return installed.map {
      Player(command: [$0[0]], name: $0[0], program: $0[0], options: Array($0.dropFirst()))
    }
  }

  /// Whether it can be told how loud to play.
  var takesGain: Bool { options(for: Gain(decibels: 0, limits: false)) != nil }

  /// The options by which it plays louder or quieter; they come before its other options.
  ///
  /// - Returns: `nil` for a player of which no such option is known.
  private func options(for gain: Gain) -> [String]? {
    switch program?.split(separator: "/").last {
    case "mpv": ["--af-append=lavfi=[\(gain.filters)]"]
    case "ffplay": ["-af", gain.filters]
    default: nil
    }
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
    let gainOptions = gain.flatMap { options(for: $0) } ?? []
    let command = ignoringSignals(command + gainOptions + options + [path])
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
  /// No recording is made louder by more, in dB: what is quieter is noise.
  static let most = 24.0

  /// In dB.
  let decibels: Double
  private let limits: Bool

  init(decibels: Double, limits: Bool) {
    self.decibels = decibels
    self.limits = limits
  }

  /// What brings sound to ``target``, or near it; `nil` for silence.
  init?(for sound: SoundProfile) {
    guard let loudness = sound.loudness else { return nil }
    let decibels = min(((Self.target - loudness) * 10).rounded() / 10, Self.most)
    self.init(decibels: decibels, limits: (sound.truePeak ?? 0) + decibels > Self.highestPeak)
  }

  /// libavfilter's words for it, which mpv and ffplay both take. The limiter sees what is between the
  /// samples of 48 kHz.
  var filters: String {
    let limiter =
      ",aresample=192000,alimiter=limit=\(pow(10, Self.highestPeak / 20)):level=disabled,aresample=48000"
    return "volume=\(decibels)dB" + (limits ? limiter : "")
  }
}
