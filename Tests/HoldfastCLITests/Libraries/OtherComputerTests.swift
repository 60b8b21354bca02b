import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// On a disk that two computers share without its locks, a running import was treated as dead: its
/// published files were removed, and then the source that it moved.
@Suite(
  "Another computer's work", .temporaryFolder, .notInSample,
  .enabled("a machine ID and user namespaces are needed") {
    try await OtherComputer.isPossible()
  })
struct OtherComputerTests {
  let library = LibraryFolder()

  /// Starts an import of a clip with `--move`, and stops it while it encodes.
  private func importing(
    _ clip: String, at computer: OtherComputer,
    _ body: @Sendable @escaping () async throws -> Void
  ) async throws -> CommandResult {
    try await library.holdfast(
      sending: SIGSTOP, whileImporting: ["--move", clip],
      environment: ["LD_PRELOAD": computer.preload]
    ) { process in
      let workers = try Self.descendants(of: process.processIdentifier)
      try #require(!workers.isEmpty && library.fileInStaging() != nil)
      for worker in workers { kill(worker, SIGSTOP) }
      defer {
        for worker in workers { kill(worker, SIGCONT) }
      }
      for worker in workers {
        // One may just have ended: it is a zombie while its parent, a stopped process, cannot wait
        // for it.
        _ = try await wait(for: process) {
          let status = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)
          return status?.contains(#/\) [TZX] /#) ?? true
        }
      }
      try await body()
    }
  }

