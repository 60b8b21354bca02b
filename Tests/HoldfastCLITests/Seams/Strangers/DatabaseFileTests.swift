import Foundation
import HoldfastTestSupport
import Testing

@Suite("Files that SQLite would open together with a catalog", .temporaryFolder)
struct DatabaseFileTests {
  private let library = LibraryFolder()
  private let other = LibraryFolder("other")

  /// Makes something that is not a regular file.
  private static let makers = [
    "FIFO": "mkfifo \"$0\"", "folder": "mkdir \"$0\"", "link": "ln -s /etc/passwd \"$0\"",
    "socket": """
    python3 -c 'import os, socket, sys
    os.chdir(os.path.dirname(sys.argv[1]))
    socket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))' "$0"
    """,
  ]

  @Test(
    "A command refuses a library with anything but a file there, and leaves it as it is",
    arguments: ["-journal", "-wal", "-shm"],
    ["FIFO", "folder", "link", "socket"])
  func refused(suffix: String, kind: String) async throws {
    try await other.importing("aac.m4a")
    let path = "\(other.path)/catalog.sqlite\(suffix)"
    _ = try await Command.output(
      of: "bash", ["-c", try #require(Self.makers[kind]), path])
    let before = try await Command.output(of: "stat", ["-c", "%F %i", path]).output
    let commands = [
      other.command(["list"]), other.command(["verify"]), other.command(["verify", "--deep"]),
      other.command(["export", "--format", "json"]), other.command(["show", "0000"]),
      other.command(["backup", temporary("backups")]),
      other.command(["craving", "log", "--intensity", "3"]),
      other.command(["import", Fixtures.path("adts.aac")]), library.command(["merge", other.path]),
      library.command(["merge", "--dry-run", other.path]),
    ]
    for command in commands {
      let result = try await Command.ended(command)
      #expect(result.status == 1, "\(command): \(result.output)\(result.errorOutput)")
      #expect(
        result.errorOutput.contains(
          "catalog.sqlite\(suffix): not a regular file, and SQLite would open it together with the "
            + "catalog; move it away"), "\(command): \(result.errorOutput)")
    }
    #expect(try await Command.output(of: "stat", ["-c", "%F %i", path]).output == before)
    _ = try await Command.output(of: "rm", ["-r", path])
    try await other.expectSound()
  }

  @Test("A rebuilding does not follow a journal beside the damaged catalog to another file")
  func foreignJournal() async throws {
    try await library.importing("aac.m4a")
    let victim = temporary("victim")
    try Data("mine".utf8).write(to: URL(filePath: victim))
    // A journal that names another file, which SQLite would remove after it was rolled back.
    let script = """
      import struct, sys
      library, victim = sys.argv[1:]
      name = victim.encode()
      header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, 1, 512, 4096)
      end = struct.pack(">I", 0xffffffff) + name + struct.pack(">II", len(name), sum(name))
      with open(library + "/catalog.sqlite-journal", "wb") as file:
          file.write(header.ljust(512, b"\\0") + end + bytes.fromhex("d9d505f920a163d7"))
      with open(library + "/catalog.sqlite", "r+b") as file:
          file.seek(100); file.write(b"\\xff" * 8)
      """
    _ = try await Command.output(of: "python3", ["-c", script, library.path, victim])
    let result = try await Command.run(Command.holdfast, ["restore", "--rebuild", library.path])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    try await library.expectSound()
  }
}

extension Command {
  /// Runs `holdfast`, and ends it after five minutes: an older version waited for ever.
  static func ended(_ arguments: [String]) async throws -> CommandResult {
    try await run("timeout", ["--signal=KILL", "300", holdfast] + arguments)
  }
}
