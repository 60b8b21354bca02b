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
      when the player ends (for xdg-open: when it has handed the file on). If the player reports \
      a failure, nothing is counted. If another command writes for longer than five seconds, the \
      play is not counted either; only --count-only waits longer.

      --find plays from two seconds before words that were said, in the recording that you name or \
      in the one that fits best. --at and --find work with mpv and ffplay; another player begins \
      at the start.

      --level plays all recordings about equally loud, at \(Int(Gain.target)) LUFS, in mpv and \
      ffplay. Loudness is measured the first time, which takes a moment, and then remembered.
      """)

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String?

  @Option(
    help: ArgumentHelp("Begin at this time: 0:42, or 42 seconds.", valueName: "time"),
    transform: { try StartTime($0) })
  var at: StartTime?

  @Option(help: ArgumentHelp("Begin where these words were said.", valueName: "words"))
  var find: String?

  @Flag(help: "Count a play that happened elsewhere; open nothing.")
  var countOnly = false

  @Flag(help: "Play quiet recordings louder, and loud ones quieter.")
  var level = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if level, countOnly { throw ValidationError("Give --level or --count-only, not both.") }
    if at != nil, find != nil { throw ValidationError("Give --at or --find, not both.") }
    if countOnly, at != nil || find != nil {
      throw ValidationError("--count-only plays nothing, so it has no beginning.")
    }
    if id == nil, find == nil {
      throw ValidationError("Name a recording by its id, or words that were said with --find.")
    }
  }

  func run() async throws {
    if countOnly, let id {
      let library = try common.openLibrary(for: .writing)
      let id = try library.recording(idPrefix: id).id
      return try show(library.countPlay(id: id), of: id, in: library)
    }
    // The recording plays at once: opening for reading needs no lock and recovers nothing.
    let library = try common.openLibrary(for: .reading)
    let (recording, start) = try beginning(in: library)
    try await play(recording, from: start, of: library)
    let count = try common.writeBriefly(orElse: "the play was not counted") {
      try $0.countPlay(id: recording.id)
    }
    try show(count, of: recording.id, in: library)
  }

  /// Returns the recording, and where to begin in seconds.
  private func beginning(in library: Library) throws -> (Recording, start: Double?) {
    guard let find else {
      let recording = try library.recording(idPrefix: id ?? "")
      if let at, at.seconds >= recording.duration {
        throw CommandFailure(
          "\(recording.id.short) ends at \(recording.duration.clockTenths), before "
            + at.seconds.clockTenths)
      }
      return (recording, at?.seconds)
    }
    let (recording, hit) = try found(find, in: library)
    let time = (Double(hit.startTime) / 1000)
    common.console.note(
      "\(recording.id.short)  \(recording.displayTitle.escapedForDisplay)\n"
        + "          \(time.clockTime)  \(hit.text.escapedForDisplay)")
    if hit.isByComputer { common.console.note(SpokenHit.warning) }
    return (recording, max(0, time - Self.lead))
  }

  private static let lead = 2.0

  private func found(_ words: String, in library: Library) throws -> (Recording, SpokenHit) {
    let recording = try id.map { try library.recording(idPrefix: $0) }
    guard let found = try library.bestSpokenHit(of: words, in: recording?.id) else {
      let place =
        try recording?.id.short
        ?? library.untranscribed().map { "any recording; \($0)" } ?? "any recording"
      throw CommandFailure(
        "\"\(words.cut(to: 60).escapedForDisplay)\" was not said in \(place)")
    }
    return found
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

  private func play(
    _ recording: Recording, from start: Double?, of library: Library
  ) async throws {
    let file = try library.file(of: recording)
    guard let player = Player.find(in: ProcessInfo.processInfo.environment) else {
      throw CommandFailure("no player found; install mpv, or name one in $HOLDFAST_PLAYER")
    }
    let name = player.name.escapedForDisplay
    let gain = try await gain(for: recording, player, library)
    if start != nil, !player.takesStart {
      common.console.note("note: \(name) plays from the start; mpv and ffplay can begin elsewhere.")
    }
    let stop = StopFlag()
    let status: Int
    do {
      // Ctrl-C is meant for the player. This process goes on, to count the play.
      status = try await Interruption.handled {
        stop.set()
      } _: {
        try await player.play(file, gain: gain, start: start)
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

/// A time in a recording, as a person gives it: `0:42`, `1:02.5`, `42`.
struct StartTime {
  let seconds: Double

  init(_ text: String) throws {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard parts.count <= 3, part.utf8.allSatisfy({ 0x30...0x39 ~= $0 || (isLast && $0 == 0x2E) }),
        let number = Double(part), number < (index == 0 ? 100_000 : 60)
      else { throw ValidationError("Give a time such as 0:42 or 1:02.5.") }
      seconds = seconds * 60 + number
    }
    self.seconds = seconds
  }
}
