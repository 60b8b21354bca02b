/// A program that writes down what is said in sound, as an engine for a library.
///
/// The library gives it WAV files and a folder of its own, and reads from that folder one document
/// for each file, named like the file with `.json` at its end.
public protocol Transcriber: Sendable {
  /// The program's name without its path.
  var name: String { get }
  /// The model's name without its path.
  var model: String? { get }

  /// Runs the program once.
  ///
  /// - Parameter job: The files to read, and the folder to write to.
  /// - Returns: Why the program did not end as it should, in one clause; `nil` if it did. Some of
  ///   the documents may be there in either case.
  /// - Throws: ``HoldfastError`` if the program cannot be sandboxed or started,
  ///   `CancellationError` when the task is cancelled. The program has then ended.
  func run(_ job: TranscriberJob) async throws -> String?
}

/// The sound for one run of a ``Transcriber``.
public struct TranscriberJob: Hashable, Sendable {
  /// The paths of the WAV files: one channel of 16 bits at 16 kHz.
  public var files: [String]
  /// The path of the empty folder to which the program writes.
  public var folder: String
  /// The length of all the sound together, in seconds.
  public var seconds: Double

  /// Makes a job.
  public init(files: [String], folder: String, seconds: Double) {
    self.files = files
    self.folder = folder
    self.seconds = seconds
  }
}
