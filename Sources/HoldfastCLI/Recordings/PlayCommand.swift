import ArgumentParser
import Foundation
import Glibc
import Holdfast
import HoldfastConsole
import HoldfastSupport

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a recording, and count the play.",
    discussion: """
      The recording opens in $HOLDFAST_PLAYER, else in mpv, ffplay or xdg-open. The play counts \
      when the player ends (for xdg-open: when it has handed the file on). If the player fails, \
      nothing is counted. If another command writes for longer than five seconds, the play is not \
      counted either; only --count-only waits longer.

      --level plays all recordings about equally loud, at \(Int(Gain.target)) LUFS, in mpv and \
      ffplay. Loudness is measured the first time, which takes a moment, and then remembered.
      """)

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String

  @Flag(help: "Count a play that happened elsewhere; open nothing.")
  var countOnly = false

  @Flag(help: "Play quiet recordings louder, and loud ones quieter.")
  var level = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if level, countOnly { throw ValidationError("Give --level or --count-only, not both.") }
  }

  func run() async throws {
    if countOnly {
      let library = try common.openLibrary(for: .writing)
      let id = try library.recording(idPrefix: id).id
      return try show(library.countPlay(id: id), of: id, in: library)
    }
    // The recording plays at once: opening for reading needs no lock and recovers nothing.
    let library = try common.openLibrary(for: .reading)
    let recording = try library.recording(idPrefix: id)
    try await play(recording, of: library)
    let count = try common.writeBriefly(orElse: "the play was not counted") {
      try $0.countPlay(id: recording.id)
    }
    try show(count, of: recording.id, in: library)
  }

  /// Returns the gain for playing the recording. If that is impossible, it prints a note and
  /// returns `nil`.
  private func gain(
    for recording: Recording, _ player: Player, _ library: Library
  ) async throws -> Gain? {
    guard level else { return nil }
    let reason: String
    if !player.takesGain {
      reason = "\(player.name.escapedForDisplay) cannot change the loudness; mpv and ffplay can"
    } else {
      do {
        return Gain(for: try await common.sound(of: recording, in: library, with: engine))
      } catch {
        reason = "\(HoldfastError.explained(error))"
      }
    }
    common.console.note("note: it plays as loudly as it was recorded: \(reason).")
    return nil
  }

  /// Prints the result of a play. `count` includes this one; it is `nil` if the play was not
  /// counted.
  private func show(_ count: Int?, of id: RecordingID, in library: Library) throws {
    let console = common.console
    if console.isJSON {
      if let recording = try library.recording(id: id) {
        try console.json(RecordingOutput(recording))
      }
    } else if let count {
      console.note("Played \(count.counted("time")).")
    }
  }

  private func play(_ recording: Recording, of library: Library) async throws {
    let file = try library.file(of: recording)
    guard let player = Player.find(in: ProcessInfo.processInfo.environment) else {
      throw CommandFailure("no player found; install mpv, or name one in $HOLDFAST_PLAYER")
    }
    let name = player.name.escapedForDisplay
    let gain = try await gain(for: recording, player, library)
    let stop = StopFlag()
    let status: Int
    do {
      // Ctrl-C is meant for the player. This process goes on, to count the play.
      status = try await Interruption.handled {
        stop.set()
      } _: {
        try await player.play(file, gain)
      }
    } catch {
      throw CommandFailure("\(name) could not be started (\(error)); nothing was counted")
    }
    // The user may also have ended the player through a shell, whose status is 128 plus the signal.
    let isEnded = stop.isSet || [SIGINT, SIGTERM].contains { status == 128 + Int($0) }
    guard status == 0 || isEnded else {
      throw CommandFailure(
        "\(name) failed with status \(status); nothing was counted. Try another player in "
          + "$HOLDFAST_PLAYER")
    }
  }
}
