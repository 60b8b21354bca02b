import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("Watching a folder", .temporaryFolder)
struct WatchTests {
  let library = LibraryFolder()
  let folder = temporary("phone")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Runs a watch until `body` has ended, and then ends it with SIGTERM.
  func watch(
    _ options: [String] = [], _ body: (RunningCommand) async throws -> Void
  ) async throws -> CommandResult {
    try await Command.start(
      Command.holdfast, library.command(["watch"] + options + [folder])
    ) { process in
      try await body(process)
      process.send(SIGTERM)
    }
  }

  func shell(_ script: String) async throws {
    _ = try await Command.output(
      of: "bash", ["-ec", script],
      environment: [
        "FIXTURES": Repository.root + "/fixtures", "HOLDFAST": try Command.holdfast,
      ], workingDirectory: folder)
  }

  func names() async throws -> [String] {
    try await library.column("SELECT originalFilename FROM recording ORDER BY originalFilename")
  }

  func wait(for process: RunningCommand, toImport names: [String]) async throws {
    _ = try await HoldfastCLITests.wait(for: process) { try await self.names() == names }
    let imported = try await self.names()
    #expect(imported == names)
  }

  func wait(for process: RunningCommand, toWatch folders: [String]) async throws {
    let isSo = try await HoldfastCLITests.wait(for: process) {
      folders.allSatisfy(process.watches)
    }
    #expect(isSo)
  }

  func wait(for process: RunningCommand, toRefuse count: Int) async throws {
    let refused = "SELECT count(*) FROM seenSource WHERE refusedBy IS NOT NULL"
    let isSo = try await HoldfastCLITests.wait(for: process) {
      try await library.column(refused) == ["\(count)"]
    }
    #expect(isSo)
  }

  @Test("Existing files are imported, and then each new one once, when it is closed or moved there")
  func comes() async throws {
    try await shell("cp $FIXTURES/aac.m4a . && mkdir deep && cp $FIXTURES/alac.m4a deep")
    let result = try await watch { process in
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a"])
      try await shell(
        """
        cp $FIXTURES/adts.aac .part.aac && mv .part.aac adts.aac
        cp $FIXTURES/amr-nb.amr amr-nb.amr.crdownload
        echo 'no sound' > talk.mp3
        mkdir -p ../other/a/b && cp $FIXTURES/pcm.mov ../other/a/b && mv ../other/a .
        cp $FIXTURES/hevc8.mp4 .. && ln ../hevc8.mp4 link.mp4
        ln -s "$FIXTURES" all && ln -s "$FIXTURES/aac-he.m4a" he.m4a
        """)
      let before = ["aac.m4a", "adts.aac", "alac.m4a", "link.mp4", "pcm.mov"]
      try await wait(for: process, toImport: before)
      try await wait(for: process, toRefuse: 1)
      try await shell(
        "mv amr-nb.amr.crdownload deep/amr-nb.amr; mv talk.mp3 deep/walk.mp3; mv a/b deep")
      let after = ["aac.m4a", "adts.aac", "alac.m4a", "amr-nb.amr", "link.mp4", "pcm.mov"]
      try await wait(for: process, toImport: after)
      try await wait(for: process, toRefuse: 2)
    }
    #expect(result.status == 0)
    // The recording in the moved folder is known, and the refused file is unchanged.
    #expect(
      result.errorLines.filter { $0.hasPrefix("refused") }
        == ["refused   \(folder)/talk.mp3: is text, not a recording"])
    #expect(result.lines.count == 6)
    try await library.expectSound()

