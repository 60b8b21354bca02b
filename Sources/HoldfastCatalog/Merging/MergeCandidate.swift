public import Foundation
internal import GRDB
public import HoldfastModel

/// A recording of another library, with everything that a merge needs to know about it.
public struct MergeCandidate: Hashable, Sendable {
  /// The recording, with how its thumbnail was made.
  public var version: MergedRecording.Version
  /// How often it was played, by replica.
  public var plays: [String: Int]
  /// Its other IDs.
  public var aliases: [RecordingID]
  /// Its sound profile; `nil` if its sound was not measured.
  public var sound: SoundProfile?

  /// The recording's identity in the other library.
  public var id: RecordingID { version.recording.id }
}

/// A page of another library's recordings.
public struct MergePage: Sendable {
  /// The recordings that can be read.
  public var candidates: [MergeCandidate]
  /// The IDs of those that cannot be read, and why.
  public var unreadable: [(id: String, reason: String)]
  /// The ID of the last one, after which the next page begins.
  public var last: String
}

extension Catalog {
  /// Copies another library's catalog, brings the copy up to date, and opens it. Nothing is written to
  /// the other library.
  ///
  /// - Parameters:
  ///   - path: The path of the other catalog. The caller holds the other library's writer lock, if it
  ///     can be taken.
  ///   - copy: The path of an empty file for the copy; `nil` for a copy in memory.
  ///   - journals: The journals that the program knows.
  /// - Throws: ``CatalogError``, also when the other catalog has a journal that the program does not
  ///   know.
  public static func openCopy(
    of path: String, at copy: String?, journals: [Journal]
  ) throws(CatalogError) -> Catalog {
    let other = Catalog(queue: try open(path, access: .reading), access: .reading, name: path)
    guard try other.read(Schema.applicationID) == Schema.applicationID else {
      throw .notACatalog(path)
    }
    let queue = try catalogErrors(path) {
      let queue =
        try copy.map { try DatabaseQueue(path: $0, configuration: .catalog(.writing)) }
        ?? DatabaseQueue(configuration: .catalog(.writing))
      try other.queue.backup(to: queue)
      return queue
    }
    let own = Catalog(queue: queue, access: .writing, name: path, journals: journals)
    try own.validate()
    try own.useRollbackJournal()
    // Nobody else opens the copy, and nobody needs it after a crash. So it is not locked for each of many reads, and its
    // journal is in memory: with this lock, SQLite would leave a journal's file behind.
    try catalogErrors(path) {
      try own.queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE")
      }
    }
    try own.migrateIfNeeded()
    try own.write { db in try db.completePlays() }
    return own
  }

  /// Returns a page of all recordings, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - key: The last recording of the page before. `nil` for the first page.
  ///   - limit: The most recordings to return.
  /// - Returns: The page; `nil` if there are no more.
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func mergePage(after key: String?, limit: Int) throws(CatalogError) -> MergePage? {
    try read { db in
      let keys = try String.fetchAll(
        db, sql: "SELECT id FROM recording WHERE id > ? ORDER BY id LIMIT ?",
        arguments: [key ?? "", min(max(limit, 1), Self.longestPage)])
      guard let last = keys.last else { return nil }
      var page = MergePage(candidates: [], unreadable: [], last: last)
      for key in keys {
        do {
          guard let candidate = try Self.candidate(key, db) else { continue }
          page.candidates.append(candidate)
        } catch let defect as RowDefect {
          page.unreadable.append((key, defect.reason))
        }
      }
      return page
    }
  }

  /// More plays than anybody has counted. A sum of larger numbers may be more than SQLite can add.
  static let mostPlays = 1_000_000_000

  /// Returns a recording with what belongs to it, or `nil` if there is none.
  static func candidate(_ id: String, _ db: Database) throws -> MergeCandidate? {
    guard
      let row = try RecordingRow.fetchOne(
        db.cachedStatement(sql: "SELECT * FROM recording WHERE id = ?"), arguments: [id])
    else { return nil }
    // The catalog of this library would refuse the row, and all that is written with it.
    do throws(RuleError) { try RecordingDocument(row.value).validate() } catch {
      throw RowDefect.broken(id, error)
    }
    let thumbnail = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM thumbnail WHERE recordingId = ?"), arguments: [id])
    let sound = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM sound WHERE recordingId = ?"), arguments: [id])
    let plays = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT replica, count FROM plays WHERE recordingId = ?"),
      arguments: [id])
    let aliases = try String.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM alias WHERE recordingId = ? ORDER BY id"),
      arguments: [id])
    return MergeCandidate(
      version: MergedRecording.Version(
        row.value, thumbnail: try thumbnail.flatMap(ThumbnailRecord.init(joined:))),
      plays: Dictionary(
        try plays.map { row in
          let count: Int = try row.value(Column("count"))
          guard count <= mostPlays else {
            throw RowDefect.unreadable(id, column: "count of plays", value: "\(count)")
          }
          return (try row.value(Column("replica")) as String, count)
        },
        uniquingKeysWith: max),
      aliases: aliases.compactMap(UUID.init(uuidString:)),
      sound: try sound.map(SoundProfile.init(row:)))
  }
}
