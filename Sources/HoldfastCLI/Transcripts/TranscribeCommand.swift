import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct TranscribeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcribe",
    abstract: "Write down what is said in recordings, on this computer.",
    discussion: """
      A transcriber that you have installed does the work: whisper-cli, whisper-ctranslate2 or \
      whisper. It runs without a network, gets the sound alone, and can read neither the library \
      nor your files. Holdfast never downloads anything. docs/transcripts.md says how to get a \
      transcriber and a model.

      Without an id, all recordings without a transcript are transcribed, newest first. A \
      recording whose transcript you deleted is left out, unless you name it. The program, the \
      model and the language are remembered on this computer.
      """)

  @Argument(
    help: "The recordings' ids, or at least four characters of the beginning of each.",
    completion: .recording)
  var ids: [String] = []

  @Flag(help: "Transcribe again what a program or the phone has transcribed.")
  var again = false

  @Flag(help: "Also replace words that you wrote or edited; asks first.")
  var force = false

  @Flag(help: "Do not ask.")
  var yes = false

  @Option(
    help: ArgumentHelp(
      "Never transcribe this recording, and delete its transcript; asks first.", valueName: "id"),
    completion: .recording)
  var never: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Transcribe only this share of the recordings, such as 3/8; slurm/8 reads the number from \
      SLURM_ARRAY_TASK_ID.
      """, valueName: "number/count"),
    transform: ImportShare.init(argument:))
  var shard: ImportShare?

  @OptionGroup var how: TranscriberOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if force, ids.isEmpty { throw ValidationError("--force needs the ids of recordings.") }
    if !never.isEmpty, !ids.isEmpty || again || force || shard != nil {
      throw ValidationError("--never stands alone.")
    }
  }

  func run() async throws {
    if !never.isEmpty { return try forbid() }
    // A missing library is reported before a missing transcriber.
    _ = try common.openLibrary(for: .reading)
    let transcriber = try how.transcriber()
    try await engine.withEngine { try await transcribe(transcriber, $0) }
  }

  private func forbid() throws {
    for recording in try common.forbidTranscripts(of: never, asks: !yes) {
      common.console.result("never transcribed  \(recording.id.short)")
    }
  }

  private func transcribe(_ transcriber: SandboxedTranscriber, _ pool: WorkerPool) async throws {
    let library = try common.openLibrary(for: .writing, engine: pool)
    var options = TranscriptionOptions()
    options.ids = ids.isEmpty ? nil : try library.recordings(idPrefixes: ids).map(\.id)
    if again || force { options.replaced.insert(.machines) }
    if !ids.isEmpty { options.replaced.insert(.marks) }
    if force { options.replaced.insert(.persons) }
    options.share = shard
    if force, !yes {
      let written = try (options.ids ?? []).filter {
        guard let transcript = try library.transcript(of: $0) else { return false }
        return transcript.source == .person && !transcript.isMark
      }
      if !written.isEmpty {
        try Question(
          "Replace the words that you wrote for \(written.count.counted("recording"))? [y/N] ",
          instead: "--yes"
        ).confirm()
      }
    }
    try await TranscriptionPrinter(common.console, isIdle: !how.now).show(
      library.transcribe(with: transcriber, options: options))
  }
}
