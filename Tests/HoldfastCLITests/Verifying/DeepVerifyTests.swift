import Foundation
import HoldfastTestSupport
import Testing

@Suite("Verification of every byte", .temporaryFolder)
struct DeepVerifyTests {
  let library = LibraryFolder()

  /// The recordings that were verified, by the first letters of their types.
  private func verified() async throws -> [String] {
    try await library.column("SELECT id FROM recording WHERE verifiedAt IS NOT NULL ORDER BY id")
  }

  @Test("A single bit is found, and everything else is noted as verified")
  func flippedBit() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "hevc10.mov")
    let rows = try await library.sql(
      "SELECT id, filePath, thumbnailPath FROM recording ORDER BY id")
    for (place, kind) in [(1, "contentChanged"), (2, "thumbnailChanged")] {
      let row = try #require(rows.first { !$0[2].isEmpty })
      let file = URL(filePath: "\(library.path)/\(row[place])")
      let right = try Data(contentsOf: file)
      var wrong = right
      wrong[wrong.count / 2] ^= 0x10
      try wrong.write(to: file)
      #expect(try await library.findings().isEmpty)
      try await library.changeCatalog("UPDATE recording SET verifiedAt = NULL")
      let result = try await library.holdfast("verify", "--deep", "--json")
      #expect(result.status == 4)
      let finding = try #require(try result.jsonLines(of: Finding.self).first)
      #expect((finding.kind, finding.path, finding.recording) == (kind, row[place], row[0]))
      #expect(finding.repair != nil && finding.repaired == nil)
      #expect(try await verified() == rows.map { $0[0] }.filter { $0 != row[0] })
      try right.write(to: file)
      #expect(try await library.holdfast("verify", "--deep").status == 0)
      #expect(try await verified() == rows.map { $0[0] })
    }
  }

  @Test("A row with another length than its file's is found, and repaired")
  func wrongLength() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let lengths = "SELECT duration FROM recording ORDER BY id"
    let right = try await library.column(lengths)
    try await library.changeCatalog("UPDATE recording SET duration = duration / 2")
    #expect(try await library.holdfast("verify").status == 0)
    let result = try await library.holdfast("verify", "--deep", "--json")
    #expect(result.status == 4)
    #expect(try result.jsonLines(of: Finding.self).map(\.kind) == ["wrongLength", "wrongLength"])
    #expect(try await library.holdfast("verify", "--repair").status == 0)
    #expect(try await library.column(lengths) == right)
    #expect(try await library.holdfast("verify", "--deep").status == 0)
  }

  @Test("The length of a damaged file does not replace its row's")
  func damagedLength() async throws {
    try await library.importing("portrait.mov")
    let path = try #require(try await library.column("SELECT filePath FROM recording").first)
    let length = try await library.column("SELECT duration FROM recording")
    try EditedLength.end("\(library.path)/\(path)", at: 1)
    let result = try await library.holdfast("verify", "--decode", "--repair", "--json")
    #expect(result.status == 4)
    #expect(try result.jsonLines(of: Finding.self).map(\.kind) == ["contentChanged"])
    #expect(try await library.column("SELECT duration FROM recording") == length)
  }

  @Test("Recently read recordings are skipped, and those read longest ago come first")
  func scrubbing() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "hevc10.mov")
    #expect(
      try await library.holdfast("verify", "--deep", "--older-than", "30d").errorOutput
        .contains("3 recordings checked, 3 read whole"))
    #expect(
      try await library.holdfast("verify", "--deep", "--older-than", "30d").errorOutput
        .contains("3 recordings checked, 0 read whole"))
    let stats = try await library.holdfast("stats")
    #expect(stats.lines.contains("Every byte was verified within the last 1 day."))
    try await library.changeCatalog(
      """
      UPDATE recording SET verifiedAt = '2020-01-01 00:00:00.000'
      WHERE id = (SELECT max(id) FROM recording)
      """)
    #expect(
      try await library.holdfast("verify", "--deep", "--older-than", "30d").errorOutput
        .contains("3 recordings checked, 1 read whole"))
    let none = try await library.holdfast("verify", "--deep", "--max-duration", "0s")
    #expect(none.errorOutput.contains("0 read whole (0 MB), 3 left for next time"))
    #expect(none.status == 0)
    for wrong in [["--older-than", "30d"], ["--deep", "--older-than", "30"], ["--from", "x"]] {
      #expect(try await library.holdfast(["verify"] + wrong).status == 64)
    }
  }

  @Test("Media that do not decode are found")
  func undecodable() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    #expect(try await library.holdfast("verify", "--decode").status == 0)
    let path = try #require(
      try await library.column("SELECT filePath FROM recording WHERE type = 'video'").first)
    let file = URL(filePath: "\(library.path)/\(path)")
    var bytes = try Data(contentsOf: file)
    // In the middle of the pictures, behind the header.
    for index in stride(from: bytes.count / 2, to: bytes.count - 1000, by: 7) {
      bytes[index] ^= 0x55
    }
    try bytes.write(to: file)
    let result = try await library.holdfast("verify", "--decode", "--json")
    #expect(result.status == 4)
    #expect(
      Set(try result.jsonLines(of: Finding.self).map { [$0.kind, $0.path] }) == [
        ["undecodable", path]
      ])
  }
}
