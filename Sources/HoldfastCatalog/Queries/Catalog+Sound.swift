public import Foundation
internal import GRDB
public import HoldfastModel

/// What recordings' sound is like.
extension Catalog {
  /// What a recording's sound is like; `nil` where it was not measured.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func sound(of id: RecordingID) throws(CatalogError) -> SoundProfile? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM sound WHERE recordingId = ?", arguments: [id.uuidString]
      ).map(SoundProfile.init(row:))
    }
  }

  /// Notes what a recording's sound is like, unless its file is another one meanwhile.
  ///
  /// - Parameters:
  ///   - profile: What was measured.
  ///   - file: SHA-256 of the file in which that was.
  ///   - id: The recording.
  /// - Throws: ``CatalogError``.
  public func setSound(
    _ profile: SoundProfile, ofFile file: SHA256Digest, of id: RecordingID
  ) throws(CatalogError) {
    try write { db in
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO sound (recordingId, loudness, truePeak, peaks)
          SELECT id, ?, ?, ? FROM recording WHERE id = ? AND fileSHA256 = ?
          """,
        arguments: [
          profile.loudness, profile.truePeak, Data(profile.peaks), id.uuidString, file.hexadecimal,
        ])
    }
  }
}

extension SoundProfile {
  fileprivate init(row: Row) throws {
    let peaks: Data = try row.value(Column("peaks"))
    self.init(
      loudness: try row.optionalValue(Column("loudness")),
      truePeak: try row.optionalValue(Column("truePeak")), peaks: [UInt8](peaks))
  }
}
