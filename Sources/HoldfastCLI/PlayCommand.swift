internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Holdfast
internal import HoldfastModel

/// `holdfast play`
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a recording, and count the play.",
    discussion: """
      It opens in $HOLDFAST_PLAYER, else in mpv, ffplay or xdg-open, and counts when the player \
      ends (for xdg-open: when it has handed the file on). A player that fails counts nothing.
      """)

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var id: String

  @Flag(help: "Count a play that happened elsewhere; open nothing.")
  var countOnly = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let console = common.console
    let played: RecordingID
    if countOnly {
      played = try common.openLibraryToWrite(.changing).recording(named: id).id
    } else {
      // A clip plays at once: nothing is waited for, locked or put right before.
      let library = try common.openLibrary(for: .reading)
      let recording = try library.recording(named: id)
      try await play(recording, of: library)
      played = recording.id
    }
    let library = try common.openLibraryToWrite(.changing)
    let count = try library.countPlay(id: played)
    guard console.isJSON else {
      return console.note("Played \(count) \(count == 1 ? "time" : "times").")
    }
    if let recording = try library.recording(id: played) {
      try console.json(RecordingOutput(recording))
    }
  }

  private func play(_ recording: Recording, of library: Library) async throws {
    let file = try library.file(of: recording)
    guard let player = Player.find(in: ProcessInfo.processInfo.environment) else {
      throw PlayerError("no player found; install mpv, or name one in $HOLDFAST_PLAYER")
    }
    let name = player.name.escapedForDisplay
    let stop = StopFlag()
    let status: Int
    do {
      // Ctrl-C is for the player; this program lives on, and counts.
      status = try await Interruption.handled {
        stop.set()
      } _: {
        try await player.play(file)
      }
    } catch {
      throw PlayerError("\(name) could not be started (\(error)); nothing was counted")
    }
    // Or the person has ended it: a shell says so with 128 and the signal's number.
    let isEnded = stop.isSet || [SIGINT, SIGTERM].contains { status == 128 + Int($0) }
    guard status == 0 || isEnded else {
      throw PlayerError(
        "\(name) failed with status \(status); nothing was counted. Try another player in "
          + "$HOLDFAST_PLAYER")
    }
  }
}

/// Why a recording could not be played.
private struct PlayerError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
