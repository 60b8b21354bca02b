import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct ThumbnailsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make or remake thumbnails, or draw a contact sheet or a waveform.",
    discussion: """
      Without an id, the missing thumbnails of all videos are made; with --all, all of them. An \
      old thumbnail is kept until the new one is on the disk, and if no new one can be made. After \
      an interruption, finished thumbnails are kept: --missing with the same --size and --quality \
      makes the rest.

      A thumbnail is the keyframe at or before 1 s. If that is nearly black, white, flat or \
      blurred, it is the best of some later keyframes. --at chooses another picture, which is \
      remembered; --at auto forgets it.
      """)

  @Argument(
    help: "The recordings' ids, or at least four characters of the beginning of each.",
    completion: .recording)
  var ids: [String] = []

  @Flag(help: "Make thumbnails that are missing, or were made with another --size or --quality.")
  var missing = false

  @Flag(help: "Make all thumbnails again.")
  var all = false

  @Option(
    help: ArgumentHelp(
      """
      The longer side; never more than the video's (default: as before, or \
      \(ThumbnailJob.usualLongSide)). For a waveform, the width (default: \
      \(WaveformJob.usualWidth)).
      """,
      valueName: "pixels"))
  var size: Int?

  @Option(
    help:
      "The JPEG quality, from 1 to 100 (default: as before, or \(ThumbnailJob.usualQuality)).")
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "Use the picture that is shown exactly this many seconds after the start; auto chooses one "
        + "again.",
      valueName: "seconds"))
  var at: PictureTime?

  @Option(
    help: ArgumentHelp(
      "Draw a contact sheet of one recording in this new file instead: pictures from its whole "
        + "length, with their times. For an audio recording, draw its waveform.",
      valueName: "file"), completion: .file())
  var sheet: String?

  @Option(
    help: ArgumentHelp(
      "Draw the sound of one recording instead, as a PNG in this new file.", valueName: "file"),
    completion: .file())
  var waveform: String?

  @Option(help: "How many columns of pictures a contact sheet has (default: 4).")
  var columns: Int?

  @Option(help: "How many rows of pictures a contact sheet has (default: 4).")
  var rows: Int?

  @Option(help: "How many to make at a time, from 1 to 256 (default: the number of cores).")
  var jobs: Int?

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try JobCount.validate(jobs)
    if all, missing { throw ValidationError("Give --all or --missing, not both.") }
    if all, !ids.isEmpty { throw ValidationError("Name recordings, or give --all.") }
    if at != nil, ids.isEmpty { throw ValidationError("--at needs the id of a recording.") }
    if columns != nil || rows != nil, sheet == nil {
      throw ValidationError("--columns and --rows need --sheet.")
    }
    if sheet != nil, waveform != nil {
      throw ValidationError("Give --sheet or --waveform, not both.")
    }
    if waveform != nil, quality != nil {
      throw ValidationError("--quality does not fit --waveform: a PNG loses nothing.")
    }
    for (name, path) in [("--sheet", sheet), ("--waveform", waveform)] {
      guard let path else { continue }
      if path.isEmpty { throw ValidationError("\(name) must not be empty.") }
      if ids.count != 1 || all || missing || at != nil || jobs != nil {
        throw ValidationError("\(name) needs the id of one recording.")
      }
    }
    let sizes = waveform != nil ? WaveformJob.widths : ThumbnailOptions.longSides
    try Self.require("--size", size, in: sizes)
    try Self.require("--quality", quality, in: ThumbnailOptions.qualities)
    for count in [columns, rows].compactMap(\.self) where !ContactSheet.range.contains(count) {
      throw ValidationError("A contact sheet has from 1 to 10 columns, and from 1 to 10 rows.")
    }
  }

  private static func require(
    _ name: String, _ value: Int?, in range: ClosedRange<Int>
  ) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError(
      "\(name) \(value) is out of range: it goes from \(range.lowerBound) to \(range.upperBound).")
  }

  func run() async throws {
    try await engine.withEngine { engine in
      if let path = sheet ?? waveform {
        try await makePicture(path, with: engine)
      } else {
        try await make(with: engine)
      }
    }
  }

  private func make(with engine: WorkerPool) async throws {
    let library = try common.openLibrary(for: .writing, engine: engine)
    var options = ThumbnailOptions()
    options.ids = ids.isEmpty ? nil : try library.recordings(idPrefixes: ids).map(\.id)
    options.onlyMissing = missing || ids.isEmpty && !all
    options.longSide = size
    options.quality = quality
    options.place = at?.place ?? .kept
    if let jobs { options.jobs = jobs }

    let run = try library.makeThumbnails(options: options)
    var printer = ThumbnailPrinter(common.console)
    let wasInterrupted = try await run.forEachEvent(below: printer.progress) {
      try printer.show($0)
    }
    try printer.finish(wasInterrupted: wasInterrupted)
    if wasInterrupted { throw ExitCode.interrupted }
    if printer.failed > 0 { throw ExitCode.someFailed }
  }

  /// Makes one picture of a recording, in a file outside the library.
  private func makePicture(_ path: String, with pool: WorkerPool) async throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading, engine: pool)
    let recording = try library.recording(idPrefix: ids[0])
    let work = Task {
      waveform != nil || recording.type == .audio
        ? try await drawWaveform(of: recording, in: library, path)
        : try await library.makeContactSheet(of: recording.id, sheetJob, toFile: path)
    }
    let report = try await Interruption.handled {
      work.cancel()
    } _: {
      do { return try await work.value } catch is CancellationError { throw ExitCode.interrupted }
    }
    if console.isJSON {
      return try console.json(
        SheetOutput(
          id: recording.id, output: path, width: report.size.width, height: report.size.height,
          bytes: report.bytes))
    }
    console.result(
      "\(console.colored("made", .green))  \(path.escapedForDisplay): "
        + "\(report.size.width) × \(report.size.height), \(report.bytes) bytes")
  }
}

extension ThumbnailsCommand {
  private var sheetJob: ThumbnailJob {
    var job = ThumbnailJob(sheet: ContactSheet(columns: columns ?? 4, rows: rows ?? 4))
    if let size { job.longSide = size }
    if let quality { job.quality = quality }
    return job
  }

  private func drawWaveform(
    of recording: Recording, in library: Library, _ path: String
  ) async throws -> ThumbnailReport {
    let sound = try await common.sound(of: recording, in: library, with: engine)
    guard !sound.peaks.isEmpty else { throw HoldfastError.noSound(recording.id) }
    // The waveform is as wide as a video's contact sheet would be.
    let job =
      waveform != nil
      ? WaveformJob(peaks: sound.peaks, width: size ?? WaveformJob.usualWidth)
      : WaveformJob(
        peaks: sound.peaks,
        width: min(sheetJob.longSide * (columns ?? 4), WaveformJob.widths.upperBound),
        format: .jpeg(quality: sheetJob.quality))
    return try await library.drawWaveform(job, toFile: path)
  }
}

/// A time that the user gives, or `auto`.
struct PictureTime: ExpressibleByArgument {
  var place: ThumbnailOptions.Place

  init?(argument: String) {
    if argument == "auto" {
      place = .chosen
    } else if let seconds = Double(argument), seconds.isFinite, seconds >= 0 {
      place = .seconds(seconds)
    } else {
      return nil
    }
  }
}

private struct SheetOutput: Encodable {
  var event = "made"
  var id: RecordingID
  var output: String
  var width: Int
  var height: Int
  var bytes: Int
}
