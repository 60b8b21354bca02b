import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast play --at and --find", .temporaryFolder)
struct PlayFromTests {
  let library = LibraryFolder()

  private func play(_ player: String, _ arguments: String...) async throws -> CommandResult {
    let path = temporary(player)
    try Data("#!/bin/sh\necho \"$*\"\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return try await Command.run(
      Command.holdfast, library.command(["play"] + arguments),
      environment: ["HOLDFAST_PLAYER": path])
  }

  @Test(
    "mpv and ffplay begin there, and another player at the start",
    arguments: [("mpv", "--start=1.5 "), ("ffplay", "-ss 1.5 "), ("other", "")])
  func at(_ player: String, _ option: String) async throws {
    try await library.importing("hevc10.mov")
    let row = try await library.sql("SELECT id, filePath FROM recording")[0]
    let result = try await play(player, row[0], "--at", "0:01.5")
    #expect(result.status == 0)
    #expect(result.errorLines.contains("\(option)\(library.path)/\(row[1])"))
    #expect(result.errorOutput.contains("plays from the start") == (player == "other"))
  }

  @Test("Words are found in the recording in which they stand together, and two seconds before")
  func find() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let ids = try await library.column("SELECT id FROM recording ORDER BY timestamp DESC, id")
    try await library.say(["I stopped the car.", "Nobody knows why."], in: ids[0])
    try await library.say(["One.", "That is why I stopped."], in: ids[1])
    let result = try await play("mpv", "--find", "why I stopped")
    #expect(result.status == 0)
    #expect(result.errorLines.first?.hasPrefix(ids[1].prefix(8)) == true)
    #expect(result.errorLines.dropFirst().first == "          0:10  That is why I stopped.")
    #expect(result.errorOutput.contains("--start=8 "))
    let other = try await play("mpv", ids[0], "--find", "stopped")
    #expect(other.errorOutput.contains("--start=0 "))
    // All of the words must be there, not some.
    let some = try await play("mpv", ids[0], "--find", "stopped the lighthouse")
    #expect(some.status == 1)
    #expect(some.errorOutput.contains("was not said in \(ids[0].prefix(8))"))
  }

  @Test("Words that were not said, and times after the end, are refused")
  func refusals() async throws {
    try await library.importing("hevc10.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    let none = try await play("mpv", "--find", "lighthouse")
    #expect(none.status == 1)
    #expect(none.errorOutput.contains("\"lighthouse\" was not said in any recording"))
    #expect(none.errorOutput.contains("1 recording has no transcript: holdfast transcribe"))
    #expect(try await play("mpv", id, "--at", "9:00").errorOutput.contains("ends at"))
    for text in ["-1", "1:60", "x", "", "1:2:3:4", "1.5:0", "nan", "1e3"] {
      #expect(try await play("mpv", id, "--at=\(text)").status == 64, "\(text)")
    }
    #expect(try await play("mpv").status == 64)
  }
}
