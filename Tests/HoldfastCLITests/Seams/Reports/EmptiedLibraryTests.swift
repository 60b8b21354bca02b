import Foundation
import HoldfastTestSupport
import Testing

@Suite("A library that merge --take emptied", .temporaryFolder)
struct EmptiedLibraryTests {
  private let library = LibraryFolder()
  private let other = LibraryFolder("other")

  @Test("goes on importing, and does not seem to miss its disk", arguments: [false, true])
  func imports(isBroughtBefore: Bool) async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    if isBroughtBefore { #expect(try await library.holdfast("merge", other.path).status == 0) }
    #expect(try await library.holdfast("merge", "--take", other.path).status == 0)
    #expect(try await other.find("-path", "*/Recordings/*", "-type", "f") == [])
    let imported = try await other.holdfast("import", Fixtures.path("voice.wav"))
    #expect(imported.status == 0, "\(imported.errorOutput)")
    // The removed files can be merged back.
    let merged = try await library.holdfast("merge", other.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(merged.output.contains("recordings: 1 added"), "\(merged.output)")
    try await library.expectSound()
  }

  @Test("refuses an import when the disk of other recordings is missing")
  func offline() async throws {
    try await other.importing("aac.m4a")
    #expect(try await library.holdfast("merge", "--take", other.path).status == 0)
    try await other.importing("portrait.mov")
    let recordings = "\(other.path)/Recordings"
    try FileManager.default.moveItem(atPath: recordings, toPath: temporary("away"))
    try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: false)
    let result = try await other.holdfast("import", Fixtures.path("voice.wav"))
    #expect(result.status == 1 && result.errorOutput.contains("nothing was imported"))
  }

  @Test("A library whose disk is missing does not count as emptied")
  func nothingTaken() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    let recordings = "\(other.path)/Recordings"
    try FileManager.default.moveItem(atPath: recordings, toPath: temporary("away"))
    try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: false)
    _ = try await library.holdfast("merge", "--take", other.path)
    let result = try await other.holdfast("import", Fixtures.path("voice.wav"))
    #expect(result.status == 1 && result.errorOutput.contains("nothing was imported"))
    try FileManager.default.removeItem(atPath: recordings)
    try FileManager.default.moveItem(atPath: temporary("away"), toPath: recordings)
    try await other.expectSound()
  }

  @Test("goes on importing although one of its files was missing before")
  func missingBefore() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    let file = try await other.find("-name", "*.m4a")[0]
    try FileManager.default.removeItem(atPath: "\(other.path)/\(file)")
    #expect(try await library.holdfast("merge", "--take", other.path).status == 3)
    let imported = try await other.holdfast("import", Fixtures.path("voice.wav"))
    #expect(imported.status == 0, "\(imported.errorOutput)")
  }
}
