import Foundation
import HoldfastTestSupport
import Testing

/// Another program holds the writer lock, and does not release it.
@Suite("While the library is locked", .temporaryFolder)
struct LockTests {
  let library = LibraryFolder()

  /// Runs `body` while util-linux's flock(1) holds the lock.
  ///
  /// - Parameter script: Runs while the lock is held: it makes the file `ready`, and ends late.
  private func whileLocked(
    by script: String = "touch ready; exec sleep 600",
    _ body: (RunningCommand) async throws -> Void
  ) async throws {
    let ready = temporary("ready")
    _ = try await Command.start(
      "flock", ["\(library.path)/.lock", "sh", "-c", script],
      workingDirectory: TemporaryFolder.current
    ) { holder in
      try #require(
        try await wait(for: holder) { FileManager.default.fileExists(atPath: ready) })
      try await body(holder)
      holder.send(SIGKILL, toGroup: true)
    }
  }

  private func recording() async throws -> String {
    try await library.importing("aac.m4a")
    return try await library.column("SELECT id FROM recording")[0]
  }

  @Test("A command that waits names the holder once, and gives up after --lock-timeout")
  func timeout() async throws {
    try await library.holdfast("init")
    try await whileLocked { holder in
      let result = try await library.holdfast(
        "craving", "log", "--intensity", "3", "--lock-timeout", "2")
      #expect(result.status == 1)
      try #require(result.errorLines.count == 2)
      let flock = "flock (process \(holder.processIdentifier), since "
      #expect(result.errorLines[0].hasPrefix("waiting for \(flock)"))
      #expect(
        result.errorLines[1].hasPrefix(
          "Error: the library in \(library.path) is locked: waited 2 s for \(flock)"))
      #expect(result.errorLines[1].hasSuffix("or wait longer with --lock-timeout"))
    }
    #expect(try await library.column("SELECT count(*) FROM craving") == ["0"])
  }

  @Test("A command that waits for a stopped one names it, and says how to continue it")
  func stopped() async throws {
    try await library.holdfast("init")
    let other = ["craving", "log", "--intensity", "2", "--lock-timeout", "1"]
    let result = try await library.holdfast(
      ["craving", "log", "--intensity", "3", "--notes", "secret"], stoppedAt: "unlink",
      of: "\(library.path)/catalog.sqlite-journal"
    ) {
      let waiting = try await library.holdfast(other)
      #expect(waiting.status == 1)
      let words =
        /waited 1 s for holdfast craving \(process (\d+), since [-0-9 :]+, stopped\); (.*)/
      let match = try #require(try words.firstMatch(in: waiting.errorOutput))
      #expect(match.output.2.hasPrefix("kill -CONT \(match.output.1) lets it go on"))
      #expect(!waiting.errorOutput.contains("secret"))
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.holdfast(other).status == 0)
  }

  /// The commands waited for ever.
  @Test(
    "A reader gives up after --lock-timeout, and names the stopped command with the catalog",
    arguments: Extent.sample([["list"], ["message", "next"], ["play"]], every: 3))
  func stoppedCommit(_ words: [String]) async throws {
    let arguments = words == ["play"] ? ["play", try await recording()] : words
    let result = try await library.holdfast(
      ["craving", "log", "--intensity", "3"], stoppedAt: "unlink",
      of: "\(library.path)/catalog.sqlite-journal"
    ) {
      let reader = try await library.holdfast(arguments + ["--lock-timeout", "1"])
      #expect(reader.status == 1 && reader.output == "")
      let sentence =
        /: locked: waited 1 s for holdfast craving \(process (\d+), since [^,]+, stopped\); (.*)\n$/
      let match = try #require(try sentence.firstMatch(in: reader.errorOutput), "\(reader)")
      #expect(match.output.2.hasPrefix("kill -CONT \(match.output.1) lets it go on"))
    }
    #expect(result.status == 0, "\(result.errorOutput)")
  }

  /// The command hung, holding the writer lock.
  @Test("A deletion does not wait for a program that holds the lock in its folder")
  func workLock() async throws {
    let id = try await recording()
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: "\(library.path)/Recordings",
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    let lock = try #require(try await library.find("-path", "*/.trash/*/lock").first)
    let ready = temporary("ready")
    _ = try await Command.start(
      "flock",
      ["-s", "\(library.path)/\(lock)", "sh", "-c", "touch '\(ready)'; exec sleep 600"]
    ) { holder in
      try #require(
        try await wait(for: holder) { FileManager.default.fileExists(atPath: ready) })
      let result = try await Command.run(
        "timeout",
        ["-s", "KILL", "60", Command.holdfast] + library.command(["delete", id, "--yes"]))
      #expect([1, 3].contains(result.status), "\(result)")
      #expect(
        result.errorOutput.contains(
          "kept locked by flock (process \(holder.processIdentifier), since "),
        "\(result.errorOutput)")
      holder.send(SIGKILL, toGroup: true)
    }
    #expect(try await library.holdfast("delete", id, "--yes").status == 0)
    try await library.expectSound()
  }

  @Test("Writers queue at the lock, and do not give up in SQLite")
  func queue() async throws {
    try await library.holdfast("init")
    let catalog = "\(library.path)/catalog.sqlite"
    let script =
      "echo 'BEGIN EXCLUSIVE;\n.shell touch ready\n.shell sleep 600' | sqlite3 '\(catalog)'"
    try await whileLocked(by: script) { _ in
      let result = try await library.holdfast(
        "craving", "log", "--intensity", "3", "--lock-timeout", "1")
      #expect(result.errorOutput.contains("is locked: waited 1 s for flock"))
    }
  }

  @Test("Forty commands that write at once all succeed")
  func crowd() async throws {
    try await library.holdfast("init")
    let command = try [Command.holdfast] + library.command(["craving", "log", "--intensity", "3"])
    let quoted = command.map { "'\($0)'" }.joined(separator: " ")
    let result = try await Command.run(
      "sh",
      [
        "-c",
        """
        for number in $(seq 40); do \(quoted) >/dev/null & pids="$pids $!"; done
        for pid in $pids; do wait $pid || exit 1; done
        """,
      ])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM craving") == ["40"])
  }

  @Test("A recording plays at once, and the play counts when the lock is free")
  func plays() async throws {
    let id = try await recording()
    try await whileLocked { holder in
      let result = try await Command.run(
        "timeout", ["-s", "KILL", "60", Command.holdfast] + library.command(["play", id]),
        environment: ["HOLDFAST_PLAYER": "kill -9 -\(holder.processIdentifier);:"])
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(result.errorLines == ["Played 1 time."])
    }
  }

  @Test("A play that cannot be counted in time is left out, and a note says so")
  func uncounted() async throws {
    let id = try await recording()
    try await whileLocked { _ in
      let result = try await Command.run(
        Command.holdfast, library.command(["play", id, "--json", "--lock-timeout", "0"]),
        environment: ["HOLDFAST_PLAYER": "true"])
      #expect(try result.json(Record.self).playCount == 0)
      #expect(result.errorOutput.hasPrefix("note: the play was not counted: the library in "))
      let count = try await library.holdfast("play", id, "--count-only", "--lock-timeout", "0")
      #expect(count.status == 1)
    }
    #expect(try await library.holdfast("play", id, "--count-only").status == 0)
    #expect(try await library.column("SELECT playCount FROM recording") == ["1"])
  }

  @Test("A message is shown before the wait for the lock, and counts when that is free")
  func message() async throws {
    try await library.holdfast("init")
    let shown = temporary("shown")
    try await whileLocked { holder in
      let next = try [Command.holdfast] + library.command(["message", "next"])
      let result = try await Command.start(
        "sh", ["-c", "exec \(next.map { "'\($0)'" }.joined(separator: " ")) >'\(shown)'"]
      ) { process in
        let speaks = try await wait(for: process) {
          (try? String(contentsOfFile: shown, encoding: .utf8))?.isEmpty == false
        }
        #expect(speaks && process.isAlive)
        holder.send(SIGKILL, toGroup: true)
      }
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await library.column("SELECT sum(timesShown) FROM message") == ["1"])
    try await whileLocked { _ in
      let result = try await library.holdfast("message", "next", "--lock-timeout", "0")
      #expect(result.status == 0 && result.lines.count == 1)
      #expect(result.errorOutput.hasPrefix("note: the message was not counted as shown: "))
    }
    #expect(try await library.column("SELECT sum(timesShown) FROM message") == ["1"])
  }

  @Test("Commands that only read do not wait for the lock")
  func readers() async throws {
    let id = try await recording()
    try await whileLocked { _ in
      for command in [
        ["list"], ["show", id], ["stats"], ["craving", "list"], ["usage", "list"],
        ["message", "list"], ["export", "--format", "json"], ["verify"], ["verify", "--decode"],
        ["import", "--dry-run", Fixtures.path("voice.wav")],
      ] {
        // No holder is named, and nothing is left out for lack of the lock.
        let result = try await library.holdfast(command)
        #expect(result.status == 0 && !result.errorOutput.contains("lock"), "\(result)")
      }
      for command in [["verify", "--deep"], ["doctor", "--privacy"]] {
        let result = try await library.holdfast(command + ["--lock-timeout", "0"])
        #expect(result.status == 0, "\(result)")
      }
      // A seeming fault is checked again, and reported even if a writer may be at work.
      _ = FileManager.default.createFile(
        atPath: "\(library.path)/Recordings/stranger", contents: nil,
        attributes: [.posixPermissions: 0o600])
      let result = try await library.holdfast("verify", "--json", "--lock-timeout", "0")
      #expect(try result.jsonLines(of: Finding.self).map(\.kind) == ["unknownFile"])
      #expect(result.errorOutput.contains("some findings may be work in progress"))
    }
  }

  @Test("A command reports that it waits to migrate an older catalog")
  func migration() async throws {
    try await library.holdfast("init")
    try await library.changeCatalog("DELETE FROM grdb_migrations WHERE identifier = 'v4'")
    try await whileLocked { _ in
      let result = try await library.holdfast("list", "--lock-timeout", "2")
      #expect(result.status == 1)
      #expect(
        result.errorOutput.hasPrefix("waiting to bring the catalog up to date for flock (process"))
    }
  }

  @Test("Ctrl-C ends a wait", arguments: ["craving", "import"])
  func interrupted(command: String) async throws {
    try await library.holdfast("init")
    let arguments =
      command == "craving"
      ? ["craving", "log", "--intensity", "3"] : ["import", Fixtures.path("aac.m4a")]
    try await whileLocked { _ in
      let result = try await Command.start(
        Command.holdfast, library.command(arguments)
      ) { process in
        let isWaiting = try await wait(for: process) { try process.watchesFile() }
        #expect(isWaiting)
        process.send(SIGINT)
      }
      #expect(result.status == 130)
    }
    try await library.expectSound()
  }

  // MARK: What is done under the lock

  /// The recordings' files that a command reads whole, and the files that it reads under the lock.
  private func read(by arguments: [String]) async throws -> (all: Set<String>, locked: Set<String>)
  {
    let trace = try await Strace.run(["trace=flock,pread64"], library.command(arguments))
    #expect(trace.result.status == 0, "\(trace.result.errorOutput)")
    var (all, locked): (Set<String>, Set<String>) = ([], [])
    var isLocked = false
    for call in trace.tracedCalls {
      let path = call.operands.first ?? ""
      if call.name == "flock", path == "\(library.path)/.lock", !call.text.contains("= -1") {
        isLocked = call.text.contains("LOCK_EX")
      } else if call.name == "pread64", ["m4a", "jpg"].contains(path.split(separator: ".").last) {
        all.insert(path)
        if isLocked { locked.insert(path) }
      }
    }
    return (all, locked)
  }

  @Test("A thumbnail whose row a crash left outdated is read before the lock is taken")
  func settled() async throws {
    try await library.importing("portrait.mov")
    let folder = "\(library.path)/Recordings/Thumbnails"
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: folder,
      library.command(["thumbnails", "--all", "--size", "100"]))
    try #require(killed.result.wasKilled)
    let read = try await read(by: ["craving", "log", "--intensity", "3"])
    #expect(read.all.count == 1 && read.locked.isEmpty, "\(read)")
    #expect(try await library.column("SELECT longSide FROM thumbnail") == ["100"])
    try await library.expectSound()
  }

  @Test("Two files that may be the same are read before the lock is taken")
  func twins() async throws {
    let id = try await recording()
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: "\(library.path)/Recordings",
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    _ = try await Command.output(
      of: "sh", ["-c", "umask 077; cp .trash/*/*.m4a Recordings/"], workingDirectory: library.path)
    let read = try await read(by: ["craving", "log", "--intensity", "3"])
    #expect(read.all.count == 2 && read.locked.isEmpty, "\(read)")
    try await library.expectSound()
  }

  @Test("Another computer's work is reported once, even if recovery takes two rounds")
  func toldOnce() async throws {
    let id = try await recording()
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: "\(library.path)/Recordings",
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    _ = try await Command.output(
      of: "sh",
      [
        "-c",
        "umask 077; cp .trash/*/*.m4a Recordings/; mkdir .staging/\(UUID()).0123456789abcdef",
      ],
      workingDirectory: library.path)
    let logged = try await library.holdfast("craving", "log", "--intensity", "3")
    #expect(logged.status == 0)
    let notes = logged.errorOutput.ranges(of: "another computer may be at work in")
    #expect(notes.count == 1, "\(logged.errorOutput)")
  }
}

extension RunningCommand {
  /// Whether the process waits for something to happen to a file (inotify(7)).
  fileprivate func watchesFile() throws -> Bool {
    let folder = "/proc/\(processIdentifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.contains("inotify") == true
    }
  }
}