    // The next watch finds nothing new, except a file that is refused by other rules.
    let again = try await watch { process in
      try await shell("cp $FIXTURES/anamorphic.mp4 .")
      _ = try await HoldfastCLITests.wait(for: process) { try await self.names().count == 7 }
    }
    #expect(again.lines.count == 1, "\(again.output)")
    #expect(again.errorLines.filter { !$0.contains("Ctrl-C") && !$0.hasPrefix("skipped") } == [])
    let other = try await watch(["--over-limit", "trim"]) { process in
      try await shell("cp $FIXTURES/mpegts.ts .")
      _ = try await HoldfastCLITests.wait(for: process) { try await self.names().count == 8 }
    }
    #expect(other.errorOutput.contains("/deep/walk.mp3: is text, not a recording"))
  }

  @Test("A file is not imported while it is still written")
  func written() async throws {
    let result = try await watch { process in
      try await shell(
        """
        exec 3> slow.m4a
        head -c 2000 $FIXTURES/aac.m4a >&3
        sleep 4
        tail -c +2001 $FIXTURES/aac.m4a >&3
        """)
      try await wait(for: process, toImport: ["slow.m4a"])
    }
    #expect(result.lines.count == 1)
    #expect(!result.errorOutput.contains("refused"))
  }

  @Test("Hidden files, and files that are closed only for a moment, are left alone")
  func unfinished() async throws {
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      try await shell(
        """
        cp $FIXTURES/alac.m4a .alac.m4a.Xy12
        mkdir new
        head -c 3000 $FIXTURES/adts.aac > new/adts.aac
        cp new/adts.aac .
        sleep 1
        tail -c +3001 $FIXTURES/adts.aac >> new/adts.aac
        tail -c +3001 $FIXTURES/adts.aac >> adts.aac
        """)
      try await wait(for: process, toImport: ["adts.aac"])
      try await shell("cp $FIXTURES/aac.m4a .")
      try await wait(for: process, toImport: ["aac.m4a", "adts.aac"])
    }
    #expect(result.lines.count == 2, "\(result.output)")
    let hash = try await Command.output(of: "sha256sum", [Fixtures.path("adts.aac")])
    #expect(
      try await library.column(
        "SELECT sourceSHA256 FROM recording WHERE originalFilename = 'adts.aac'")
        == [String(hash.output.prefix(64))])
  }

  @Test(
    "Another user's file is not moved before that user has closed it", .enabled(if: geteuid() == 0))
  func othersFile() async throws {
    // The kernel tells only its owner whether a file is open.
    let script = """
      chmod 755 "$1" && mkdir -m 777 "$1/other" && cd "$1/other" && mkdir in run && chmod 777 in run
      export XDG_RUNTIME_DIR=$PWD/run; user="setpriv --reuid=65534 --regid=65534 --clear-groups"
      $user "$0" init lib >&2
      $user "$0" watch --library lib --move in & watch=$!; sleep 1
      head -c 1500 "$2" > in/adts.aac
      { sleep 1; head -c 3000 "$2" | tail -c +1501; sleep 5; tail -c +3001 "$2"; } >> in/adts.aac
      for try in {1..100}; do [ -e in/adts.aac ] || break; sleep 0.1; done
      kill $watch; wait $watch
      sqlite3 lib/catalog.sqlite "SELECT sourceSHA256 FROM recording"; ls in
      """
    let result = try await Command.output(
      of: "bash",
      [
        "-ec", script, try Command.holdfast, URL(filePath: folder).deletingLastPathComponent().path,
        Fixtures.path("adts.aac"),
      ], isMostlyIdle: true)
    let hash = try await Command.output(of: "sha256sum", [Fixtures.path("adts.aac")])
    // Neither a part of it nor a leftover file was imported.
    let lines = result.lines.filter { !$0.hasPrefix("moved") && !$0.hasSuffix("moved.") }
    #expect(lines == [String(hash.output.prefix(64))], "\(result.output)")
  }

  @Test("Of two refused files with the same content, one is named")
  func twins() async throws {
    try await shell("for i in {1..6}; do echo 'no sound' > $i.mp3; done")
    let result = try await watch { process in try await wait(for: process, toRefuse: 6) }
    #expect(result.errorLines.filter { $0.hasPrefix("refused") }.count == 1)
  }

  @Test("All files are found although the kernel's queue of events overflowed", .notInSample)
  func overflow() async throws {
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      process.send(SIGSTOP)
      try await shell("for i in {1..9000}; do : > $i.txt; done; cp $FIXTURES/aac.m4a .")
      process.send(SIGCONT)
      try await wait(for: process, toImport: ["aac.m4a"])
    }
    #expect(result.status == 0)
  }

  @Test("A waiting watch never wakes up, and holds no lock and no open file")
  func idle() async throws {
    try await shell("cp $FIXTURES/aac.m4a .")
    _ = try await watch { process in
      try await wait(for: process, toImport: ["aac.m4a"])
      // Threads of the import end some seconds after it.
      try await Task.sleep(for: .seconds(12))
      var sleeps = false
      // It wakes up for any mounted disk, and other tests mount some.
      for _ in 1...6 where !sleeps {
        let before = try process.wakeUps
        let written = try await library.holdfast(
          "craving", "log", "--intensity", "3", "--lock-timeout", "0")
        #expect(written.status == 0)
        try await Task.sleep(for: .seconds(5))
        sleeps = try process.wakeUps == before
      }
      #expect(sleeps)
      let open = try await Command.output(
        of: "bash", ["-c", "readlink /proc/\(process.processIdentifier)/fd/*"])
      #expect(!open.output.contains(library.path) && !open.output.contains("/phone"))
    }
  }

  @Test("A second watch of a folder is refused, and so is a missing folder or a library's")
  func refused() async throws {
    _ = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      let second = try await library.holdfast("watch", folder + "/")
      #expect(second.status == 1)
      #expect(second.errorOutput == "Error: \(folder): another holdfast watch is at work there\n")
    }
    let missing = try await library.holdfast("watch", temporary("none"))
    #expect(missing.status == 1)
    #expect(missing.errorOutput.contains("the folder does not exist"))
    let own = try await library.holdfast("watch", library.path + "/Recordings")
    #expect(own.status == 1)
    #expect(own.errorOutput.contains("is inside a Holdfast library"))
  }

  @Test("A watch into a library that cannot be written is refused at once")
  func readOnly() async throws {
    let script = """
      mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"
      exec timeout 60 "$0" watch --library "$1" "$2"
      """
    let result = try await Command.run(
      "unshare", ["-Urm", "bash", "-ec", script, Command.holdfast, library.path, folder])
    #expect(result.status == 1)
    #expect(result.errorOutput.hasSuffix("or use a library on another one\n"), "\(result)")
  }

  @Test("In a folder that Syncthing shares, nothing is removed without --delete-on-phone")
  func synced() async throws {
    try await shell(
      "mkdir -p share/.stfolder && cp $FIXTURES/aac.m4a share && cp $FIXTURES/alac.m4a .")
    let refused = try await library.holdfast("watch", "--move", folder + "/share")
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("--delete-on-phone"))
    _ = try await watch(["--move"]) { process in
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a"])
      _ = try await HoldfastCLITests.wait(for: process) {
        !FileManager.default.fileExists(atPath: folder + "/alac.m4a")
      }
    }
    #expect(FileManager.default.fileExists(atPath: folder + "/share/aac.m4a"))
    // It was imported before, so it stays, whatever the options now.
    try await shell("cp $FIXTURES/pcm.mov share")
    _ = try await watch(["--move", "--delete-on-phone"]) { process in
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a", "pcm.mov"])
      _ = try await HoldfastCLITests.wait(for: process) {
        !FileManager.default.fileExists(atPath: folder + "/share/pcm.mov")
      }
    }
    try await library.expectSound()
  }

  @Test("Files that arrive while the library's disk is away are imported later")
  func away() async throws {
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      _ = try await Command.output(of: "mv", [library.path, library.path + ".away"])
      try await shell("cp $FIXTURES/aac.m4a .")
      // Waits until it has tried, also on a busy machine.
      try await Task.sleep(for: .seconds(15))
      _ = try await Command.output(of: "mv", [library.path + ".away", library.path])
    }
    #expect(result.status == 0)
    #expect(result.errorOutput.contains("there is no library in \(library.path)"))
    _ = try await watch { process in try await wait(for: process, toImport: ["aac.m4a"]) }
  }

  @Test(
    "The import of a watch, started by hand, ends with one sentence and writes nowhere",
    arguments: ["3>&1 > out", "3> answer", "3>&-"])
  func batchByHand(redirection: String) async throws {
    let result = try await Command.run(
      "bash",
      [
        "-c",
        "cd $0 && (echo garbage | \"$1\" watch-batch --library \"$2\" . \(redirection)) | cat; "
          + "exit ${PIPESTATUS[0]}",
        folder, try Command.holdfast, library.path,
      ])
    #expect(result.status == 1)
    #expect(
      result.errorOutput
        == "Error: holdfast watch starts this command for each batch of files; start holdfast "
        + "watch itself\n")
    let answer = FileManager.default.contents(atPath: folder + "/answer") ?? Data()
    #expect(result.output.isEmpty && answer.isEmpty)
  }

  @Test("The remembered sources are in no export, and are erased with everything")
  func remembered() async throws {
    try await shell("cp $FIXTURES/aac.m4a . && echo 'no sound' > talk.mp3")
    _ = try await watch { process in
      _ = try await HoldfastCLITests.wait(for: process) {
        try await library.column("SELECT count(*) FROM seenSource") == ["2"]
      }
    }
    // Deleted is deleted: a watch does not bring it back.
    let ids = try await library.column("SELECT id FROM recording")
    _ = try await library.holdfast(["delete", "--yes"] + ids)
    let again = try await watch { process in
      try await shell("cp $FIXTURES/alac.m4a .")
      try await wait(for: process, toImport: ["alac.m4a"])
    }
    #expect(again.lines.count == 1)
    let export = try await library.holdfast("export")
    #expect(!export.output.contains("seenSource") && !export.output.contains("refusedBy"))
    #expect(try await library.holdfast("doctor", "--privacy").status == 0)
    let uuid = try await library.column("SELECT uuid FROM library")
    #expect(
      try await library.holdfast(["erase", "--everything", "--yes"] + uuid).status == 0)
    #expect(try await library.column("SELECT count(*) FROM seenSource") == ["0"])
  }
}

extension RunningCommand {
  /// Whether the process watches a folder's contents, by the kernel. The folders above it are
  /// watched first.
  func watches(_ folder: String) -> Bool {
    var status = stat()
    let files = "/proc/\(processIdentifier)/fdinfo"
    guard stat(folder, &status) == 0 else { return false }
    return ((try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []).contains { file in
      let lines = (try? String(contentsOfFile: "\(files)/\(file)", encoding: .utf8)) ?? ""
      return lines.matches(of: #/inotify wd:.* ino:([0-9a-f]+) .* mask:([0-9a-f]+) /#).contains {
        UInt64($0.1, radix: 16) == UInt64(status.st_ino)
          && UInt32($0.2, radix: 16).map { $0 & UInt32(IN_CLOSE_WRITE) != 0 } == true
      }
    }
  }

  /// How often a thread of the process resumed after a wait.
  fileprivate var wakeUps: Int {
    get throws {
      let folder = "/proc/\(processIdentifier)/task"
      return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, task in
        let status = try String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
        return sum
          + (status.firstMatch(of: /\nvoluntary_ctxt_switches:\s+([0-9]+)/).flatMap { Int($0.1) }
            ?? 0)
      }
    }
  }
}
