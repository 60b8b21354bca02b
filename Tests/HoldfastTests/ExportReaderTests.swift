import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Reading an export in pieces", .temporaryFolder)
struct ExportReaderTests {
  private func craving() throws -> Craving {
    Craving(timestamp: Date(), intensity: try Intensity(5), createdAt: Date())
  }

  @Test("An export that is read piece by piece is the same as one that is written")
  func pieces() throws {
    let library = try open(nil)
    for _ in 0..<3 { try library.add(craving()) }
    var (whole, pieces) = (Data(), Data())
    try library.exportDocument { whole += $0 }
    var reader = try library.exportedDocument()
    while let piece = try reader.next() { pieces += piece }
    #expect(pieces == whole && !whole.isEmpty)
    let (read, known) = (reader.counts, try library.exportedCounts())
    #expect(read.map(\.kind) == known.map(\.kind))
    #expect(read.map(\.count) == known.map(\.count))
    #expect(try reader.next() == nil)
    try library.exportTables(toFolder: temporary("tables"))
    for (kind, _) in known {
      var (table, text) = (try library.exportedTable(of: kind), Data())
      while let piece = try table.next() { text += piece }
      #expect(text == FileManager.default.contents(atPath: temporary("tables/\(kind.name).csv")))
    }
    #expect(throws: HoldfastError.self) {
      try library.exportedTable(of: RecordKind("nights", singular: "night"))
    }
  }
}
