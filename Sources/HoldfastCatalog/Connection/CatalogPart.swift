import GRDB
import HoldfastModel

/// A part of a catalog: the operations on one table, or of one concern.
protocol CatalogPart: Sendable {
  var catalog: Catalog { get }
}

extension CatalogPart {
  var name: String { catalog.name }
  var registry: Registry { catalog.registry }

  func read<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    try catalog.read(body)
  }

  func write<Value>(_ body: (Database) throws -> Value) throws(CatalogError) -> Value {
    try catalog.write(body)
  }
}

extension Catalog {
  /// The recordings, with their plays and their other IDs.
  package var recordings: RecordingTable { RecordingTable(catalog: self) }
  /// What is known about the recordings' files.
  package var files: FileTable { FileTable(catalog: self) }
  /// How the recordings' thumbnails were made.
  package var thumbnails: ThumbnailTable { ThumbnailTable(catalog: self) }
  /// The recordings' sound profiles.
  package var sounds: SoundTable { SoundTable(catalog: self) }
  /// The sources that imports have seen.
  package var sources: SourceTable { SourceTable(catalog: self) }
  /// The journals.
  package var journals: JournalTable { JournalTable(catalog: self) }
  /// The records of all kinds.
  package var records: RecordTable { RecordTable(catalog: self) }
  /// SQLite's own checks.
  package var integrity: CatalogIntegrity { CatalogIntegrity(catalog: self) }
  /// The removal of deleted rows, and of replaced text, from the file.
  package var compaction: Compaction { Compaction(catalog: self) }
  /// The removal of everything.
  package var erasure: ErasureMark { ErasureMark(catalog: self) }

  /// The most rows that a page holds.
  ///
  /// Long readers read pages, so that no statement stays open while they read files. An open
  /// statement makes every writer wait.
  package static let longestPage = 1000
}
