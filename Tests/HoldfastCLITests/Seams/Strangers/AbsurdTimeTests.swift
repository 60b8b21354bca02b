import Foundation
import HoldfastTestSupport
import Testing

@Suite("Times that other programs wrote", .temporaryFolder)
struct AbsurdTimeTests {
  private let library = LibraryFolder()
  /// As long as a time with milliseconds, and as one in a document without them.
  private static let digits = [
    String(repeating: "9", count: 23), String(repeating: "9", count: 23) + "Z",
    String(repeating: "9", count: 19) + "Z",
  ]

  @Test("A document with digits for a time has that record refused", arguments: digits)
  func document(digits: String) async throws {
    let path = temporary("cravings.json")
    try Data(
      """
      {"cravings": [
        {"id": "\(LibraryFolder.id(1))", "timestamp": "\(digits)", "intensity": 5},
        {"id": "\(LibraryFolder.id(2))", "timestamp": "2025-10-12T22:13:20Z", "intensity": 5}]}
      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    let result = try await library.holdfast("import-data", path)
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("is not a time"), "\(result.errorOutput)")
    #expect(try await library.column("SELECT id FROM craving") == [LibraryFolder.id(2)])
  }

  @Test("A backup with digits for its moment is named, and does not stop others", arguments: digits)
  func backup(digits: String) async throws {
    try await library.importing("aac.m4a")
    let backups = Backups()
    #expect(try await library.holdfast("backup", "make", backups.path).status == 0)
    try await backups.setMoment(digits, of: try backups.newest())
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 4, "\(verified.output)\(verified.errorOutput)")
    #expect(try await library.holdfast("backup", "list", backups.path).status == 0)
    let next = try await library.holdfast("backup", "make", backups.path)
    #expect(next.status == 3, "\(next.output)\(next.errorOutput)")
    #expect(try backups.names().count == 2)
  }

  @Test("A row with digits for its time is found, and ends no command")
  func row() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("craving", "log", "--intensity", "5")
    for column in ["craving.timestamp", "recording.createdAt"] {
      let name = column.split(separator: ".")
      try sqlite3(
        library.path + "/catalog.sqlite",
        "PRAGMA ignore_check_constraints = 1; "
          + "UPDATE \(name[0]) SET \(name[1]) = '\(Self.digits[0])';")
    }
    let verified = try await library.holdfast("verify")
    #expect(verified.status == 4, "\(verified.output)\(verified.errorOutput)")
    for command in [["list"], ["craving", "list"], ["export"], ["stats"]] {
      let result = try await library.holdfast(command)
      #expect(result.status < 128, "\(command): \(result.errorOutput)")
    }
  }
}
