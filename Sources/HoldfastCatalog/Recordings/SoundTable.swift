import Foundation
import GRDB
package import HoldfastModel

package struct SoundTable: CatalogPart {
  let catalog: Catalog

  /// Returns a recording's sound profile, or `nil` if its sound was not measured.
  package func find(of id: RecordingID) throws(HoldfastError) -> SoundProfile? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM sound WHERE recordingId = ?", arguments: [id.uuidString]
      ).map(SoundProfile.init(row:))
    }
  }

  /// Stores the profile of a file, unless the recording's file has been replaced meanwhile.
  package func set(
    _ profile: SoundProfile, ofFile file: SHA256Digest, of id: RecordingID
  ) throws(HoldfastError) {
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
  init(row: Row) throws {
    let peaks: Data = try row.value(Column("peaks"))
    self.init(
      loudness: try row.optionalValue(Column("loudness")),
      truePeak: try row.optionalValue(Column("truePeak")), peaks: [UInt8](peaks))
  }
}