  /// The children of a process's threads, and their children: proc(5). A nursery's child encodes.
  private static func descendants(of process: pid_t) throws -> [pid_t] {
    let threads = "/proc/\(process)/task"
    let children = try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
      try String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { pid_t($0) }
    }
    return children + children.flatMap { (try? descendants(of: $0)) ?? [] }
  }

  /// Expects that the clip is in the library, and nowhere else.
  private func expectMoved(_ result: CommandResult, _ clip: String) async throws {
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(!FileManager.default.fileExists(atPath: clip))
    #expect(
      try await library.column("SELECT originalFilename FROM recording ORDER BY 1").contains(
        "clip.avi"))
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    try await library.expectSound()
  }

  @Test("Another computer's recent work is left alone and reported, and can be finished there")
  func running() async throws {
    let other = try await OtherComputer()
    try await library.importing("portrait.mov")
    let clip = try await makeSlowClip("clip.avi")
    let result = try await importing(clip, at: other) {
      let work = try await library.unfinishedWork()
      let folder = try #require(try await library.find("-path", "*/.staging/*", "-type", "d").first)
      let logged = try await other.holdfast(library, "craving", "log", "--intensity", "3")
      #expect(logged.status == 0)
      #expect(
        logged.errorLines.first == """
          note: another computer may be at work in \(folder), which is left alone until nothing \
          in it has changed for a day
          """)
      let taken = try await other.holdfast(library, "import", Fixtures.path("aac.m4a"))
      #expect(taken.status == 0, "\(taken.errorOutput)")
      let repaired = try await other.holdfast(library, "verify", "--repair", "--json")
      #expect((repaired.status, repaired.output) == (0, ""), "\(repaired.errorOutput)")
      let erased = try await other.holdfast(
        library, "erase", "--everything", "--yes",
        try await library.column("SELECT uuid FROM library")[0])
      #expect(erased.status == 1 && erased.errorOutput.contains(folder), "\(erased.errorOutput)")
      #expect(try await library.unfinishedWork() == work)
    }
    try await expectMoved(result, clip)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
  }

  @Test(
    "Another process's work on this computer is left alone, even if locks do not work",
    .notInSample)
  func sameComputer() async throws {
    let other = try await OtherComputer()
    let clip = try await makeSlowClip("clip.avi")
    let result = try await importing(clip, at: other) {
      let work = try await library.unfinishedWork()
      let logged = try await Command.run(
        Command.holdfast, library.command(["craving", "log", "--intensity", "3"]),
        environment: ["LD_PRELOAD": other.preload])
      #expect(logged.status == 0 && logged.errorOutput == "", "\(logged.errorOutput)")
      #expect(try await library.unfinishedWork() == work)
    }
    try await expectMoved(result, clip)
  }

  @Test("A source is kept if what was published is gone before the row is written")
  func gone() async throws {
    let other = try await OtherComputer()
    let clip = try copyFixture("portrait.mov", to: "clip.mov")
    let result = try await library.holdfast(
      ["import", "--move", "--json", clip], stoppedAt: "fsync", of: "\(library.path)/Recordings",
      preload: other.preload
    ) {
      let file = try #require(try await library.find("-name", "video_*.mov").first)
      try FileManager.default.removeItem(atPath: "\(library.path)/\(file)")
    }
    let line = try #require(try ImportLine.lines(of: result).first)
    #expect(
      line.moved == .source(false) && line.stays?.hasSuffix(" is no longer in the library") == true)
    #expect(try await sha256(of: clip) == sha256(of: Fixtures.path("portrait.mov")))
  }

  @Test("is not undone between its files and its row")
  func published() async throws {
    let other = try await OtherComputer()
    let clip = try copyFixture("portrait.mov", to: "clip.avi")
    let result = try await library.holdfast(
      ["import", "--move", clip], stoppedAt: "fsync", of: "\(library.path)/Recordings",
      preload: other.preload
    ) {
      let files = try await library.find("-name", "video_*")
      try #require(files.count == 2)
      for command in [["craving", "log", "--intensity", "3"], ["verify", "--repair"]] {
        let log = try await other.holdfast(library, command)
        #expect(log.status == 0, "\(log.output)\(log.errorOutput)")
      }
      #expect(try await library.find("-name", "video_*") == files)
    }
    try await expectMoved(result, clip)
  }

  @Test("After a day, another computer's work is quarantined whole; it can still be finished")
  func abandoned() async throws {
    let other = try await OtherComputer()
    try await library.importing("portrait.mov")
    let clip = try await makeSlowClip("clip.avi")
    let result = try await importing(clip, at: other) {
      try await library.letTwoDaysPass()
      let hashes = try await library.hashes()
      let folder = try #require(try await library.find("-path", "*/.staging/*", "-type", "d").first)
      let logged = try await other.holdfast(library, "craving", "log", "--intensity", "3")
      #expect(logged.status == 0)
      #expect(logged.errorLines.first?.contains("is in .quarantine/") == true)
      #expect(
        try await library.find("-path", "*/.staging/*", "!", "-path", "*/.quarantine/*") == [])
      #expect(
        try await library.find("-path", "*/.quarantine/*/\(folder)/*", "-name", "video_*").count
          == 1)
      let notes = try #require(try await library.find("-name", "notes.txt").first)
      let text = try String(contentsOfFile: "\(library.path)/\(notes)", encoding: .utf8)
      #expect(text.hasPrefix("\(folder): another computer"))
      #expect(try await library.hashes() == hashes)
    }
    try await expectMoved(result, clip)
  }

  @Test("Neither a clock that is ahead nor a future time makes work count as old")
  func future() async throws {
    let other = try await OtherComputer()
    let clip = try await makeSlowClip("clip.avi")
    let result = try await importing(clip, at: other) {
      _ = try await Command.output(
        of: "find",
        [
          "\(library.path)/.staging", "-mindepth", "1", "-exec", "touch", "-d", "2400-01-01", "{}",
          "+",
        ])
      let work = try await library.unfinishedWork()
      #expect(
        try await other.holdfast(library, "craving", "log", "--intensity", "3").status == 0)
      #expect(try await library.unfinishedWork() == work)
    }
    try await expectMoved(result, clip)
  }

  /// In quarantine, the files of the only recording made the library look offline for ever.
  @Test("A deletion that died there is left alone, and undone after a day")
  func deletion() async throws {
    let other = try await OtherComputer()
    try await library.importing("portrait.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL"], path: "\(library.path)/Recordings",
      library.command(["delete", "--yes", id]))
    try #require(killed.result.status == 128 + SIGKILL)
    let work = try await library.unfinishedWork()
    #expect(work.count == 4, "\(work)")
    let log = ["craving", "log", "--intensity", "3"]
    #expect(try await other.holdfast(library, log).status == 0)
    #expect(try await library.unfinishedWork() == work)

    try await library.letTwoDaysPass()
    let hashes = try await library.hashes()
    #expect(try await other.holdfast(library, log).status == 0)
    #expect(try await library.find("-path", "*/.quarantine/*") == [])
    #expect(try await library.hashes() == hashes)
    try await library.expectSound()
  }

  /// It was neither brought back nor put into quarantine, since without its files the library
  /// looked offline.
  @Test("An erase that died there before its commit is left alone, and undone after a day")
  func erase() async throws {
    let other = try await OtherComputer()
    try await library.importing("portrait.mov")
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let before = try await library.find("-path", "*/Recordings/*")
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL"], path: library.path,
      library.command(["erase", "--everything", "--yes", uuid]))
    try #require(killed.result.status == 128 + SIGKILL)
    let work = try await library.unfinishedWork()
    #expect(work.count == 6, "\(work)")
    let log = ["craving", "log", "--intensity", "3"]
    #expect(try await other.holdfast(library, log).status == 0)
    #expect(try await library.unfinishedWork() == work)

    try await library.letTwoDaysPass()
    let logged = try await other.holdfast(library, log)
    #expect(logged.status == 0 && logged.errorLines.count == 1, "\(logged.errorOutput)")
    #expect(try await library.find("-path", "*/Recordings/*") == before)
    #expect(try await library.find("-path", "*/.quarantine/*") == [])
    try await library.expectSound()
  }

  @Test("This computer undoes its own deletion at once")
  func ownDeletion() async throws {
    try await library.importing("portrait.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL"], path: "\(library.path)/Recordings",
      library.command(["delete", "--yes", id]))
    try #require(killed.result.status == 128 + SIGKILL)
    #expect(try await library.holdfast("craving", "log", "--intensity", "3").status == 0)
    try await library.expectSound()
  }

  @Test("Work that does not say whose it is, as an older Holdfast left it, is never removed")
  func unowned() async throws {
    try await library.importing("portrait.mov")
    let (staged, deleted) = (UUID().uuidString, UUID().uuidString)
    for name in [
      ".staging/\(staged)/lock", ".staging/\(staged)/audio_\(staged).m4a",
      "Recordings/video_\(staged).mov", ".trash/\(deleted)/audio_\(deleted).m4a",
    ] {
      let file = URL(filePath: "\(library.path)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("precious \(name)".utf8).write(to: file)
    }
    let hashes = try await library.hashes()
    for days in 0...1 {
      if days > 0 { try await library.letTwoDaysPass() }
      #expect(try await library.holdfast("craving", "log", "--intensity", "3").status == 0)
      #expect(try await library.hashes() == hashes)
    }
    #expect(try await library.find("-path", "*/.quarantine/*", "-name", "audio_*").count == 2)
    #expect(
      try await library.find("-name", "video_\(staged).mov") == ["Recordings/video_\(staged).mov"])
  }

  @Test(
    "A staging folder names its computer, boot, process and time, and not the machine's ID",
    .notInSample)
  func owner() async throws {
    let other = try await OtherComputer()
    let clip = try await makeSlowClip("clip.avi")
    let result = try await importing(clip, at: other) {
      let lock = try #require(try await library.find("-path", "*/.staging/*/lock").first)
      let text = try String(contentsOfFile: "\(library.path)/\(lock)", encoding: .utf8)
      let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      let machine = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
      let folder = lock.split(separator: "/")[1]
      let tag = try #require(folder.split(separator: ".").last)
      #expect(tag.count == 16 && text.hasPrefix("machine=\(tag) boot=\(boot.dropLast()) process="))
      #expect(text.contains(try #"^.* started=[1-9]\d* time=\d{10}\n$"#.asRegex))
      #expect(!text.contains(machine.dropLast()) && !machine.contains(tag))
    }
    try await expectMoved(result, clip)
  }
}

extension String {
  fileprivate var asRegex: Regex<AnyRegexOutput> {
    get throws { try Regex(self) }
  }
}
