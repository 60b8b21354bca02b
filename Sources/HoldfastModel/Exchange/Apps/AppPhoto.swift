public import Foundation

/// A photo of an app's record, whose file comes after the record.
public struct AppPhoto: Sendable {
  /// The ID that it gets. Two libraries that import the same app have the same photo.
  public var id: UUID
  /// The file, relative to the app's documents. One that Holdfast has exported is named by its ID.
  public var path: String
  /// Returns whether the library has the record, and lacks the photo.
  public var isWanted: @Sendable (any RecordDatabase) throws -> Bool
  /// Writes the photo's row.
  public var insert: @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void

  /// Describes a photo.
  public init(
    id: UUID, path: String, isWanted: @escaping @Sendable (any RecordDatabase) throws -> Bool,
    insert: @escaping @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void
  ) {
    (self.id, self.path, self.isWanted, self.insert) = (id, path, isWanted, insert)
  }
}
