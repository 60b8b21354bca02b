import Foundation
import HoldfastTestSupport
import Testing

/// On a disk without modes, every file was reported because of its mode, or none was.
@Suite("Modes that do not take effect", .temporaryFolder)
struct ModeTests {
  let library = LibraryFolder()

  /// Filesystems, by their statfs(2) numbers, as the bytes of a 64-bit number.
  private static let filesystems = [
    "vfat": "444d000000000000", "exfat": "b0ba112000000000", "ntfs3": "6e74667300000000",
    "smb2": "424d53fe00000000", "fuse": "4655736500000000",
  ]

  /// The findings of a command that believes the library to be on some filesystem.
  private func findings(_ filesystem: String, _ command: [String]) async throws -> [Finding] {
    let type = try #require(Self.filesystems[filesystem])
    let trace = try await Strace.run(
      ["trace=fstatfs", "inject=fstatfs:poke_exit=@arg2=\(type)"],
      library.command(command + ["--json"]))
    return try trace.result.jsonLines(of: Finding.self).filter { $0.kind == "wrongMode" }
  }

  @Test(
    "are reported once for the library, and not for each file",
    arguments: Extent.sample(filesystems.keys.sorted(), every: 3))
  func once(filesystem: String) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    // As such a disk is mounted by default.
    _ = try await Command.output(of: "chmod", ["-R", "777", library.path])
    for command in [["verify"], ["doctor", "--privacy"]] {
      let findings = try await findings(filesystem, command)
      #expect(findings.map(\.path) == ["."])
      #expect(findings.first?.detail.contains("mode 777") == true)
    }
    // And as mounted for its owner alone.
    _ = try await Command.output(of: "chmod", ["-R", "700", library.path])
    #expect(try await findings(filesystem, ["verify"]).isEmpty)
  }

  @Test("Where modes take effect, each wrong one is reported, on FUSE too")
  func each() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    _ = try await Command.output(
      of: "bash", ["-c", "chmod 644 $0/Recordings/*.m4a $0/Recordings/*.mov", library.path])
    #expect(try await findings("fuse", ["verify"]).count == 2)
    #expect(try await library.findings().map(\.kind) == ["wrongMode", "wrongMode"])
  }
}
