public import Foundation

/// A photo of an app's record, whose file comes after the record.
public struct AppPhoto: Sendable {
  /// The ID that it gets. Two libraries that import the same app have the same photo.
  public var id: UUID
  /// The file, relative to the app's documents. One that Holdfast has exported is named by its ID.
  public var path: String
  /// The ID of the record.
  public var record: UUID
  /// The name of the record's list of references to its photos.
  public var list: String
  /// The reference in that list, as text.
  public var reference: String
  /// Returns whether the library has the record; with a reference to the photo, if that is asked
  /// for.
  public var hasRecord: @Sendable (any RecordDatabase, _ referring: Bool) throws -> Bool
  /// Writes the photo's row.
  public var insert: @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void
  /// Removes the record's reference as text, because the photo is here.
  public var dropReference: @Sendable (any RecordDatabase) throws -> Void

  /// Describes a photo.
  public init(
    id: UUID, path: String, record: UUID, list: String, reference: String,
    hasRecord: @escaping @Sendable (any RecordDatabase, _ referring: Bool) throws -> Bool,
    insert: @escaping @Sendable (any RecordDatabase, NewPhoto, _ now: Date) throws -> Void,
    dropReference: @escaping @Sendable (any RecordDatabase) throws -> Void
  ) {
    (self.id, self.path, self.hasRecord) = (id, path, hasRecord)
    (self.record, self.list, self.reference) = (record, list, reference)
    (self.insert, self.dropReference) = (insert, dropReference)
  }
}
