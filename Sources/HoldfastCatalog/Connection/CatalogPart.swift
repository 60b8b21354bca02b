import GRDB
import HoldfastModel

/// A part of a catalog: the operations on one table, or of one concern.
protocol CatalogPart: Sendable {
  var catalog: Catalog { get }
}

extension CatalogPart {
  var name: String { catalog.name }
  var registry: Registry { catalog.registry }

  func read<Value>(_ body: (Database) throws -> Value) throws(HoldfastError) -> Value {
    try catalog.read(body)
  }

  func write<Value>(_ body: (Database) throws -> Value) throws(HoldfastError) -> Value {
    try catalog.write(body)
  }
}

extension Catalog {
  package var recordings: RecordingTable { RecordingTable(catalog: self) }
  package var files: FileTable { FileTable(catalog: self) }
  package var thumbnails: ThumbnailTable { ThumbnailTable(catalog: self) }
  package var sounds: SoundTable { SoundTable(catalog: self) }
  package var sources: SourceTable { SourceTable(catalog: self) }
  package var journals: JournalTable { JournalTable(catalog: self) }
  package var records: RecordTable { RecordTable(catalog: self) }
  package var integrity: CatalogIntegrity { CatalogIntegrity(catalog: self) }
  package var compaction: Compaction { Compaction(catalog: self) }
  package var erasure: ErasureMark { ErasureMark(catalog: self) }

  /// The most rows that a page holds.
  ///
  /// Long readers read pages, so that no statement stays open while they read files. An open
  /// statement makes every writer wait.
  package static let longestPage = 1000
}
