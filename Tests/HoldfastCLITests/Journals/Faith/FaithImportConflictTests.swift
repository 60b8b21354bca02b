import Foundation
import HoldfastTestSupport
import Testing

/// A duplicate of a unique value was refused in SQLite's words, and a dry run did not find it.
@Suite("Faith: records that an import finds twice", .temporaryFolder)
struct FaithImportConflictTests {
  private func document(_ days: [(id: Int, day: String)]) throws -> String {
    let verses = days.map { id, day in
      """
      {"id":"0000000\(id)-0000-4000-8000-000000000000","date":"\(day)","reference":"Psalm \(id)",\
      "text":"x","translation":"KJV","createdAt":"2025-11-01T08:00:00.000Z","modifiedAt":\
      "2026-01-0\(id)T08:00:00.000Z"}
      """
    }
    let path = temporary("\(UUID()).json")
    let json = """
      {"format":"holdfast","schemaVersion":2,"versions":{"versesOfTheDay":1},"versesOfTheDay":[
      \(verses.joined(separator: ","))]}
      """
    try json.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("A dry run and an import refuse the second verse of a day, with the first one's id")
  func verses() async throws {
    let library = try await LibraryFolder.withFaith()
    let first = try document([(1, "2025-11-03"), (2, "2025-11-04"), (3, "2025-11-03")])
    let words =
      "the verse of the day 00000001-0000-4000-8000-000000000000 has the same date 2025-11-03"
    for options in [["--dry-run"], []] {
      let result = try await library.holdfast(["import-data", first] + options)
      #expect(result.status == 3, "\(result.errorOutput)")
      #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
      #expect(!result.errorOutput.contains("UNIQUE"), "\(result.errorOutput)")
    }
    let days = "SELECT substr(id, 8, 1) || ' ' || day FROM verseOfDay ORDER BY id"
    #expect(try await library.column(days) == ["1 2025-11-03", "2 2025-11-04"])
    // The library's own verse counts too, unless the document moves it to another day.
    let taken = try document([(4, "2025-11-04")])
    for options in [["--dry-run"], []] {
      let result = try await library.holdfast(["import-data", taken] + options)
      #expect(result.status == 3 && result.errorOutput.contains("the same date 2025-11-04"))
    }
    let moved = try document([(2, "2025-11-05"), (5, "2025-11-04")])
    let json = try String(contentsOfFile: moved, encoding: .utf8)
      .replacing("2026-01-02", with: "2026-01-09")
    try json.write(toFile: moved, atomically: true, encoding: .utf8)
    for options in [["--dry-run"], []] {
      let result = try await library.holdfast(["import-data", moved] + options)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(
      try await library.column(days) == ["1 2025-11-03", "2 2025-11-05", "5 2025-11-04"])
  }

  @Test("A second host of a session and a second profile are refused in plain words")
  func others() async throws {
    let library = try await LibraryFolder.withFaith()
    let path = "\(Repository.root)/Tests/Documents/faith.json"
    _ = try await library.holdfast("import-data", path)
    let data = try Data(contentsOf: URL(filePath: path))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for (list, words) in [("sessionParticipants", "has the same"), ("profiles", "only one")] {
      let records = try #require(document[list] as? [[String: Any]])
      let others = records.map { $0.merging(["id": UUID().uuidString]) { $1 } }
      let json = try JSONSerialization.data(withJSONObject: [
        "format": "holdfast", "schemaVersion": 2, "versions": [list: 1], list: others,
      ])
      let file = temporary("\(list).json")
      try json.write(to: URL(filePath: file))
      for options in [["--dry-run"], []] {
        let result = try await library.holdfast(["import-data", file] + options)
        #expect(result.status == 3, "\(list): \(result.output)\(result.errorOutput)")
        #expect(result.errorOutput.contains(words), "\(list): \(result.errorOutput)")
      }
    }
  }
}
