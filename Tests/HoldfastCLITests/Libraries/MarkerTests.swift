import Foundation
import HoldfastTestSupport
import Testing

/// An export called `holdfast.json` in the home folder made a library of it: every import from
/// below was refused.
@Suite("A file with the name of a library's marker", .temporaryFolder)
struct MarkerTests {
  let library = LibraryFolder()

  /// A home folder with such a file, and a clip below it.
  private func makeHome(_ marker: String) async throws -> String {
    let home = try makeFolder("home")
    try makeFolder("home/phone", holding: ["aac.m4a"])
    if marker == "export" {
      let result = try await library.holdfast(
        "export", "--format", "json", "--output", "\(home)/holdfast.json")
      try #require(result.status == 0)
    } else {
      try Data(marker.utf8).write(to: URL(filePath: "\(home)/holdfast.json"))
    }
    return home
  }

  @Test(
    "Another program's holdfast.json prevents neither an import below it nor an export",
    arguments: Extent.sample(
      [
        "export", "", "{\"formatVersion\": 3}", "{\"formatVersion\": 1, \"uuid\": \"me\"}",
      ], every: 6),
    ["home", "home/phone", "home/phone/aac.m4a"])
  func imported(marker: String, source: String) async throws {
    let home = try await makeHome(marker)
    let result = try await library.holdfast("import", temporary(source))
    #expect(result.lines.last?.hasPrefix("1 imported") == true, "\(result.errorOutput)")
    let output = "\(home)/out.json"
    #expect(
      try await library.holdfast("export", "--format", "json", "--output", output).status == 0)
  }

  @Test("Another program's holdfast.json does not make its folder a library")
  func noLibrary() async throws {
    let home = LibraryFolder(at: "home")
    _ = try await makeHome("export")
    let result = try await home.holdfast("list")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("there is no library in \(home.path);"))
  }

  @Test(
    "A damaged marker is reported, and the library's files are still refused as sources",
    arguments: Extent.sample(["", "{", "{\"formatVersion\": 1}", "gone"], every: 3))
  func damaged(text: String) async throws {
    try await library.importing("aac.m4a")
    let marker = "\(library.path)/holdfast.json"
    if text == "gone" {
      try FileManager.default.removeItem(atPath: "\(library.path)/catalog.sqlite")
      try Data().write(to: URL(filePath: marker))
    } else {
      try Data(text.utf8).write(to: URL(filePath: marker))
    }
    for command in [["list"], ["craving", "log", "--intensity", "5"], ["init"]] {
      let result = try await library.holdfast(command)
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("\(marker): damaged, so this"), "\(command)")
    }
    let before = try await Find.snapshot(library.path)
    let other = LibraryFolder("other")
    for source in ["", "/Recordings"] {
      let result = try await other.holdfast("import", "--move", library.path + source)
      #expect(result.status == 3)
      #expect(result.errorOutput.contains("is inside a Holdfast library"))
    }
    #expect(try await Find.snapshot(library.path) == before)
  }
}
