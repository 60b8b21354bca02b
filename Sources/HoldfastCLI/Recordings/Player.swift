import Foundation
import HoldfastConsole
import HoldfastModel
import HoldfastSupport
import Subprocess

struct Player {
  /// The beginning of the command line. The options and the file follow.
  private let command: [String]
  let name: String
  /// The program's name or path; `nil` if only a shell can find it.
  private let program: String?
  private var options: [String] = []

  /// Finds the user's player: `$HOLDFAST_PLAYER`, which is a shell command, else the first of mpv,
  /// ffplay and xdg-open that is installed.
  static func find(in environment: [String: String]) -> Player? {
    if let line = environment["HOLDFAST_PLAYER"]?.nonBlank {
      // A command with its options, like $PAGER and $EDITOR.
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
      folders.contains { FileManager.default.isProgram(atPath: "\($0)/\(candidate[0])") }
    }
    return installed.map {
      Player(command: [$0[0]], name: $0[0], program: $0[0], options: Array($0.dropFirst()))
    }
  }

  var takesStart: Bool { options(forStart: 0) != nil }

  /// Returns the options that make it begin at a time in seconds; `nil` for a player whose option
  /// is not known.
  private func options(forStart start: Double) -> [String]? {
    switch program?.split(separator: "/").last {
    case "mpv": ["--start=\(start.thousandths)"]
    case "ffplay": ["-ss", start.thousandths]
    default: nil
    }
  }

  var takesGain: Bool { options(for: Gain(decibels: 0, limits: false)) != nil }

  /// Returns the options that make it play louder or quieter. They come before its other options.
  /// `nil` for a player whose option is not known.
  private func options(for gain: Gain) -> [String]? {
    switch program?.split(separator: "/").last {
    case "mpv": ["--af-append=lavfi=[\(gain.filters)]"]
    case "ffplay": ["-af", gain.filters]
    default: nil
    }
  }

  /// Plays a file to its end.
  ///
  /// The player's output goes to standard error, because standard output is for results.
  ///
  /// - Parameters:
  ///   - gain: How much louder or quieter to play it, if the player ``takesGain``.
  ///   - start: Where to begin, in seconds, if the player ``takesStart``.
  /// - Returns: The exit status; 128 plus the signal's number if a signal ended the player.
  func play(_ path: String, gain: Gain? = nil, start: Double? = nil) async throws -> Int {
    let own = (gain.flatMap { options(for: $0) } ?? []) + (start.flatMap(options(forStart:)) ?? [])
    let command = ignoringSignals(command + own + options + [path])
    let ended = try await Subprocess.run(
      .name(command[0]), arguments: Arguments(Array(command.dropFirst())),
      input: .currentStandardInput, output: .currentStandardError, error: .currentStandardError)
    return switch ended.terminationStatus {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }

  /// Returns a command that ignores the signals that this process was started to ignore. Subprocess
  /// resets every signal to its default in a child.
  private func ignoringSignals(_ command: [String]) -> [String] {
    let numbers = Interruption.ignored
    guard !numbers.isEmpty else { return command }
    let list = numbers.map { "\($0)" }.joined(separator: " ")
    return ["sh", "-c", "trap '' \(list); exec \"$@\"", "sh"] + command
  }
}

/// The change in loudness with which a recording is played.
struct Gain {
  /// The loudness that recordings are brought to, in LUFS.
  static let target = -16.0
  /// The highest true peak, in dBTP (EBU R 128).
  private static let highestPeak = -1.0
  /// The most by which a recording is made louder, in dB. Anything quieter is noise.
  static let most = 24.0

  let decibels: Double
  private let limits: Bool

  init(decibels: Double, limits: Bool) {
    self.decibels = decibels
    self.limits = limits
  }

  /// Makes the gain that brings sound to ``target``, or near it; `nil` for silence.
  init?(for sound: SoundProfile) {
    guard let loudness = sound.loudness else { return nil }
    let decibels = min(((Self.target - loudness) * 10).rounded() / 10, Self.most)
    self.init(decibels: decibels, limits: (sound.truePeak ?? 0) + decibels > Self.highestPeak)
  }

  /// The gain as filters of libavfilter, which mpv and ffplay both accept. The limiter runs at 192
  /// kHz to catch peaks between the samples of 48 kHz.
  var filters: String {
    let limit = pow(10, Self.highestPeak / 20)
    let limiter = ",aresample=192000,alimiter=limit=\(limit):level=disabled,aresample=48000"
    return "volume=\(decibels)dB" + (limits ? limiter : "")
  }
}
