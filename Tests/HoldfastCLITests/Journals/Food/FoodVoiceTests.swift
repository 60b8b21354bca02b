import Foundation
import HoldfastTestSupport
import Testing

@Suite("Food: spoken entries", .temporaryFolder)
struct FoodVoiceTests {
  private static let soup = [
    "food", "log", "--name", "Soup", "--quantity", "1", "--unit", "cup", "--calories", "1",
    "--protein", "1", "--carbohydrates", "1", "--fat", "1",
  ]

  @Test("--record imports the recording and logs the entry with it")
  func record() async throws {
    let library = try await LibraryFolder.withFood()
    let memo = Fixtures.path("aac.m4a")
    let entry: FoodRecord = try await library.holdfast(
      Self.soup + ["--record", memo, "--json"]
    ).json()
    let rows = try await library.sql("SELECT id, purpose FROM recording")
    #expect(rows == [[try #require(entry.recordingId), "reflection"]])
    #expect(try await library.column("SELECT recordingId FROM foodEntry") == [rows[0][0]])
    let again = try await library.holdfast(Self.soup + ["--record", memo])
    #expect(again.status == 0)
    #expect(
      again.errorOutput.hasPrefix("note: the library already had the recording, as "),
      "\(again.errorOutput)")
    #expect(
      try await library.column("SELECT DISTINCT recordingId FROM foodEntry") == [rows[0][0]])
    try await library.expectSound("after both")
  }

  @Test("If the recording or the entry is refused, neither is in the library")
  func refused() async throws {
    let library = try await LibraryFolder.withFood()
    let long = try await library.holdfast(
      Self.soup + ["--record", Fixtures.path("len-121.m4a")])
    #expect(long.status == 1)
    #expect(
      long.errorOutput.hasSuffix("recordings may last 120 s. Use --trim\n"), "\(long.errorOutput)")
    let noMedia = try await library.holdfast(
      Self.soup + ["--record", Fixtures.path("notes.txt")])
    #expect(noMedia.errorOutput.contains("notes.txt: is a .txt file"), "\(noMedia.errorOutput)")
    let noIngredient = try await library.holdfast(
      Self.soup + ["--ingredient", "bread", "--record", Fixtures.path("aac.m4a")])
    #expect(noIngredient.errorOutput.contains("bread"), "\(noIngredient.errorOutput)")
    for result in [long, noMedia, noIngredient] { #expect(result.status == 1) }
    #expect(try await library.foodRows() == [])
    #expect(try await library.column("SELECT id FROM recording") == [])
    #expect(try await library.find("-name", "*.m4a") == [])
    for bad in [["--trim"], ["--recording", "abcd", "--record", "x"]] {
      #expect(try await library.holdfast(Self.soup + bad).status == 64)
    }
    let trimmed = try await library.holdfast(
      Self.soup + ["--record", Fixtures.path("len-121.m4a"), "--trim"])
    #expect(trimmed.status == 0, "\(trimmed.errorOutput)")
    #expect(try await library.column("SELECT duration FROM recording") == ["120.0"])
  }
}
