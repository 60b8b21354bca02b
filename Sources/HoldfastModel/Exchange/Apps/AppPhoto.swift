public import Foundation

/// A photo of an app's record, whose file comes after the record.
public struct AppPhoto: Sendable {
  /// The file, relative to the app's documents.
  public var path: String
  /// Returns whether the library has the record, and lacks the photo.
  public var isWanted: @Sendable (any RecordDatabase) throws -> Bool
  /// Writes the photo's row.
  public var insert: @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void

  /// Describes a photo.
  public init(
    path: String, isWanted: @escaping @Sendable (any RecordDatabase) throws -> Bool,
    insert: @escaping @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void
  ) {
    (self.path, self.isWanted, self.insert) = (path, isWanted, insert)
  }
}
