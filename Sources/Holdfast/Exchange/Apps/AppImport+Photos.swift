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
}

extension AppImport {
  /// Imports the photos of records that are in the library. Call it after
  /// ``importRecords(isDryRun:now:)``.
  ///
  /// A record whose photo is not imported keeps the app's reference to it, as text. A document has
  /// no photos.
  public func importPhotos(
    isDryRun: Bool = false, now: Date = Date()
  ) async throws -> AppPhotoReport {
    var report = AppPhotoReport()
    guard hasFiles else { return report }
    for photo in reading.photos {
      try Task.checkCancellation()
      guard try isDryRun || library.read(photo.isWanted) else { continue }
      guard let (_, route) = try? files.recording(at: photo.path) else {
        report.missing += 1
        continue
      }
      do {
        if !isDryRun { try await bring(photo, route, now: now) }
        report.imported += 1
      } catch let error where !(error is CancellationError) {
        let name = photo.path.cut(to: 120).escapedForDisplay
        report.failures.append("photo \(name): \(HoldfastError.explanation(of: error))")
      }
    }
    return report
  }

  private func bring(_ photo: AppPhoto, _ route: SourceRoute, now: Date) async throws {
    let id = try library.catalog.files.contains(id: photo.id) ? UUID() : photo.id
    let photos = try await library.preparePhotos([PhotoSource(route, id: id)])
    try library.write(publishing: photos) { db in
      guard try photo.isWanted(db) else { throw RuleError("its entry was changed meanwhile") }
      for made in photos.photos { try photo.insert(db, made, now) }
    }
  }
}
