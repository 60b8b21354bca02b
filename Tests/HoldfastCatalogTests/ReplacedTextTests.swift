import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

/// SQLite overwrites replaced text in place, but may have copied its row before. See
/// ``DeletionTests``.
@Suite("Edits that make a compaction due")
struct ReplacedTextTests {
  /// A statement by hand that replaces text.
  struct Replacement: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var write: @Sendable (Catalog, RecordingID, SHA256Digest) throws -> Void

    static let all = [
      Self(testDescription: "a file that is made again") {
        try $0.files.setHash($2, size: 10, of: $1)
      },
      Self(testDescription: "a thumbnail that is made again") {
        try $0.thumbnails.set([RemadeThumbnail(id: $1, hash: $2, record: nil)])
      },
      Self(testDescription: "a source that is examined again") {
        try $0.sources.remember(SeenSource(digest(9), refusedBy: "rules", hash: $2))
      },
    ]
  }

  @Test(
    "Replacing a text with another makes it due; with the same text, it does not",
    arguments: Replacement.all)
  func byHand(_ replacement: Replacement) throws {
    let catalog = try Catalog.withCravings()
    let one = try recording()
    try catalog.recordings.insert([one])
    try replacement.write(catalog, one.id, digest(20))
    try catalog.compaction.run()
    try replacement.write(catalog, one.id, digest(20))
    #expect(try !catalog.compaction.isDue())
    try replacement.write(catalog, one.id, digest(21))
    #expect(try catalog.compaction.isDue())
  }

  @Test("Repairing a path makes it due")
  func paths() throws {
    let catalog = try Catalog.withCravings()
    let one = try recording()
    try catalog.recordings.insert([one])
    try catalog.files.resetPaths(of: one.id)
    #expect(try catalog.compaction.isDue())
  }
}
