public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Library {
  /// Makes thumbnails, each in the place of the old one if there is one.
  ///
  /// The old picture stays until the new one is on the disk. When the run is cancelled, finished
  /// thumbnails are kept, and the others are unchanged.
  ///
  /// - Parameter options: The thumbnails to make, and how.
  /// - Returns: The run, which has begun. It throws `HoldfastError` for a failure that stops it as
  ///   a whole.
  /// - Throws: `HoldfastError` for figures that no thumbnail can have, when the library was opened
  ///   for reading or without an engine, and when none of its recordings' files is there.
  public func makeThumbnails(
    options: ThumbnailOptions = ThumbnailOptions()
  ) throws -> LibraryRun<ThumbnailEvent> {
    try options.validate()
    let tree = try writableTree()
    _ = try mediaEngine()
    try refuseIfOffline("no thumbnail was made")
    return LibraryRun { [self] report in
      try await ThumbnailMaker(self, in: tree, options: options).run(report)
    }
  }

  /// Makes a contact sheet of a video, in a file outside the library.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - job: The size, quality and shape.
  ///   - path: The path of the new file. Nothing may be there yet.
  /// - Returns: A report about the contact sheet.
  /// - Throws: `HoldfastError` when the recording has no picture, when the library was opened
  ///   without an engine, and when a file cannot be read or made. No file is left behind.
  public func makeContactSheet(
    of id: RecordingID, _ job: ThumbnailJob, toFile path: String
  ) async throws -> ThumbnailReport {
    let output = try await onOwnThread { _ in try NewFile(at: SourcePath(path)) }
    let report = try await ContactSheet(library: self, id: id).draw(job, into: output.file)
    try await onOwnThread { _ in try output.commit() }
    return report
  }

  /// Makes a contact sheet of a video, and returns it as a JPEG. No file is made.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - job: The size, quality and shape.
  /// - Throws: `HoldfastError` when the recording has no picture, when the library was opened
  ///   without an engine, and when the recording's file cannot be read.
  public func contactSheet(of id: RecordingID, _ job: ThumbnailJob) async throws -> [UInt8] {
    let output = try OpenFile.inMemory()
    _ = try await ContactSheet(library: self, id: id).draw(job, into: output)
    return try output.bytes(atMost: ReadLimit.picture)
  }

  /// Returns how a recording's thumbnail was made, or `nil` if that is not known.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func thumbnail(of id: RecordingID) throws -> ThumbnailRecord? {
    try catalog.thumbnails.find(of: id)?.record
  }
}

/// Draws pictures of a whole video.
private struct ContactSheet {
  let library: Library
  let id: RecordingID

  func draw(_ job: ThumbnailJob, into output: OpenFile) async throws -> ThumbnailReport {
    let (engine, tree) = (try library.mediaEngine(), library.tree)
    guard let row = try library.catalog.files.find(id: id), row.type == .video,
      let media = RelativePath(row.filePath)
    else { throw HoldfastError.noPicture(id) }
    let source = try await onOwnThread { _ in try tree.openForReading(media) }
    return try await engine.thumbnail(
      job, source: OpenMedia(descriptor: source.descriptor, name: media.name),
      output: OpenMedia(descriptor: output.descriptor, name: "sheet.jpg"))
  }
}

extension HoldfastError {
  static func noPicture(_ id: RecordingID) -> HoldfastError {
    HoldfastError(.noPicture, "the recording \(id.short) is not a video, so it has no picture")
  }

  /// Makes the error for a recording that has no sound.
  public static func noSound(_ id: RecordingID) -> HoldfastError {
    HoldfastError(.noSound, "the recording \(id.short) has no sound to draw")
  }
}
