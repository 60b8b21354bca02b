import Foundation
import HoldfastCatalog
import HoldfastModel

extension AppImport {
  /// A record of the app that names a recording.
  struct Link: Sendable {
    var kind: RecordKind
    var table: String
    var key: String
    var column: String
    var record: String
  }

  /// Returns the links of the app's records to each of its recordings.
  func links() throws -> [RecordingID: [Link]] {
    let enabled = Set(try library.catalog.records.kinds())
    var links: [RecordingID: [Link]] = [:]
    for type in journals.flatMap(\.kinds) where enabled.contains(type.kind) {
      add(type, to: &links)
    }
    return links
  }

  private func add<Value: JournalRecord>(_: Value.Type, to links: inout [RecordingID: [Link]]) {
    let declaration = Value.declaration
    guard let column = declaration.link?.column else { return }
    for record in reading.records[declaration.kind] ?? [] {
      guard let id = record["id"]?.uuid, let recording = record["recordingId"]?.uuid else {
        continue
      }
      links[recording, default: []].append(
        Link(
          kind: declaration.kind, table: declaration.table, key: declaration.key, column: column,
          record: id.uuidString))
    }
  }
}

extension RecordDatabase {
  /// Links records that are here already, and have no link, to a recording that comes now.
  ///
  /// They came without their link because the recording was missing. As this is done in the
  /// transaction that brings the recording, a link that is missing later was removed by a person.
  ///
  /// - Returns: How many records of each kind were linked.
  func link(
    _ links: [AppImport.Link], to recording: RecordingID
  ) throws -> [RecordKind: Int] {
    var counts: [RecordKind: Int] = [:]
    for link in links {
      let count = try execute(
        """
        UPDATE \(link.table) SET \(link.column) = ?
        WHERE \(link.key) = ? AND \(link.column) IS NULL
        """,
        [.text(recording.uuidString), .text(link.record)])
      if count > 0 { counts[link.kind, default: 0] += count }
    }
    return counts
  }
}
