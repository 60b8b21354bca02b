import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast play", .temporaryFolder)
struct PlayTests {
  let library = LibraryFolder()

  /// A library of one recording, and its id.
  private func recording() async throws -> String {
    try await library.importing("hevc10.mov")
    return try await library.column("SELECT id FROM recording")[0]
  }

  /// A player in the test's folder, which is a shell script.
  private func player(_ name: String, _ script: String) throws -> String {
    let path = temporary(name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func play(_ id: String, environment: [String: String]) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, library.command(["play", id]), environment: environment)
  }

  private func plays() async throws -> [String] {
    try await library.sql("SELECT playCount, lastPlayedAt IS NOT NULL FROM recording")[0]
  }

  @Test("The player gets the file, and the play counts when it ends, not before")
  func counts() async throws {
    let id = try await recording()
    let script = try player(
      "my player",
      """
      echo "$1 $2"
      sqlite3 '\(library.path)/catalog.sqlite' 'SELECT playCount FROM recording'
      """)
    let modified = try await library.column("SELECT modifiedAt FROM recording")
    let result = try await play(id, environment: ["HOLDFAST_PLAYER": "'\(script)' --loud"])
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    let path = try await library.column("SELECT filePath FROM recording")[0]
    #expect(
      result.errorLines == ["--loud \(library.path)/\(path)", "0", "Played 1 time."])
    #expect(try await plays() == ["1", "1"])
    #expect(try await library.column("SELECT modifiedAt FROM recording") == modified)
  }

  @Test(
    "A player that cannot be started, or fails, counts nothing", arguments: ["/no/such", "false"])
  func fails(player: String) async throws {
    let id = try await recording()
    let result = try await play(id, environment: ["HOLDFAST_PLAYER": player])
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("nothing was counted"))
    #expect(try await plays() == ["0", "0"])
  }

  @Test("A signal that the command was started to ignore does not end the player either")
  func ignoredSignal() async throws {
    let id = try await recording()
    let result = try await Command.run(
      "env", ["--ignore-signal=HUP", try Command.holdfast] + library.command(["play", id]),
      environment: ["HOLDFAST_PLAYER": "kill -HUP $$; true"])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await plays() == ["1", "1"])
  }

  @Test("Without $HOLDFAST_PLAYER it is mpv, then ffplay, then xdg-open")
  func order() async throws {
    let id = try await recording()
    let folder = try makeFolder("bin")
    for name in ["xdg-open", "ffplay", "mpv"] {
      _ = try player("bin/\(name)", "echo \(name)")
      #expect(try await play(id, path: folder).errorLines.first == name)
    }
    #expect(try await plays()[0] == "3")
    let nobody = try await play(id, path: try makeFolder("empty"))
    #expect(nobody.status == 1)
    #expect(nobody.errorOutput.contains("no player found; install mpv"))
    #expect(try await plays()[0] == "3")
  }

  private func play(_ id: String, path: String) async throws -> CommandResult {
    try await Command.run(
      "sh",
      ["-c", "PATH=$1; shift; exec \"$@\"", "sh", path, Command.holdfast]
        + library.command(["play", id]), environment: ["HOLDFAST_PLAYER": ""])
  }

  @Test("A recording whose file is gone is not played, and the sentence says where it should be")
  func missingFile() async throws {
    let id = try await recording()
    let path = try await library.column("SELECT filePath FROM recording")[0]
    try FileManager.default.removeItem(atPath: "\(library.path)/\(path)")
    let result = try await play(id, environment: ["HOLDFAST_PLAYER": "true"])
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("\(path): the recording's file is missing"))
    #expect(try await plays()[0] == "0")
  }

  @Test(
    "Ctrl-C ends the player, and the play counts",
    arguments: Extent.sample(
      ["exec sleep 60", "sleep 60; true", "trap 'exit 4' INT; sleep 60 & wait"], every: 3))
  func interrupted(script: String) async throws {
    let id = try await recording()
    let started = temporary("started")
    let script = try player("player", "touch '\(started)'; \(script)")
    let result = try await Command.start(
      Command.holdfast, library.command(["play", id]), environment: ["HOLDFAST_PLAYER": script]
    ) { process in
      let isPlaying = try await wait(for: process) {
        FileManager.default.fileExists(atPath: started)
      }
      #expect(isPlaying)
      process.send(SIGINT, toGroup: true)
    }
    #expect(result.status == 0)
    #expect(try await plays() == ["1", "1"])
  }

  @Test("Eight processes that count at once lose no play")
  func concurrent() async throws {
    let id = try await recording()
    let rounds = Extent.choose(sample: 10, whole: 40)
    try await countPlays(of: id, rounds: rounds, prefix: [])
    #expect(try await plays()[0] == "\(8 * rounds)")
  }

  @Test("Eight processes lose no play when every flush takes 3 ms longer, either", .notInSample)
  func slowFlushes() async throws {
    let id = try await recording()
    let slow = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync"]
    try await countPlays(
      of: id, rounds: 5, prefix: slow + ["-e", "inject=fsync,fdatasync:delay_exit=3000"])
    #expect(try await plays()[0] == "40")
  }

  private func countPlays(of id: String, rounds: Int, prefix: [String]) async throws {
    let command = try prefix + [Command.holdfast] + library.command(["play", id, "--count-only"])
    let quoted = command.map { "'\($0)'" }.joined(separator: " ")
    let result = try await Command.run(
      "sh",
      [
        "-c",
        """
        for process in 1 2 3 4 5 6 7 8; do
          (for round in $(seq \(rounds)); do \(quoted) --quiet || exit 1; done) & pids="$pids $!"
        done
        for pid in $pids; do wait $pid || exit 1; done
        """,
      ])
    #expect(result.status == 0, "\(result.errorOutput)")
  }
}
