public import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension AppImport {
  /// Imports the photos of records that are in the library. Call it after
  /// ``importRecords(isDryRun:now:)``.
  ///
  /// A record whose photo cannot be imported keeps the app's reference to it, as text.
  ///
  /// - Returns: How many photos were imported, or would be; and the reasons why others were not.
  public func importPhotos(
    isDryRun: Bool = false, now: Date = Date()
  ) async throws -> (imported: Int, failures: [String]) {
    var (imported, failures) = (0, [String]())
    for photo in reading.photos {
      try Task.checkCancellation()
      guard try isDryRun || library.read(photo.isWanted) else { continue }
      do {
        let (path, route) = try files.recording(at: photo.path)
        if !isDryRun { try await bring(photo, at: path, route, now: now) }
        imported += 1
      } catch let error where !(error is CancellationError) {
        let name = photo.path.cut(to: 120).escapedForDisplay
        failures.append("photo \(name): \(HoldfastError.explanation(of: error)); it stays as text")
      }
    }
    return (imported, failures)
  }

  private func bring(
    _ photo: AppPhoto, at path: String, _ route: SourceRoute, now: Date
  ) async throws {
    // An export of Holdfast names a photo by its ID.
    var id = UUID()
    if let own = RelativePath(
      "\(RelativePath.root)/\(path.split(separator: "/").suffix(2).joined(separator: "/"))"),
      let known = own.ownerID, own == .photo(id: known),
      try !library.catalog.files.contains(id: known)
    {
      id = known
    }
    let photos = try await library.preparePhotos([(route, id)])
    try library.write(publishing: photos) { db in
      guard try photo.isWanted(db) else { throw RuleError("its entry was changed meanwhile") }
      for made in photos.photos { try photo.insert(db, made, now) }
    }
  }
}
