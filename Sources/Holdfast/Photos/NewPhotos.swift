public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Photos that are written and checked, and wait for their rows.
///
/// ``Library/write(publishing:_:)`` brings them into the library. If it is not called, they are
/// removed with this value.
public final class NewPhotos: Sendable {
  /// The photos, in the order of their sources.
  public let photos: [NewPhoto]
  let staging: Staging?

  init(_ photos: [NewPhoto], in staging: Staging?) {
    (self.photos, self.staging) = (photos, staging)
  }

  // What cannot be removed is left to recovery.
  deinit { try? staging?.remove() }
}

/// A file from which a photo is made.
struct PhotoSource: Sendable {
  let route: SourceRoute
  /// The ID that the photo gets.
  let id: UUID
  /// The name of an upload, whose file has another one.
  let uploadedName: String?

  init(_ route: SourceRoute, id: UUID = UUID(), uploadedName: String? = nil) {
    (self.route, self.id, self.uploadedName) = (route, id, uploadedName)
  }

  /// What an error calls it.
  var shown: String {
    uploadedName.map { "\"\($0.escapedForDisplay)\"" } ?? "\(route.path)"
  }
}

extension Library {
  /// Reads photos, and writes them without their metadata, each as a JPEG.
  ///
  /// A JPEG's picture data is copied; PNG and WebP are decoded. The sources are only read.
  ///
  /// - Parameter paths: The files.
  /// - Throws: `HoldfastError` for the first file that is not a photo, or is too large; the
  ///   library is then as it was.
  public func preparePhotos(_ paths: [String]) async throws -> NewPhotos {
    try await preparePhotos(paths.map { PhotoSource(SourceRoute(typed: SourcePath($0))) })
  }

  /// Reads photos that came in pieces, as from a browser, and writes them without their metadata.
  ///
  /// - Parameter uploads: The files. Call ``Upload/discard()`` afterwards.
  /// - Throws: `HoldfastError` for the first file that is not a photo, or is too large; the
  ///   library is then as it was.
  public func preparePhotos(_ uploads: [Upload]) async throws -> NewPhotos {
    try await preparePhotos(
      uploads.map { PhotoSource(SourceRoute(typed: $0.path), uploadedName: $0.name) })
  }

  func preparePhotos(_ sources: [PhotoSource]) async throws -> NewPhotos {
    let tree = try writableTree()
    guard !sources.isEmpty else { return NewPhotos([], in: nil) }
    let engine = try mediaEngine()
    try refuseIfOffline("no photo was added")
    let staging = try await tree.makeStaging()
    do {
      var photos: [NewPhoto] = []
      for source in sources {
        try Task.checkCancellation()
        photos.append(try await photo(source, in: staging, engine))
      }
      try await onOwnThread { [photos] _ in try staging.seal(recordings: photos.map(\.id)) }
      return NewPhotos(photos, in: staging)
    } catch {
      try? staging.remove()
      throw error
    }
  }

  private func photo(
    _ source: PhotoSource, in staging: Staging, _ engine: any MediaEngine
  ) async throws -> NewPhoto {
    let (id, sourceName) = (source.id, source.uploadedName ?? source.route.path.name)
    do {
      let file = try await onOwnThread { _ in try source.route.open() }
      let name = RelativePath.photo(id: id).name
      let (report, made) = try await staging.writing(name) { output in
        try await engine.photo(
          OpenMedia(descriptor: file.descriptor, name: sourceName),
          to: OpenMedia(descriptor: output.descriptor, name: name))
      }
      let (size, hash) = try await onOwnThread { stop in
        (try made.identity().size, try made.sha256(until: stop))
      }
      guard size == Int64(report.bytes) else { throw HoldfastError.senselessAnswer }
      return NewPhoto(
        id: id, name: sourceName, size: report.size,
        fileSize: size, fileSHA256: hash)
    } catch var error as HoldfastError where error.layer == .media {
      error.reason = "the photo \(source.shown) \(error.reason)"
      throw error
    }
  }

  /// Brings photos into the library, and writes their rows.
  ///
  /// The files come first, and the rows next, in one transaction: a row never lacks its file.
  ///
  /// - Parameters:
  ///   - photos: The photos.
  ///   - body: Writes a row for each photo, and whatever goes with them.
  /// - Throws: What `body` throws. Then nothing is written, and no file stays.
  @discardableResult
  public func write<Value>(
    publishing photos: NewPhotos, _ body: (any RecordDatabase) throws -> Value
  ) throws -> Value? {
    guard let staging = photos.staging else { return try write(body) }
    return try writableTree().withWriterLock { lock in
      try HoldfastError.checkingRules {
        try refuseIfOffline("no photo was added")
        let hashes = photos.photos.map { ($0.id, $0.fileSHA256) }
        let value = try Publication(
          library: self, photos: Dictionary(uniqueKeysWithValues: hashes), staging: staging
        ).run(under: lock) { try catalog.records.write(body) }
        _ = try? catalog.compaction.runIfSmall()
        return value
      }
    }
  }

  /// Opens a photo's file for reading.
  ///
  /// - Throws: `HoldfastError` when the file is missing, or is not a regular file.
  public func openPhoto(id: UUID) throws -> StoredFile {
    try StoredFile(tree.openForReading(.photo(id: id)))
  }
}
