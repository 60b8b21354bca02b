public import HoldfastModel

/// Which recordings to transcribe.
public struct TranscriptionOptions: Sendable {
  /// The recordings; `nil` for all that have no transcript, newest first.
  public var ids: [RecordingID]?
  /// What may be replaced.
  public var replaced: ReplacedTranscripts = []
  /// The share of the recordings; `nil` for all.
  public var share: ImportShare?

  /// Makes the default options.
  public init() {}

  /// Makes options for recordings that were just imported. If a phone's transcript came with one,
  /// it stays.
  public init(new ids: [RecordingID]) {
    self.ids = ids
    isNew = true
  }

  /// Whether the recordings were not named by a person, who would want to know what is left out.
  private(set) var isNew = false
}

/// An event of a transcription.
public enum TranscriptionEvent: Sendable {
  /// So many recordings are to be transcribed.
  case planned(Int)
  /// So many have been done, whatever their result.
  case progress(Int)
  /// A transcript was kept. Its state is `silent` if no words were heard.
  case made(Transcript)
  /// A recording was left out, and the reason.
  case skipped(RecordingID, HoldfastError)
  /// A recording could not be transcribed. The others are not affected.
  case failed(RecordingID, HoldfastError)
}

extension Library {
  /// Has a program write down what is said in recordings.
  ///
  /// The program runs once for up to 50 recordings, and their transcripts are kept together. No
  /// lock is held while it runs. A recording without words is remembered as such.
  ///
  /// - Parameters:
  ///   - transcriber: The program.
  ///   - options: Which recordings to transcribe.
  /// - Returns: The run. Its last events may be missing after a cancellation; whatever was kept by
  ///   then stays.
  /// - Throws: `HoldfastError` when the library was opened for reading or without an engine.
  public func transcribe(
    with transcriber: any Transcriber, options: TranscriptionOptions = TranscriptionOptions()
  ) throws -> LibraryRun<TranscriptionEvent> {
    let run = TranscriptionRun(
      library: self, tree: try writableTree(), engine: try mediaEngine(),
      transcriber: transcriber, options: options)
    return LibraryRun { report in try await run.run(report) }
  }
}
