import Foundation
import HoldfastTestSupport
import Testing

@Suite("Repair beside other commands", .temporaryFolder)
struct RepairRaceTests {
  let library = LibraryFolder()
  private var recordings: String { "\(library.path)/Recordings" }

  /// Deletes a recording, and dies after its files are moved, before its row is changed.
  private func dieDeleting(_ id: String) async throws {
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: recordings,
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
  }

  private func id(of source: String) async throws -> String {
    let ids = try await library.column(
      "SELECT id FROM recording WHERE originalFilename = '\(source)'")
    return try #require(ids.first)
  }

  private func bash(_ script: String) async throws {
    _ = try await Command.output(
      of: "bash", ["-ec", "umask 077; \(script)"], workingDirectory: library.path)
  }

  /// The paths of a recording's files, and of those left by a deletion.
  private func files(of id: String) async throws -> [String] {
    try await library.find("-type", "f", "-name", "*\(id)*", "-not", "-path", "*/.quarantine/*")
  }

  @Test("Files in the trash of an interrupted deletion are reported, and left to recovery")
  func told() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let id = try await id(of: "portrait.mov")
    try await dieDeleting(id)
    let findings = try await library.findings().filter { $0.recording == id }
    #expect(findings.map(\.kind) == ["fileMissing", "thumbnailMissing"])
    #expect(findings.allSatisfy { $0.detail.contains("an interrupted deletion has left it") })
    #expect(try await library.holdfast("message", "next").status == 0)
    try await library.expectSound()
  }

  /// Where a repair finds the bytes of a recording.
  enum Place: String, CaseIterable, CustomTestStringConvertible {
    case backup = "a backup"
    case quarantine
    case source = "the source"

    var testDescription: String { rawValue }
  }

  @Test(
    "If a deletion dies during a repair, its file is put back first, and then replaced",
    arguments: Extent.sample(Place.allCases, every: 2))
  func deleted(place: Place) async throws {
    try await library.importing("voice.wav", "portrait.mov")
    let id = try await id(of: "voice.wav")
    let name = "Recordings/audio_\(id).m4a"
    let backup = try makeFolder("backup")
    var found = "\(backup)/good"
    switch place {
    case .backup: try await bash("cp \(name) \(found)")
    case .source: try copyFixture("voice.wav", to: "backup/good")
    case .quarantine:
      try await bash("cp \(name) Recordings/good")
      #expect(try await library.holdfast("verify", "--repair").status == 0)
      let quarantined = try #require(try await library.find("-name", "good").first)
      found = "\(library.path)/\(quarantined)"
    }
    try await bash("printf x | dd of=\(name) bs=1 seek=3000 conv=notrunc status=none")
    let damaged = try await sha256(of: ["\(library.path)/\(name)"]).values.first
    let repair = ["verify", "--deep", "--repair", "--json", "--from", backup]
    let result = try await library.holdfast(repair, stoppedAt: "pread64", of: found) {
      try await dieDeleting(id)
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    let findings = try result.jsonLines(of: Finding.self)
    #expect(findings.map(\.kind) == ["contentChanged"])
    #expect(findings.first?.repaired == true)
    let aside = try #require(
      try await library.find("-path", "*/.quarantine/*", "-name", "*\(id)*").first)
    let kept = "\(library.path)/\(aside)"
    #expect(try await sha256(of: [kept])[kept] == damaged)
    try await library.expectSound()
  }

  @Test("A thumbnail is not replaced if a deletion that dies meanwhile has it in the trash")
  func thumbnail() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let id = try await id(of: "portrait.mov")
    let result = try await library.holdfast(
      ["thumbnails", "--all", "--size", "100"], stoppedAt: "openat", of: "video_\(id)_thumb.jpg"
    ) {
      try await dieDeleting(id)
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await files(of: id).allSatisfy { $0.hasPrefix(".trash/") })
    #expect(try await library.holdfast("message", "next").status == 0)
    #expect(try await library.column("SELECT longSide FROM thumbnail") == ["480"])
    try await library.expectSound()
  }

  @Test(
    "Leftovers of a command that dies meanwhile are recovered, not reported as damage",
    arguments: ["import", "thumbnails"])
  func died(command: String) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let backup = try makeFolder("backup")
    let isImport = command == "import"
    let dying =
      isImport ? ["import", Fixtures.path("hevc8.mp4")] : ["thumbnails", "--all", "--size", "100"]
    // It reads the backup before the library.
    let result = try await library.holdfast(
      ["verify", "--deep", "--repair", "--json", "--from", backup], stoppedAt: "newfstatat",
      of: backup
    ) {
      // It has published files that its rows do not name yet.
      let killed = try await Strace.run(
        ["trace=fsync", "inject=fsync:signal=KILL:when=1"],
        path: isImport ? recordings : "\(recordings)/Thumbnails", library.command(dying))
      try #require(killed.result.wasKilled)
      let files = try await library.find("-path", "*/Recordings/*", "-type", "f")
      #expect(files.count == (isImport ? 5 : 3))
    }
    #expect(result.status == 0, "\(result.errorOutput)\(result.output)")
    let findings = try result.jsonLines(of: Finding.self)
    #expect(findings.map(\.kind).contains(isImport ? "unknownFile" : "staleStaging"))
    #expect(!FileManager.default.fileExists(atPath: library.path + "/.quarantine"))
    #expect(
      try await library.column("SELECT longSide FROM thumbnail") == [isImport ? "480" : "100"])
    try await library.expectSound()
  }

  @Test(
    "A thumbnail that another command remakes during a repair stays, even if that is killed",
    arguments: [false, true])
  func remade(dies: Bool) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let id = try await id(of: "portrait.mov")
    let picture = "Recordings/Thumbnails/video_\(id)_thumb.jpg"
    // The repair looks for the recording before it repairs the damaged thumbnail.
    let backup = try makeFolder("backup")
    try await bash("mv Recordings/*.m4a \(backup)/good")
    try await bash("printf x | dd of=\(picture) bs=1 seek=3000 conv=notrunc status=none")
    let result = try await library.holdfast(
      ["verify", "--deep", "--repair", "--json", "--from", backup], stoppedAt: "pread64",
      of: "\(backup)/good"
    ) {
      let inject = dies ? ["inject=fsync:signal=KILL:when=1"] : []
      let made = try await Strace.run(
        ["trace=fsync"] + inject, path: "\(recordings)/Thumbnails",
        library.command(["thumbnails", id, "--size", "100"]))
      #expect(dies ? made.result.wasKilled : made.result.status == 0)
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    let findings = try result.jsonLines(of: Finding.self)
    #expect(findings.map(\.kind) == ["fileMissing", "thumbnailChanged"])
    #expect(findings.last?.repair == "another command has remade it meanwhile")
    #expect(!FileManager.default.fileExists(atPath: library.path + "/.quarantine"))
    #expect(try await library.column("SELECT longSide FROM thumbnail") == ["100"])
    try await library.expectSound()
  }
}
