import Foundation
import HoldfastTestSupport
import Testing

enum FolderThroughFUSE {
  static func canMount() async throws -> Bool {
    try await withTemporaryFolder { folder in
      let script = "mkdir \"$0/a\" \"$0/b\" && bindfs \"$0/a\" \"$0/b\""
      return try await Command.run("unshare", ["-Urm", "bash", "-c", script, folder]).status == 0
    }
  }
}

/// bindfs shows a folder a second time through FUSE, a filesystem that others may use unnoticed.
@Suite(
  "A library on a network filesystem", .temporaryFolder,
  .enabled("bindfs must be able to mount") { try await FolderThroughFUSE.canMount() })
struct NetworkDiskTests {
  private let library = LibraryFolder(at: "disk/library")
  private let refusal =
    "on a network filesystem (fuse), where recordings can be lost when two computers "

  /// Runs bash while the folder `disk` is seen through FUSE.
  ///
  /// - Parameter script: `$0` is the command, `$1` the library, `$2` a source.
  private func run(_ script: String) async throws -> CommandResult {
    try makeFolder("disk")
    let mount = "cd \"${1%/*}\"/.. && bindfs disk disk || exit 99\n"
    return try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c", mount + script, try Command.holdfast, library.path,
        Fixtures.path("portrait.mov"),
      ])
  }

  @Test("is not made, unless its owner promises that one computer writes at a time")
  func making() async throws {
    let refused = try await run("exec \"$0\" init \"$1\"")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.errorOutput
        == "Error: \(library.path): \(refusal)write at once; "
        + "if you make sure that only one does, add "
        + "--shared-disk\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary("disk")).isEmpty)

    let made = try await run(
      "\"$0\" init --shared-disk \"$1\" && exec \"$0\" import --library \"$1\" \"$2\"")
    #expect(made.status == 0, "\(made.errorOutput)")
    // Nothing is left in `.staging`, where FUSE keeps removed files as long as they are open.
    try await library.expectSound()
  }

  @Test("is read, and written only after the promise")
  func existing() async throws {
    try makeFolder("disk")
    #expect(try await library.holdfast("init").status == 0)
    try await library.importing("aac.m4a")
    let before = try await Find.snapshot(library.path)
    let read = try await run(
      "\"$0\" list --library \"$1\" && \"$0\" verify --deep --library \"$1\"")
    #expect(read.status == 0 && read.errorOutput.contains(refusal), "\(read.errorOutput)")
    let refused = try await run("exec \"$0\" import --library \"$1\" --move \"$2\"")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.errorOutput
        == "Error: \(library.path): \(refusal)write at once; if you make sure that only one does, "
        + "holdfast doctor --shared-disk --library \(library.path) allows it\n")
    #expect(try await Find.snapshot(library.path) == before)

    let written = try await run(
      """
      "$0" doctor --shared-disk --library "$1" && "$0" doctor --shared-disk --library "$1" &&
      exec "$0" import --library "$1" "$2"
      """)
    #expect(written.status == 0, "\(written.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }
}

/// On a filesystem that cannot rename without replacing, a check beforehand was considered enough.
@Suite("On a filesystem that cannot do everything", .temporaryFolder)
struct PoorFilesystemTests {
  let library = LibraryFolder()
  private static let noFlag = "inject=renameat2:error=EINVAL"

  @Test("Files are linked and unlinked where no rename can refuse to replace another file")
  func linked() async throws {
    try await library.importing("aac.m4a")
    let clip = try copyFixture("portrait.mov", to: "clip.mov")
    let imported = try await Strace.run(
      ["trace=renameat,renameat2,linkat", Self.noFlag], library.command(["import", "--move", clip]))
    #expect(imported.result.status == 0, "\(imported.result.errorOutput)")
    #expect(imported.calls.count { $0.hasPrefix("linkat(") && $0.hasSuffix(" = 0") } == 2)
    #expect(!imported.calls.contains { $0.hasPrefix("renameat(") })
    #expect(!FileManager.default.fileExists(atPath: clip))
    try await library.expectSound()

    let ids = try await library.column("SELECT id FROM recording")
    let deleted = try await Strace.run(
      ["trace=renameat2", Self.noFlag], library.command(["delete", "--yes"] + ids))
    #expect(deleted.result.status == 0, "\(deleted.result.errorOutput)")
    try await library.expectSound()
  }

  @Test(
    "Nothing is imported where neither a link nor such a rename works, and the source stays",
    arguments: ["ENOSYS", "EPERM"])
  func refused(error: String) async throws {
    let clip = try copyFixture("portrait.mov", to: "clip.mov")
    try await library.importing("aac.m4a")
    let trace = try await Strace.run(
      ["trace=renameat2,linkat", Self.noFlag, "inject=linkat:error=\(error)"],
      library.command(["import", "--move", clip]))
    #expect(trace.result.status == 3)
    #expect(
      trace.result.errorOutput.contains(
        "can neither link a file nor rename one without replacing another"))
    #expect(
      try await sha256(of: clip) == sha256(of: Fixtures.path("portrait.mov")))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
  }

  @Test(
    "A repair moves the files that it replaces where it cannot link them",
    arguments: ["ENOSYS", "EPERM"])
  func repair(error: String) async throws {
    try await library.importing("portrait.mov")
    let thumbnail = try #require(try await library.find("-name", "*.jpg").first)
    try Data("damaged".utf8).write(to: URL(filePath: "\(library.path)/\(thumbnail)"))
    let trace = try await Strace.run(
      ["trace=linkat", "inject=linkat:error=\(error)"],
      library.command(["verify", "--deep", "--repair"]))
    #expect(trace.calls.contains { $0.contains("(INJECTED)") })
    #expect(trace.result.status == 0, "\(trace.result.output)")
    try await library.expectSound()
  }
}
