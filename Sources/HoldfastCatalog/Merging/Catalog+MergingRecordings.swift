internal import Foundation
internal import GRDB
public import HoldfastModel

/// One recording of this library and the same of another library, and what they become.
public struct Merge: Hashable, Sendable {
  /// This library's version.
  public let own: MergeCandidate
  /// The other library's version.
  public let other: MergeCandidate
  /// What they become.
  public let merged: MergedRecording
  /// Whether neither library knew until now that both are one recording.
  public let isJoined: Bool

  /// Merges two versions; `nil` if the notes of both are too long to keep together.
  public init?(_ own: MergeCandidate, _ other: MergeCandidate) throws {
    // They have no ID in common, not even a third one.
    isJoined = Set(own.aliases + [own.id]).isDisjoint(with: other.aliases + [other.id])
    guard let merged = try MergedRecording(own.version, other.version, isJoined: isJoined) else {
      return nil
    }
    self.own = own
    self.other = other
    self.merged = merged
  }

  /// Whether files are to be put in place.
  public var changesFiles: Bool {
    merged.takesFile || merged.takesThumbnail || merged.recording.id != own.id
  }

  /// Whether this library has everything already.
  public var changesNothing: Bool {
    let names = Set(own.aliases + [own.id])
    return merged.recording == own.version.recording && !changesFiles
      && other.plays.allSatisfy { own.plays[$0.key, default: 0] >= $0.value }
      && (other.aliases + [other.id]).allSatisfy(names.contains)
      && (other.sound == nil || own.sound != nil || !isSameFile)
  }

  /// Whether both have the same file.
  var isSameFile: Bool {
    merged.recording.ingestion.fileSHA256 == other.version.recording.ingestion.fileSHA256
  }
}

/// The rows of recordings that a merge brings or changes.
extension Catalog {
  /// Inserts recordings of another library: all of them or none.
  ///
  /// - Parameter candidates: Recordings whose files are complete and durable in this library.
  /// - Throws: ``CatalogError``.
  public func insert(merged candidates: [MergeCandidate]) throws(CatalogError) {
    try write { db in
      for candidate in candidates {
        var recording = candidate.version.recording
        recording.filePath = .media(recording.type, id: recording.id)
        recording.thumbnailPath =
          recording.type == .video ? .thumbnail(id: recording.id) : nil
        recording.playCount = 0
        try RecordingRow(recording).insert(db)
        try candidate.version.thumbnail.insert(db, of: candidate.id)
        try candidate.sound?.insert(db, of: candidate.id)
        try db.merge(candidate, into: candidate.id.uuidString)
      }
    }
  }

  /// Writes what recordings have become: all of them or none.
  ///
  /// If a recording gets another ID, everything that refers to it follows, and the old ID becomes
  /// another name of it.
  ///
  /// - Parameter merges: What was merged. The files are complete and durable.
  /// - Throws: ``CatalogError``.
  public func write(_ merges: [Merge]) throws(CatalogError) {
    try write { db in
      for merge in merges {
        try db.completePlays(of: merge.own.id.uuidString)
        try write(merge, db)
      }
    }
  }

  private func write(_ merge: Merge, _ db: Database) throws {
    let (merged, candidate) = (merge.merged, merge.other)
    let id = merge.own.id
    let (old, new) = (id.uuidString, merged.recording.id.uuidString)
    if old == new {
      try RecordingRow(merged.recording).update(db)
    } else {
      try RecordingRow(merged.recording).insert(db)
      try db.execute(
        sql: """
          UPDATE recording SET (verifiedAt, fault, faultySince, rebuiltAt) = (
            SELECT verifiedAt, fault, faultySince, rebuiltAt FROM recording WHERE id = ?)
          WHERE id = ?
          """, arguments: [old, new])
      try moveEverything(from: old, to: new, db)
    }
    if merged.takesFile {
      try db.execute(
        sql: """
          UPDATE recording SET verifiedAt = NULL, fault = NULL, faultySince = NULL, rebuiltAt = NULL
          WHERE id = ?
          """, arguments: [new])
      try db.execute(sql: "DELETE FROM sound WHERE recordingId = ?", arguments: [new])
    }
    if !merged.recording.isRebuilt {
      try db.execute(
        sql: "UPDATE recording SET rebuiltAt = NULL WHERE id = ? AND rebuiltAt IS NOT NULL",
        arguments: [new])
    }
    if merged.takesThumbnail {
      try candidate.version.thumbnail.insert(db, of: merged.recording.id)
    }
    if merge.isSameFile {
      try candidate.sound?.insert(db, of: merged.recording.id)
    }
    try db.merge(candidate, into: new, addingPlays: merge.isJoined)
  }

  /// Moves what belongs or refers to a recording to another row, and deletes the old row.
  private func moveEverything(from old: String, to new: String, _ db: Database) throws {
    for child in RecordingDocument.declaration.children {
      try db.execute(
        sql: "UPDATE \(child.name) SET \(child.owner) = ? WHERE \(child.owner) = ?",
        arguments: [new, old])
    }
    for kind in try registry.kinds(in: db, name: name) {
      try kind.moveLinks(from: old, to: new, db)
    }
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [old])
    try db.execute(
      sql: "INSERT INTO alias (id, recordingId) VALUES (?, ?)", arguments: [old, new])
  }
}

extension StoredKind {
  fileprivate func moveLinks(from old: String, to new: String, _ db: Database) throws {
    guard let link = declaration.link else { return }
    try db.execute(
      sql: "UPDATE \(declaration.table) SET \(link.column) = ? WHERE \(link.column) = ?",
      arguments: [new, old])
  }
}

extension SoundProfile {
  /// Stores the profile, unless the recording has one.
  fileprivate func insert(_ db: Database, of id: RecordingID) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO sound (recordingId, loudness, truePeak, peaks) VALUES (?, ?, ?, ?)
        ON CONFLICT (recordingId) DO NOTHING
        """
    ).execute(arguments: [id.uuidString, loudness, truePeak, Data(peaks)])
  }
}

extension Database {
  /// Takes the larger count of each replica's plays, and the other IDs.
  ///
  /// - Parameter isJoined: Whether they were two recordings until now. A replica that counted plays of
  ///   both counted different ones.
  fileprivate func merge(
    _ candidate: MergeCandidate, into id: String, addingPlays isJoined: Bool = false
  ) throws {
    let sum = isJoined ? "count + excluded.count" : "max(count, excluded.count)"
    let count = try cachedStatement(
      sql: """
        INSERT INTO plays (recordingId, replica, count) VALUES (?, ?, ?)
        ON CONFLICT (recordingId, replica) DO UPDATE SET count = \(sum)
        """)
    for (replica, plays) in candidate.plays { try count.execute(arguments: [id, replica, plays]) }
    try cachedStatement(
      sql: """
        UPDATE recording SET playCount = (
          SELECT ifnull(sum(count), 0) FROM plays WHERE recordingId = recording.id) WHERE id = ?
        """
    ).execute(arguments: [id])
    // An ID that is a recording of its own here is no other name of another one.
    let name = try cachedStatement(
      sql: """
        INSERT INTO alias (id, recordingId) SELECT ?1, ?2
        WHERE NOT EXISTS (SELECT 1 FROM recording WHERE id = ?1)
        ON CONFLICT (id) DO UPDATE SET recordingId = excluded.recordingId
        """)
    for alias in [candidate.id] + candidate.aliases where alias.uuidString != id {
      try name.execute(arguments: [alias.uuidString, id])
    }
  }
}
