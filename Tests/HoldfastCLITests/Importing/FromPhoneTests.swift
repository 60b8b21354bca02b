import Foundation
import HoldfastTestSupport
import Testing

@Suite("An import from a phone imports what is new", .temporaryFolder)
struct FromPhoneTests {
  let library = LibraryFolder()
  /// A connected phone, as the desktop mounts it.
  let camera = temporary("run/gvfs/mtp:host=Google_Pixel%208/Internal shared storage/DCIM/Camera")

  private func importing(_ options: String...) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, library.command(["import", "--from-phone"] + options),
      environment: ["XDG_RUNTIME_DIR": temporary("run")])
  }

  @Test("Files that were imported or refused are not read again")
  func new() async throws {
    try FileManager.default.createDirectory(atPath: camera, withIntermediateDirectories: true)
    func copy(_ names: String...) async throws {
      _ = try await Command.output(of: "cp", names.map(Fixtures.path) + [camera])
    }
    try await copy("aac.m4a", "len-121.m4a", "photo.jpg")
    let first = try await importing()
    #expect(first.status == 3)
    #expect(first.lines.last == "1 imported, 1 refused.")
    #expect(first.errorLines.first == "Checking Google Pixel 8 for new recordings.")
    try await copy("alac.m4a")
    let dry = try await importing("--dry-run")
    #expect(dry.lines.last == "1 would be imported, 2 seen before.")
    // This file has changed since it was refused.
    _ = try await Command.output(of: "truncate", ["--size", "5000", camera + "/len-121.m4a"])
    let second = try await importing("--json")
    let events = try ImportLine.lines(of: second)
    #expect(events.filter { $0.event == "imported" }.count == 1)
    #expect(events.filter { $0.event == "skipped" }.count == 1)
    #expect(events.filter { $0.event == "failed" }.count == 1)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }

  @Test("Without a phone, it says what to do")
  func none() async throws {
    let result = try await importing()
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("no phone with a DCIM folder is mounted; unlock it"))
  }
}
