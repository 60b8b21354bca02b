import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// Another user who may write to a folder puts links into it while a command walks it.
@Suite("A folder that changes while it is walked", .temporaryFolder)
struct ReplacedFolderTests {
  let library = LibraryFolder()

  /// Makes the folder `shared`, whose first source takes long, and the folder `private`, which has
  /// the same names and two more.
  private func makeFolders() async throws -> (shared: String, private: String) {
    for name in ["shared/x/sub", "private/x/sub"] { try makeFolder(name) }
    _ = try await makeSlowClip("shared/x/0.avi")
    for name in ["shared/x/1.wav", "shared/x/sub/3.wav", "private/x/0.avi"] {
      try copyFixture("voice.wav", to: name)
    }
    try copyFixture("aac.m4a", to: "private/x/1.wav")
    for name in ["2.m4a", "3.wav"] { try copyFixture("alac.m4a", to: "private/x/sub/\(name)") }
    return (temporary("shared"), temporary("private"))
  }

  @Test("A link that replaces a folder is not followed, and nothing is removed there")
  func inside() async throws {
    let (shared, secret) = try await makeFolders()
    let before = try await Find.snapshot(secret)
    let result = try await library.holdfast(
      sending: SIGSTOP, whileImporting: ["--move", "--jobs", "1", "--json", shared]
    ) { _ in
      #expect(rename("\(shared)/x", temporary("gone")) == 0)
      #expect(symlink("\(secret)/x", "\(shared)/x") == 0)
    }
    #expect(try await Find.snapshot(secret) == before)
    #expect(result.status == 3)
    let lines = try ImportLine.lines(of: result)
    let link = "refused, because it is or leads through a symbolic link, or leaves its folder"
    #expect(lines.first?.event == "imported" && lines.first?.code == "link")
    #expect(lines.first?.stays == "a link has taken the place of a folder above it")
    let failed = lines.filter { $0.event == "failed" }
    #expect(
      Set(failed.map { "\($0.source ?? ""): \($0.error ?? "")" }) == [
        "\(shared)/x/1.wav: a link has taken its place", "\(shared)/x/sub: \(link)",
      ])
    #expect(lines.last?.imported == 1)
    try await library.expectSound()
  }

  @Test("A typed folder that is renamed is imported to its end; a link in its place is not read")
  func renamed() async throws {
    let (shared, secret) = try await makeFolders()
    let before = try await Find.snapshot(secret)
    let result = try await library.holdfast(
      sending: SIGSTOP, whileImporting: ["--move", "--jobs", "1", "--json", shared]
    ) { _ in
      #expect(rename(shared, temporary("gone")) == 0)
      #expect(symlink(secret, shared) == 0)
    }
    #expect(try await Find.snapshot(secret) == before)
    #expect(result.status == 0)
    let lines = try ImportLine.lines(of: result)
    #expect(lines.last?.imported == 2 && lines.last?.skipped == 1)
    #expect(try await Find.names(temporary("gone"), ["-type", "f"]) == ["x/sub/3.wav"])
    try await library.expectSound()
  }

  @Test(
    "Everything in a typed folder is reached from one descriptor",
    arguments: [
      ["import"], ["import", "--move"], ["import", "--dry-run"], ["import", "--shard", "1/1"],
      ["import", "--files-from", "list"], ["verify", "--repair", "--from"],
    ])
  func descriptor(command: [String]) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let file = try await library.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    let folder = try makeFolder("in", holding: ["voice.wav"])
    // A movie whose photo is beside it.
    try copyFixture("portrait.mov", to: "in/clip.mov")
    try copyFixture("photo.heic", to: "in/clip.heic")
    try makeFolder("in/deep/er")
    try FileManager.default.moveItem(
      atPath: "\(library.path)/\(file)", toPath: "\(folder)/deep/er/lost.m4a")
    // A typed link to a folder is followed once.
    symlink(folder, temporary("link"))
    let typed = temporary("link")
    try "\(typed)\n".write(toFile: temporary("list"), atomically: true, encoding: .utf8)
    let isListed = command.last == "list"
    let arguments = isListed ? command.dropLast() + [temporary("list")] : command + [typed]
    let trace = try await Strace.run(
      ["trace=file,openat2"], library.command(Array(arguments)))
    #expect([0, 3].contains(trace.result.status), "\(trace.result.errorOutput)")
    // Whether the folder is in a library depends on all folders above it, which are looked up.
    let below = trace.calls.filter { call in
      ["\"\(typed)/", "\"\(folder)/"].contains(where: call.contains)
        && !call.contains("/holdfast.json\"")
    }
    #expect(below.isEmpty)
    #expect(trace.calls.count { $0.hasPrefix("openat(") && $0.contains("\"\(typed)\"") } == 1)
    let opened = trace.calls.filter { $0.hasPrefix("openat2(") && $0.contains("<\(folder)") }
    #expect(opened.count > 1)
    #expect(opened.allSatisfy { $0.contains("RESOLVE_NO_SYMLINKS|RESOLVE_BENEATH") })
    if command[0] == "verify" { try await library.expectSound() }
  }

  @Test("The working folder is a source as well")
  func workingFolder() async throws {
    let folder = try makeFolder("in", holding: ["voice.wav"])
    try makeFolder("in/é")
    try copyFixture("alac.m4a", to: "in/é/ü.m4a")
    let result = try await Command.run(
      Command.holdfast, library.command(["import", "--move", "--json", "."]),
      workingDirectory: folder)
    let lines = try ImportLine.lines(of: result)
    #expect(result.status == 0 && lines.last?.moved == .count(2))
    #expect(Set(lines.compactMap(\.source)) == ["./voice.wav", "./é/ü.m4a"])
    #expect(try await Find.names(folder, ["-type", "f"]) == [])
  }
}
