import Foundation
import HoldfastTestSupport
import Testing

/// One craving, usage, message or recording in a command's `--json`.
struct Record: Decodable, Equatable {
  var id: String
  var timestamp: String?
  var timestampOffset: Int?
  var intensity: Int?
  var intensityCategory: String?
  var triggers: [String]?
  var location: String?
  var notes: String?
  var recordingId: String?
  var method: String?
  var amount: Double?
  var content: String?
  var category: String?
  var priority: Int?
  var isCustom: Bool?
  var isActive: Bool?
  var timesShown: Int?
  var title: String?
  var displayTitle: String?
  var purpose: String?
  var playCount: Int?
  var createdAt: String?
  var modifiedAt: String?
  var lastPlayedAt: String?
}

extension CommandResult {
  /// Standard output as one document of JSON.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try #require(status == 0, "\(errorOutput)")
    return try JSONDecoder().decode(Value.self, from: Data(outputBytes))
  }
}

extension LibraryFolder {
  /// The record that a command made or changed.
  func record(_ arguments: String...) async throws -> Record {
    try await holdfast(arguments + ["--json"]).json()
  }

  /// The records that a command lists.
  func records(_ arguments: String...) async throws -> [Record] {
    try await holdfast(arguments + ["--json"]).json()
  }

  /// Everything in the catalog, row by row, by the sqlite3 program.
  func allRows() async throws -> [[String]] {
    var rows: [[String]] = []
    for table in ["recording", "craving", "cravingTrigger", "usage", "usageTrigger", "message"] {
      rows += try await sql("SELECT '\(table)', * FROM \(table) ORDER BY 2, 3")
    }
    return rows
  }

  /// Expects that a command is refused, with these words, and changes nothing.
  func expectRefusal(
    _ arguments: [String], status: Set<Int32> = [1, 64], saying words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try await allRows()
    let result = try await holdfast(arguments)
    #expect(status.contains(result.status), "\(arguments)", sourceLocation: sourceLocation)
    #expect(
      result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(try await allRows() == before, sourceLocation: sourceLocation)
  }
}

/// The time `seconds` ago, local to `holdfast`, in the form of `--at`.
func ago(_ seconds: Double) -> String {
  let zone = TimeZone(identifier: Command.zoneAtNoon) ?? .gmt
  let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone)
  return Date(timeIntervalSinceNow: -seconds).formatted(
    style.year().month().day().time(includingFractionalSeconds: false))
}

/// A day in seconds.
let day = 86_400.0
