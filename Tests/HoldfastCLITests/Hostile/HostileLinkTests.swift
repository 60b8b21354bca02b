import Foundation
import HoldfastTestSupport
import Testing

@Suite("A link or a path that leads out of the library", .temporaryFolder)
struct HostileLinkTests {
  let library = LibraryFolder()

  /// Replaces something in the library, in bash, run in its folder with a video's media file, its
  /// thumbnail and the folder outside as arguments.
  private static let links = [
    "file": "rm $1; ln -s $3/victim.mov $1",
    "thumbnail": "rm $2; ln -s $3/victim.mov $2",
    "Thumbnails": "mv Recordings/Thumbnails $3/; ln -s $3/Thumbnails Recordings/Thumbnails",
    "Recordings": "mv Recordings $3/; ln -s $3/Recordings Recordings",
    "staging": "rmdir .staging; ln -s $3 .staging", "trash": "rmdir .trash; ln -s $3 .trash",
    "quarantine": "ln -s $3 .quarantine",
  ]

  /// The commands that read and change a library, with a recording's id and the library's own.
  private func commands(_ id: String) async throws -> [[String]] {
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    return [
      ["list"], ["show", id], ["verify"], ["export", "--format", "json"], ["play", id],
      ["edit", id, "--title", "x"], ["message", "next"], ["import", Fixtures.path("voice.wav")],
      ["import", Fixtures.path("silent-video.mp4")], ["import", library.path],
      ["delete", id, "--yes"], ["erase", "--everything", "--yes", uuid],
    ]
  }

  @Test(
    "in place of one of its own is never followed",
    arguments: Extent.sample(links.keys.sorted(), every: 5))
  func planted(place: String) async throws {
    let outside = try Outside()
    try await library.importing("portrait.mov", "aac.m4a")
    let row = try await library.sql(
      "SELECT id, filePath, thumbnailPath FROM recording WHERE type = 'video'")[0]
    _ = try await Command.output(
      of: "bash",
      ["-ec", try #require(Self.links[place]), "bash", row[1], row[2], outside.folder],
      workingDirectory: library.path)
    var results: [String: Int32] = [:]
    for arguments in try await commands(row[0]) {
      let player = ["env", "HOLDFAST_PLAYER=true"]
      let result = try await outside.expectUntouched(by: library.command(arguments), player)
      results[arguments[0]] = result.status
      if result.status != 0, result.status != 4 { #expect(result.errorLines.count >= 1) }
    }
    #expect(results["list"] == 0)
    if ["file", "thumbnail", "Thumbnails", "Recordings"].contains(place) {
      #expect(results["verify"] == 4)
    }
    if ["file", "Recordings"].contains(place) { #expect(results["play"] == 1) }
    // One folder's contents are not erased while another place may hold some of them.
    if ["Thumbnails", "Recordings", "staging", "trash", "quarantine"].contains(place) {
      #expect(results["erase"] == 1)
    }
  }

  @Test(
    "in a row of the catalog is refused by every command, reported, and never opened or unlinked",
    arguments: ["filePath", "thumbnailPath"],
    Extent.sample(
      ["absolute", "../", "Recordings/../../", "/etc/passwd", "../../../../../../../etc/passwd"],
      every: 3))
  func row(column: String, kind: String) async throws {
    let outside = try Outside()
    try await library.importing("portrait.mov", "aac.m4a")
    let id = try await library.column("SELECT id FROM recording WHERE type = 'video'")[0]
    let path =
      switch kind {
      case "absolute": outside.file
      case "../", "Recordings/../../": "\(kind)outside/victim.mov"
      default: kind
      }
    try await library.changeCatalog(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE recording SET \(column) = '\(path)' WHERE id = '\(id)'
      """)
    var results: [String: CommandResult] = [:]
    for arguments in try await commands(id) {
      let player = ["env", "HOLDFAST_PLAYER=true"]
      results[arguments[0]] = try await outside.expectUntouched(
        by: library.command(arguments), player)
    }
    for command in ["show", "play", "delete", "edit"] {
      #expect(results[command]?.status == 1, "\(command)")
      #expect(results[command]?.errorOutput.contains("run holdfast verify") == true, "\(command)")
    }
    #expect(results["verify"]?.status == 4)
    #expect(results["verify"]?.output.contains("badPath: \(path)") == true)
    // All of the library goes, and nothing else.
    #expect(results["erase"]?.status == 0)
    try await library.expectSound()
  }

  @Test("swapped for the source while it is read is not followed, nor moved", .notInSample)
  func swapped() async throws {
    let outside = try Outside()
    let folder = try makeFolder("in")
    let clip = "\(folder)/clip.avi"
    try FileManager.default.moveItem(atPath: try await makeSlowClip("slow.avi"), toPath: clip)
    let hash = try await sha256(of: clip)
    let before = try await Find.snapshot(outside.folder)
    let result = try await library.holdfast(
      sending: SIGSTOP, toGroup: true, whileImporting: ["--json", "--move", clip]
    ) { _ in
      // The open file stays as it is: only its path leads elsewhere.
      try FileManager.default.moveItem(atPath: folder, toPath: temporary("away"))
      try makeFolder("in")
      try FileManager.default.createSymbolicLink(
        atPath: clip, withDestinationPath: outside.file)
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    let line = try #require(try ImportLine.lines(of: result).first)
    #expect(line.recordings?.first?.sourceSHA256 == hash)
    #expect(line.moved == .source(false))
    #expect(try await Find.snapshot(outside.folder) == before)
    #expect(try await Find.names(temporary("away"), []) == ["clip.avi"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: clip) == outside.file)
    try await library.expectSound()
  }
}
