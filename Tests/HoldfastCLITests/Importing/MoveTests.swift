import Foundation
import HoldfastTestSupport
import Testing

@Suite("Moving sources", .temporaryFolder)
struct MoveTests {
  let library = LibraryFolder()

  @Test("A source that is whole in the library is removed; any other stays, with the reason")
  func folder() async throws {
    let stays = [
      "data-track.mov": "its subtitles are not in the library",
      "two-tracks.mkv": "its first audio track is not in the library",
      "truncated-faststart.mp4":
        "1 packet of it is damaged; its end is missing: it holds fewer packets than its index "
        + "names; only 0.4 s of its 0.7 s are in the library",
      "lying-header.mp4": "its header says 1000 s, but only 2 s are there",
      "prores.mov": "its picture has 10 bits a sample, and 8 in the library",
    ]
    let moves = [
      "portrait.mov", "voice.wav", "cover.mp3", "vfr.mp4", "hevc10.mov",
      "fragmented.mp4", "len-120.05.m4a", "amr.3gp",
    ]
    let refused = ["len-121.m4a", "text.mp4"]
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: Array(stays.keys) + moves + refused + ["aac.m4a"])
    let result = try await library.holdfast("import", "--move", "--json", folder)
    #expect(result.status == 3)
    let lines = try ImportLine.lines(of: result)
    for line in lines where line.event == "imported" {
      let name = URL(filePath: line.source ?? "").lastPathComponent
      let reason = stays[name]
      #expect(line.moved == .source(reason == nil), "\(name): \(line.stays ?? "")")
      #expect(line.stays == reason, "\(name)")
      #expect(line.code == (reason == nil ? nil : "notWhole"))
    }
    #expect(lines.last?.imported == moves.count + stays.count)
    #expect(lines.last?.moved == .count(moves.count))
    #expect(lines.last?.skipped == 1 && lines.last?.failed == 2)
    let left = try await Find.names(folder, [])
    #expect(left == (Array(stays.keys) + refused + ["aac.m4a"]).sorted())
    for name in left {
      let before = try await sha256(of: Fixtures.path(name))
      #expect(try await sha256(of: "\(folder)/\(name)") == before)
    }
    try await library.expectSound()
  }

  @Test(
    "The output says what was moved and what stays, even with --quiet", arguments: [false, true])
  func words(isQuiet: Bool) async throws {
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: ["voice.wav", "two-tracks.mkv"])
    let options = isQuiet ? ["--quiet"] : []
    let result = try await library.holdfast(
      ["import", "--move", "--jobs", "1"] + options + [folder])
    #expect(result.status == 0)
    #expect(
      result.errorLines.last
        == "  kept: two-tracks.mkv: its first audio track is not in the library")
    #expect(result.errorLines.count == (isQuiet ? 1 : 2))
    #expect(result.lines[0].hasPrefix("imported  \(folder)/two-tracks.mkv → "))
    #expect(result.lines[1].hasPrefix("moved     \(folder)/voice.wav → "))
    #expect(result.lines.last == "1 imported, 1 moved into the library.")
  }

  @Test("A dry run removes nothing, and neither does an import without --move")
  func untouched() async throws {
    let folder = try makeFolder("in", holding: ["voice.wav", "portrait.mov"])
    let before = try await Find.snapshot(folder)
    #expect(try await library.holdfast("import", "--move", "--dry-run", folder).status == 0)
    let lines = try await library.importEvents(folder)
    #expect(lines.allSatisfy { $0.moved == nil && $0.stays == nil })
    #expect(try await Find.snapshot(folder) == before)
  }

  @Test("A named link stays, and so does its file; a file below a linked folder is moved")
  func links() async throws {
    let folder = try makeFolder("in", holding: ["voice.wav", "portrait.mov"])
    symlink("\(folder)/voice.wav", temporary("link.wav"))
    symlink(folder, temporary("linked"))
    let lines = try await library.importEvents(
      "--move", "--jobs", "1", temporary("link.wav"), temporary("linked/portrait.mov"))
    #expect(lines[0].moved == .source(false) && lines[0].code == "link")
    #expect(lines[1].moved == .source(true))
    #expect(try await Find.names(TemporaryFolder.current, ["-name", "link*"]).count == 2)
    #expect(try await Find.names(folder, []) == ["voice.wav"])
  }

  @Test("A folder that may not be changed keeps its files; the recordings are in the library")
  func readOnlyFolder() async throws {
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: ["voice.wav"])
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    // Root may remove everything, unless it gives up its capabilities.
    let arguments = [try Command.holdfast] + library.command(["import", "--move", folder])
    let result =
      geteuid() == 0
      ? try await Command.run("setpriv", ["--bounding-set=-all", "--inh-caps=-all"] + arguments)
      : try await Command.run("env", arguments)
    #expect(result.status == 0)
    #expect(result.lines.last == "1 imported.")
    #expect(
      result.errorLines == [
        "  kept: voice.wav: could not remove: Permission denied; "
          + "check who owns it and what its permissions are"
      ])
    #expect(try await Find.names(folder, []) == ["voice.wav"])
    try await library.expectSound()
  }

  /// Runs an import with `--move` under strace, which traces only calls on the source's folder.
  private func straced(
    _ folder: String, _ expression: String,
    body: @Sendable (RunningCommand) async throws -> Void = { _ in }
  ) async throws -> CommandResult {
    let call = expression.split(separator: ":")[0]
    return try await Command.start(
      "strace",
      ["-f", "-qq", "-o", temporary("strace"), "-P", folder, "-e", "trace=\(call)"]
        + ["-e", "signal=none", "-e", "inject=\(expression)", try Command.holdfast]
        + library.command(["import", "--move", "--json", "\(folder)/voice.wav"]), body: body)
  }

  @Test(
    "A removal that the system refuses is reported, and undoes nothing",
    arguments: [
      ("EBUSY", "could not remove: Device or resource busy"),
      ("EROFS", "could not remove: Read-only file system; make the disk writable"),
      ("EIO", "could not remove: Input/output error"),
      ("EPERM", "could not remove: Operation not permitted"),
    ])
  func refusedRemoval(error: String, words: String) async throws {
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: ["voice.wav"])
    let result = try await straced(folder, "unlinkat:error=\(error)")
    #expect(result.status == 0, "\(result.errorOutput)")
    let line = try #require(try ImportLine.lines(of: result).first)
    #expect(line.event == "imported" && line.moved == .source(false) && line.code == "refused")
    #expect(line.stays?.hasPrefix(words) == true, "\(line.stays ?? "")")
    #expect(try await Find.names(folder, []) == ["voice.wav"])
    try await library.expectSound()
  }

  @Test(
    "A source that is changed or replaced after its row was written stays",
    arguments: Extent.sample(["append", "replace", "remove"], every: 3))
  func changedBeforeRemoval(how: String) async throws {
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: ["voice.wav"])
    let (path, library) = ("\(folder)/voice.wav", library)
    // The import stops after it has opened the folder, before it opens the file.
    let result = try await straced(folder, "openat:signal=SIGSTOP") { process in
      _ = try await wait(for: process) {
        try await library.column("SELECT count(*) FROM recording") == ["2"]
      }
      switch how {
      case "append":
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
      case "replace":
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: path), options: .atomic)
      default: unlink(path)
      }
      _ = try await wait(for: process) {
        process.send(SIGCONT, toGroup: true)
        return false
      }
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    let line = try #require(try ImportLine.lines(of: result).first)
    #expect(line.moved == .source(false) && line.code == "sourceChanged")
    #expect(
      line.stays
        == (how == "remove" ? "it is no longer there" : "it has changed since it was read"))
    #expect(try await Find.names(folder, []) == (how == "remove" ? [] : ["voice.wav"]))
    try await library.expectSound()
  }

  @Test("The source is removed only when its row is on the disk")
  func order() async throws {
    try await library.importing("aac.m4a")
    let folder = try makeFolder("in", holding: ["voice.wav"])
    let trace = try await Strace.run(
      ["trace=unlink,unlinkat,fsync,fdatasync"],
      library.command(["import", "--move", "\(folder)/voice.wav"]))
    #expect(trace.result.status == 0)
    let removal = try #require(trace.calls.firstIndex { $0.contains("\"voice.wav\"") })
    let commit = try #require(
      trace.calls.lastIndex { $0.hasPrefix("unlink(") && $0.contains("catalog.sqlite-journal") })
    #expect(commit < removal)
    #expect(trace.calls.count { $0.contains(folder) } == 1)
    // SQLite syncs the folder once more when the journal is gone.
    #expect(trace.calls[commit..<removal].contains { $0.contains("sync(") })
  }

  @Test("The library's own files are never removed as sources")
  func ownFiles() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let before = try await library.find("-type", "f", "-path", "*/Recordings/*")
    for path in before.map({ "\(library.path)/\($0)" }) + [library.path] {
      let result = try await library.holdfast("import", "--move", "--allow-duplicates", path)
      #expect(result.status == 3)
    }
    #expect(try await library.find("-type", "f", "-path", "*/Recordings/*") == before)
    // A copy of a source outside is known, and stays.
    let copy = temporary("copy.mov")
    let file = try #require(before.first { $0.hasSuffix(".mov") })
    try FileManager.default.copyItem(atPath: "\(library.path)/\(file)", toPath: copy)
    #expect(try await library.importEvents("--move", copy).first?.reason == "duplicate")
    #expect(FileManager.default.fileExists(atPath: copy))
  }
}
