import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("A missing disk", .temporaryFolder)
struct OfflineTests {
  let library = LibraryFolder()
  private let sentence = "if their disk is not mounted, mount it"
  private var recordings: String { "\(library.path)/Recordings" }

  /// The library after its disk is removed.
  enum Absence: String, CaseIterable, CustomTestStringConvertible {
    case folder = "no folder"
    case files = "an empty folder"
    case thumbnails = "an empty folder for thumbnails"
    case strangers = "other files"

    var testDescription: String { rawValue }
  }

  private func takeAway(_ absence: Absence = .folder) throws {
    try FileManager.default.moveItem(atPath: recordings, toPath: temporary("elsewhere"))
    switch absence {
    case .folder: break
    case .files: _ = try makeFolder("library/Recordings")
    case .thumbnails: _ = try makeFolder("library/Recordings/Thumbnails")
    case .strangers:
      _ = try makeFolder("library/Recordings/lost+found")
      try copyFixture("notes.txt", to: "library/Recordings/notes.txt")
    }
  }

  private func bringBack() throws {
    if FileManager.default.fileExists(atPath: recordings) {
      try FileManager.default.removeItem(atPath: recordings)
    }
    try FileManager.default.moveItem(atPath: temporary("elsewhere"), toPath: recordings)
  }

  @Test(
    "Nothing is imported, deleted or erased while none of the files is there",
    arguments: Extent.sample(Absence.allCases, every: 3))
  func refused(absence: Absence) async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    try takeAway(absence)
    let before = try await Find.snapshot(library.path)
    for command in [
      ["import", Fixtures.path("voice.wav")], ["import", "--dry-run", Fixtures.path("voice.wav")],
      ["erase", "--everything", "--yes", uuid],
    ] { try await library.expectRefusal(command, status: [1], saying: sentence) }
    try await library.expectRefusal(["delete", id, "--yes"], status: [3], saying: sentence)
    #expect(try await Find.snapshot(library.path) == before)
    // Commands that need no file still work.
    #expect(try await library.holdfast("craving", "log", "--intensity", "3").errorOutput == "")
    #expect(try await library.holdfast("edit", id, "--title", "there").status == 0)
    try bringBack()
    try await library.expectSound()
    try await library.importing("voice.wav")
    #expect(try await library.holdfast("delete", id, "--yes").status == 0)
    try await library.expectSound()
  }

  @Test("Leftovers of an interrupted command are repaired only when the disk is back")
  func leftovers() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let id = try await library.column("SELECT id FROM recording WHERE type = 'video'")[0]
    for command in [["import", Fixtures.path("hevc8.mp4")], ["delete", id, "--yes"]] {
      // The files have been moved, but their rows have not changed yet.
      let killed = try await Strace.run(
        ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: recordings,
        library.command(command))
      try #require(killed.result.wasKilled)
      try takeAway()
      let left = try await library.find("-path", "*/.staging/*", "-o", "-path", "*/.trash/*")
      #expect(!left.isEmpty)
      let logged = try await library.holdfast("craving", "log", "--intensity", "3")
      #expect(logged.status == 0)
      #expect(logged.errorOutput.contains("is not repaired yet: none of the recordings' files"))
      #expect(
        try await library.find("-path", "*/.staging/*", "-o", "-path", "*/.trash/*") == left)
      #expect(!FileManager.default.fileExists(atPath: recordings))
      try bringBack()
      let next = try await library.holdfast("craving", "log", "--intensity", "3")
      #expect(next.errorLines == ["Repaired what an interrupted command had left."])
      #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
      try await library.expectSound()
    }
  }

  @Test("An interrupted deletion of the only recording does not count as a missing disk")
  func onlyRecording() async throws {
    try await library.importing("hevc10.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: recordings,
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    #expect(try await library.find("-path", "*/Recordings/*", "-type", "f").isEmpty)
    #expect(try await library.holdfast("message", "next").status == 0)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
  }

  @Test("With --lost, a library forgets files that are gone for good, and works again")
  func lost() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let ids = try await library.column("SELECT id FROM recording")
    try takeAway()
    let deleted = try await library.holdfast(["delete", "--lost", "--yes"] + ids)
    #expect(deleted.status == 0, "\(deleted.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    try await library.importing("hevc10.mov")
    try await library.expectSound()
  }

  @Test("If a disk disappears during an import, no folder is made in its place")
  func goes() async throws {
    try await library.importing("aac.m4a")
    let clip = try await makeSlowClip("slow.avi")
    let result = try await library.holdfast(
      sending: SIGSTOP, toGroup: true, whileImporting: [clip]
    ) { _ in
      try takeAway()
    }
    #expect(result.status == 3)
    #expect(
      result.errorOutput.contains(sentence) && result.errorOutput.contains("not imported"),
      "\(result.errorOutput)")
    #expect(!FileManager.default.fileExists(atPath: recordings))
    try bringBack()
    try await library.expectSound()
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
  }

  @Test("With another library's marker nothing is recovered and nothing is changed")
  func foreignMarker() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let id = try await library.column("SELECT id FROM recording WHERE type = 'video'")[0]
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: recordings,
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    let marker = "\(library.path)/holdfast.json"
    try FileManager.default.moveItem(atPath: marker, toPath: temporary("marker"))
    let other = LibraryFolder("other")
    #expect(try await other.holdfast("message", "next").status == 0)
    try FileManager.default.copyItem(atPath: "\(other.path)/holdfast.json", toPath: marker)
    let uuid = try await other.column("SELECT uuid FROM library")[0]
    let before = try await Find.snapshot(library.path)
    for command in [
      ["import", Fixtures.path("voice.wav")], ["delete", id, "--yes"],
      ["erase", "--everything", "--yes", uuid], ["craving", "log", "--intensity", "3"],
    ] {
      try await library.expectRefusal(
        command, status: [1], saying: "belongs to another library than holdfast.json")
    }
    #expect(try await Find.snapshot(library.path) == before)
    try FileManager.default.removeItem(atPath: marker)
    try FileManager.default.moveItem(atPath: temporary("marker"), toPath: marker)
    #expect(try await library.holdfast("message", "next").status == 0)
    try await library.expectSound()
  }
}
