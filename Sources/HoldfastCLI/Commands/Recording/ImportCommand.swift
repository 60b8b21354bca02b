internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWorkerPool

/// `holdfast import`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take recordings into the library: files as they are, folders walked.",
    discussion: """
      Sources are only read, unless --move is given. In folders, hidden files, links, photos and \
      documents are passed over. The movie of a Live Photo is left out where its photo lies \
      beside it. A recording may last 120 s.
      """)

  @Argument(help: "Files and folders.", completion: .file())
  var paths: [String]

  @Option(
    help: "Why the recordings are kept.")
  var purpose: RecordingPurpose = .motivational

  @Option(help: "What they are called; at most \(Recording.longestTitle) characters.")
  var title: String?

  @Option(help: "What you write about them; at most \(Recording.longestNotes) characters.")
  var notes: String?

  @Option(
    help:
      "What happens to a source that is longer than \(Int(RecordingLimit.seconds)) s: refuse; trim keeps its first \(Int(RecordingLimit.seconds)) s; split makes several recordings of it."
  )
  var overLimit: OverLimitPolicy = .refuse

  @Option(
    help:
      "auto copies what Apple players can play and encodes the rest, high dynamic range as HEVC; copy refuses the rest; h264 and hevc encode all."
  )
  var video: VideoPolicy = .auto

  @Option(
    help:
      "auto copies what Apple players can play and encodes the rest as AAC; aac encodes all; alac keeps lossless sound of up to two channels lossless."
  )
  var audio: AudioPolicy = .auto

  @Option(
    help: ArgumentHelp(
      "Scale pictures down that are higher than so many pixels, as they are seen.",
      valueName: "pixels"))
  var maxHeight: Int?

  @Flag(help: "Decode everything that was made once, and say what is damaged.")
  var verifyDecode = false

  @Flag(
    help:
      "Remove each source of which the library holds everything that a viewer or listener would miss. It stays, with the reason, if a track was left out, if it is damaged or was shortened, if an encode has fewer pixels, channels, samples a second or bits, less dynamic range or fewer colours, if a spatial or 360° description was dropped, or if it was there before."
  )
  var move = false

  @Flag(help: "Keep the place and the device in the files; without it they stay behind.")
  var keepMetadata = false

  @Flag(help: "Take sources again that are in the library already.")
  var allowDuplicates = false

  @Flag(help: "Take the movies of Live Photos too, whose photos lie beside them.")
  var includeLivePhotos = false

  @Option(
    help:
      "How many sources are worked on at a time, from 1 to 256 (default: as many as there are cores)."
  )
  var jobs: Int?

  @Flag(help: "Only say what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try JobCount.validate(jobs)
    // A picture with the 4:2:0 sampling of H.264 cannot be one line high.
    if let maxHeight, maxHeight < 2 { throw ValidationError("--max-height must be at least 2.") }
    if paths.isEmpty { throw ValidationError("Name the files and folders to import.") }
  }

  func run() async throws {
    try await engine.withEngine { try await run(with: $0) }
  }

  private func run(with engine: WorkerPool) async throws {
    let console = common.console
    let library =
      dryRun
      ? try common.openLibrary(for: .planning, engine: engine)
      : try common.openLibraryToWrite(engine: engine)
    let run = try library.importRecordings(
      paths,
      options: ImportOptions(
        purpose: purpose, title: title, notes: notes,
        conversion: ConversionOptions(
          overLimit: overLimit, video: video, audio: audio, maxHeight: maxHeight,
          keepsMetadata: keepMetadata),
        verifiesDecode: verifyDecode, movesSources: move, allowsDuplicates: allowDuplicates,
        includesLivePhotos: includeLivePhotos, isDryRun: dryRun, jobs: jobs))

    var printer = ImportPrinter(console, isDryRun: dryRun, moves: move)
    let stop = StopFlag()
    let progress = printer.progress
    try await Interruption.handled {
      stop.set()
      run.cancel()
      // The next interruption ends the process at once, so clear the terminal now.
      progress?.close()
    } _: {
      for await event in run { try printer.show(event) }
    }
    try printer.finish(wasInterrupted: stop.isSet)
    if stop.isSet { throw ExitCode.interrupted }
    if printer.summary.failed > 0 { throw ExitCode.someFailed }
  }
}
