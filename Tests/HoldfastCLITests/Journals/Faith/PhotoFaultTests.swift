import HoldfastTestSupport
import Testing

/// An operation on the photos of entries.
enum PhotoOperation: String, CaseIterable, TestedOperation {
  case write = "faith entry write --photo"
  case delete = "faith entry delete, with photos"
  case merge = "merge of a library with photos"

  var testDescription: String { rawValue }

  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("journal", "enable", "faith")
    let write = [
      "faith", "entry", "write", "--json", "--title", "Sea", "--photo", Fixtures.path("photo.jpg"),
      "--photo", Fixtures.path("photo.jpg"),
    ]
    switch self {
    case .write: return write
    case .delete:
      let id = try await library.holdfast(write).json(FaithRecord.self).id
      return ["faith", "entry", "delete", "--json", "--yes", id]
    case .merge:
      let other = try await LibraryFolder.withFaith("other")
      _ = try await other.holdfast(write)
      return ["merge", "--json", other.path]
    }
  }

  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    // Each row has its file, and each file its row.
    try await library.expectSound(moment)
    let entries = try await library.column("SELECT id FROM journalEntry").count
    let photos = try await library.column("SELECT id FROM entryPhotoFile").count
    #expect(photos == 2 * entries, "\(moment)")
    if result.status == 0 { #expect(entries == (self == .delete ? 0 : 1), "\(moment)") }
  }
}

@Suite("Faith: photos when calls fail", .temporaryFolder)
struct PhotoFaultTests {
  private static let isWanted =
    CallFaults.isWhole
    ? CallFaults.names.isEmpty || CallFaults.names.contains("photo") : Extent.isWhole

  @Test(
    "When any call that changes a file fails or is killed, photos and rows go together",
    .timeLimit(.minutes(CallFaults.minutes)),
    .enabled(if: isWanted, "only scripts/test --all and scripts/faults have the time"),
    arguments: PhotoOperation.allCases)
  func faults(operation: PhotoOperation) async throws {
    try await CallFaults(of: operation).expectReported()
  }

  @Test("The files are on the disk before their rows", arguments: [PhotoOperation.write])
  func order(operation: PhotoOperation) async throws {
    let order = try await WriteOrder(of: operation, in: LibraryFolder())
    order.expectSafe()
    try order.expectNoticesTooEarly()
  }
}
