public import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// The result of importing an app's photos.
public struct AppPhotoReport: Sendable {
  /// The photos that were imported, or would be.
  public var imported = 0
  /// The photos whose files are not in the app's folder.
  public var missing = 0
  /// The reasons why others were not imported.
  public var failures: [String] = []

  mutating func fail(_ photo: AppPhoto, _ reason: String) {
    failures.append("photo \(photo.path.cut(to: 120).escapedForDisplay): \(reason)")
  }
}

extension AppImport {
  /// Imports the photos of records that are in the library. Call it after
  /// ``importRecords(isDryRun:now:)``.
  ///
  /// A photo is known by its ID, whatever was edited in its record meanwhile. A record whose photo
  /// is not imported keeps the app's reference to it, as text.
  public func importPhotos(
    isDryRun: Bool = false, now: Date = Date()
  ) async throws -> AppPhotoReport {
    var report = AppPhotoReport()
    for photo in reading.photos {
      try Task.checkCancellation()
      if try library.catalog.files.contains(id: photo.id) {
        if !isDryRun { try settle(photo, &report) }
        continue
      }
      guard try isDryRun || library.read({ try photo.hasRecord($0, false) }) else { continue }
      do {
        guard let route = try route(to: photo) else {
          // A document may be by itself.
          if isFolder { report.missing += 1 }
          continue
        }
        if !isDryRun { try await bring(photo, route, now: now) }
        report.imported += 1
      } catch let error where !(error is CancellationError) {
        report.fail(photo, HoldfastError.explanation(of: error))
      }
    }
    return report
  }

  /// Returns the route of a photo's file; `nil` if it is not in the app's folder.
  private func route(to photo: AppPhoto) throws(HoldfastError) -> SourceRoute? {
    do throws(HoldfastError) {
      return try files.recording(at: photo.path).route
    } catch {
      guard error.code == .fileMissing || error.code == .notARecording else { throw error }
      return nil
    }
  }

  private func bring(_ photo: AppPhoto, _ route: SourceRoute, now: Date) async throws {
    let photos = try await library.preparePhotos([PhotoSource(route, id: photo.id)])
    try library.write(publishing: photos) { db in
      guard try photo.hasRecord(db, false) else { throw RuleError("its entry was deleted") }
      for made in photos.photos { try photo.insert(db, made, now) }
    }
  }

  /// Removes the reference to a photo that is here, which a later edit in the app brought again.
  private func settle(_ photo: AppPhoto, _ report: inout AppPhotoReport) throws {
    if try library.tree.status(of: .photo(id: photo.id)) == .missing, try !library.isOffline() {
      report.fail(
        photo,
        "is in the library, but its file is missing; restore it from a backup, or remove it from "
          + "its entry and import again")
    }
    guard try library.read({ try photo.hasRecord($0, true) }) else { return }
    try library.write(photo.dropReference)
  }
}
