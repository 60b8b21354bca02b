import Foundation
import HoldfastTestSupport
import Testing

/// `sudo holdfast backup` noted the backup's folder in a file that only root could read then.
@Suite("Root in another user's library", .temporaryFolder, .enabled(if: geteuid() == 0))
struct RootTests {
  @Test("leaves everything to the library's owner")
  func owner() async throws {
    let (library, other) = (LibraryFolder(), LibraryFolder("other"))
    try await library.importing("aac.m4a", "portrait.mov")
    try await other.importing("voice.wav")
    _ = try await Command.output(of: "chown", ["-R", "65534:65534", library.path])
    let video = try await library.column("SELECT filePath FROM recording WHERE type = 'video'")[0]
    let sound = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    for command in [
      ["backup", temporary("backup")], ["import", Fixtures.path("alac.m4a")],
      ["merge", other.path], ["thumbnails", "--all"], ["delete", sound, "--yes"],
      ["verify", "--repair", "--from", temporary("backup")], ["restore", "--rebuild"],
    ] {
      if command[0] == "verify" {
        try FileManager.default.removeItem(atPath: "\(library.path)/\(video)")
      }
      if command.contains("--rebuild") {
        try Data("no catalog".utf8).write(to: URL(filePath: "\(library.path)/catalog.sqlite"))
      }
      let result = try await library.holdfast(command)
      #expect(result.status == 0, "\(command): \(result.errorOutput)")
      #expect(try await library.find("!", "-user", "65534") == [], "\(command)")
    }
    try await library.expectSound()
  }
}
