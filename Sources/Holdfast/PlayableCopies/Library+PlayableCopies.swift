public import HoldfastModel
import HoldfastStorage

/// Copies for programs that cannot play a recording as it is stored, such as a browser without
/// HEVC.
///
/// They are kept in `.cache`, which has at most ``mostCachedBytes``. The oldest are removed first.
/// They are deleted with their recordings, and no backup has them.
extension Library {
  /// The most bytes that the copies may have together.
  public static let mostCachedBytes: Int64 = 2_000_000_000

  /// Opens the copy of a recording for reading, or returns `nil` if none was made.
  ///
  /// - Throws: `HoldfastError` when the copy cannot be opened.
  public func openPlayableCopy(of recording: Recording) throws -> StoredFile? {
    try tree.playableCopies.open(CachedFile(copyOf: recording)).map(StoredFile.init)
  }

  /// Makes a copy of a recording that nearly every program plays: H.264 with 8 bits and at most
  /// 1080 lines (1920 if it is upright), and AAC.
  ///
  /// - Parameters:
  ///   - recording: The recording, which stays as it is.
  ///   - progress: Called from any thread with the share that is done, from 0 to 1.
  /// - Throws: `HoldfastError` when the library was opened for reading or without an engine, when
  ///   the recording cannot be decoded or was deleted meanwhile, and when the disk is full;
  ///   `CancellationError`. No copy is then left.
  public func makePlayableCopy(
    of recording: Recording, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    try await PlayableCopyMaker(library: self, recording: recording).run(progress)
  }
}
