public import Foundation
public import Holdfast

/// A photo of an entry. Its file is `Recordings/Photos/photo_<ID>.jpg`.
public struct EntryPhoto: JournalRecord {
  /// The photo's identity, which names its file.
  public let id: UUID
  /// The entry.
  public let entryID: UUID
  /// Its place among the entry's photos, from 0. Photos of two libraries may have the same place.
  public let position: Int
  /// The name of the file that it was made from.
  public let name: String
  /// The width of the picture in pixels, as it is stored.
  public let width: Int
  /// The height of the picture in pixels, as it is stored.
  public let height: Int
  /// The size of the file in bytes.
  public let fileSize: Int
  /// The SHA-256 of the file.
  public let fileSHA256: SHA256Digest
  /// When it was added.
  public internal(set) var createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case entryID = "entryId"
    case position, name, width, height, fileSize, fileSHA256, createdAt, modifiedAt
  }

  /// Makes the row of a photo.
  public init(
    _ photo: NewPhoto, of entry: UUID, as name: String, at position: Int, createdAt: Date
  ) {
    id = photo.id
    entryID = entry
    self.position = position
    self.name = name
    (width, height) = (photo.size.width, photo.size.height)
    (fileSize, fileSHA256) = (Int(photo.fileSize), photo.fileSHA256)
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// The path of the file, relative to the library's folder.
  public var path: RelativePath { .photo(id: id) }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try name.validateName("the photo's name", limit: FaithLimit.photo)
    guard position >= 0 else { throw RuleError("the photo's place is \(position)") }
    guard [width, height].allSatisfy({ (1...65_535).contains($0) }) else {
      throw RuleError("the photo is \(width) × \(height) pixels; no JPEG is")
    }
    guard fileSize > 0 else { throw RuleError("the photo has \(fileSize) bytes") }
  }

  /// How the registry treats photos.
  public static let declaration = RecordDeclaration<EntryPhoto>(
    RecordKind("entryPhotos", singular: "photo", plural: "photos"), table: "entryPhotoFile",
    isPhoto: true,
    references: [
      RecordReference(
        needed: { $0.entryID.uuidString }, column: "entryId", to: JournalEntry.self)
    ], counters: [.minimum(\.createdAt)],
    csv: .withDates([
      .init("entryId", \.entryID), .init("position", \.position),
      .init("width", \.width),
      .init("height", \.height), .init("fileSize", \.fileSize),
      .init("fileSHA256", \.fileSHA256.hexadecimal),
    ]),
    // The file of a row never changes.
    correcting: { local, merged in
      guard var photo = local else { return merged }
      photo.createdAt = merged.createdAt
      return photo
    })
}

extension FaithJournal {
  /// Adds photos to an entry.
  ///
  /// A reference to a photo that the entry has as text, and that names the same file, gives way to
  /// it.
  ///
  /// - Parameters:
  ///   - photos: The photos, from `Library.preparePhotos(_:)`.
  ///   - entry: The entry.
  ///   - now: The time of the change.
  /// - Throws: `HoldfastError` when the entry does not exist. Then nothing is added.
  @discardableResult
  public func add(
    _ photos: NewPhotos, to entry: UUID, now: Date = Date()
  ) throws -> [EntryPhoto] {
    try library.write(publishing: photos) { db in
      _ = try db.existing(JournalEntry.self, entry)
      try db.insert(photos, of: entry, now: now)
    }
    let ids = Set(photos.photos.map(\.id))
    return try self.photos(of: entry).filter { ids.contains($0.id) }
  }

  /// Returns the photos of an entry, in their order.
  public func photos(of entry: UUID) throws -> [EntryPhoto] {
    try library.records(
      EntryPhoto.self, clause: "WHERE entryId = ? ORDER BY position, createdAt, id",
      arguments: [.text(entry.uuidString)])
  }
}

extension RecordDatabase {
  /// Writes the rows of an entry's new photos. A reference as text gives way to the only photo with
  /// the name of its file.
  public func insert(_ photos: NewPhotos, of entry: UUID, now: Date) throws {
    for photo in photos.photos {
      let references = try existing(JournalEntry.self, entry).photoURLs.filter {
        $0.split(separator: "/").last.map(String.init) == photo.name
      }
      let only = references.count == 1 ? references.first : nil
      try insert(photo, of: entry, as: photo.name, replacing: only, now: now)
    }
  }

  /// Whether an entry has a photo with this name.
  func hasPhoto(named name: String, of entry: UUID) throws -> Bool {
    try !rows(
      "SELECT 1 FROM entryPhotoFile WHERE entryId = ? AND name = ?",
      [.text(entry.uuidString), .text(name)]
    ).isEmpty
  }

  /// Removes references as text to photos that are here: an import may bring them again with a
  /// later edit of their entry.
  func dropReferencesToPhotos() throws {
    let photos = try records(
      EntryPhoto.self, clause: "WHERE entryId IN (SELECT journalEntryId FROM entryPhoto)",
      arguments: [])
    for (entry, photos) in Dictionary(grouping: photos, by: \.entryID) {
      guard var entry = try record(JournalEntry.self, id: entry) else { continue }
      let names = Set(photos.flatMap { [$0.name, $0.path.string] })
      guard entry.photoURLs.contains(where: names.contains) else { continue }
      entry.photoURLs.removeAll(where: names.contains)
      try update(entry)
    }
  }

  /// Writes the row of a photo, whose reference as text gives way to it.
  func insert(
    _ photo: NewPhoto, of entry: UUID, as name: String, replacing reference: String?, now: Date
  ) throws {
    let row = try rows(
      "SELECT max(position) AS last, count(*) AS count FROM entryPhotoFile WHERE entryId = ?",
      [.text(entry.uuidString)]
    ).first
    let (last, count) = (row?["last"].integer, row?["count"].integer ?? 0)
    guard count < FaithLimit.photoCount else {
      throw RuleError("an entry has at most \(FaithLimit.photoCount) photos")
    }
    try insert(EntryPhoto(photo, of: entry, as: name, at: (last ?? -1) + 1, createdAt: now))
    if let reference { try drop(reference, of: entry) }
  }

  /// Removes a reference as text, because its photo is here.
  ///
  /// The entry itself is as the person wrote it, so it does not count as edited: a later edit in
  /// the app must still come.
  func drop(_ reference: String, of entry: UUID) throws {
    guard var entry = try record(JournalEntry.self, id: entry),
      let index = entry.photoURLs.firstIndex(of: reference)
    else { return }
    entry.photoURLs.remove(at: index)
    try update(entry)
  }
}
