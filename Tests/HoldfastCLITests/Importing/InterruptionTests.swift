import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("Imports that are disturbed", .temporaryFolder)
struct InterruptionTests {
  let library = LibraryFolder()

  @Test(
    "A source that changes during its import is refused, and imported when it is complete",
    arguments: Extent.sample(["append", "touch", "overwrite in place"], every: 5))
  func changedSource(change: String) async throws {
    let clip = try await makeSlowClip("clip.avi")
    let result = try await library.holdfast(
      sending: SIGSTOP, whileImporting: ["--json", clip]
    ) { _ in
      switch change {
      case "append":
        let file = try FileHandle(forWritingTo: URL(filePath: clip))
        try file.seekToEnd()
        try file.write(contentsOf: Data("more".utf8))
        try file.close()
      case "touch": _ = try await Command.output(of: "touch", [clip])
      default:
        _ = try await Command.output(
          of: "bash", ["-c", "printf JUNK | dd of=\"$0\" bs=1 seek=99 conv=notrunc", clip])
      }
    }
    #expect(result.status == 3)
    let event = try #require(try ImportLine.lines(of: result).first)
    #expect(event.event == "failed")
    #expect(event.code == "sourceChanged")
    #expect(
      event.error
        == "changed while it was read; wait until it is complete and import it again")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    try await library.expectSound()
  }

  @Test(
    "An interruption undoes what is in flight, keeps what is done, and says so",
    arguments: Extent.sample([SIGINT, SIGTERM, SIGHUP], every: 5))
  func interrupted(signal: Int32) async throws {
    let clip = try await makeSlowClip("clip.avi")
    let aac = Fixtures.path("aac.m4a")
    let result = try await library.holdfast(
      sending: signal, whileImporting: ["--jobs", "1", aac, clip], stagingA: ".mov")
    #expect(result.status == 130)
    #expect(result.lines.count == 2)
    #expect(result.lines.last == "Interrupted: 1 imported, 1 undone.")
    #expect(result.errorLines.last == "undone    \(clip): interrupted")
    #expect(
      try await library.column("SELECT originalFilename FROM recording") == ["aac.m4a"])
    try await library.expectSound()
    // After any interruption, the next import imports it: here one second of it.
    _ = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-y", "-t", "1", "-i", clip, "-c", "copy", "\(clip).avi"])
    let next = try await library.holdfast("import", aac, "\(clip).avi")
    #expect(next.status == 0)
    #expect(next.lines.last == "1 imported, 1 already in the library.")
    try await library.expectSound()
  }

  @Test("An import ignores a signal that it was started to ignore, as with nohup", .notInSample)
  func ignoredSignal() async throws {
    let clip = try await makeSlowClip("clip.avi")
    let result = try await library.holdfast(
      sending: SIGSTOP, whileImporting: [clip],
      from: ["env", "--ignore-signal=HUP", "--ignore-signal=TERM"]
    ) { process in
      process.send(SIGHUP)
      process.send(SIGTERM)
    }
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.lines.last == "1 imported.")
    try await library.expectSound()
  }

  @Test("A killed import leaves its work in staging, and the next import removes it")
  func killed() async throws {
    let clip = try await makeSlowClip("clip.avi")
    let result = try await library.holdfast(sending: SIGSTOP, whileImporting: [clip]) { process in
      process.send(SIGKILL)
    }
    #expect(result.status == 128 + SIGKILL)
    #expect(try await library.findings().map(\.kind) == ["staleStaging"])
    let next = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    #expect(next.status == 0)
    #expect(
      next.errorLines == ["Repaired what an interrupted command had left."])
    try await library.expectSound()
  }

  @Test("An import does not touch the work of another running import, even of a stopped one")
  func livingImport() async throws {
    let clip = try await makeSlowClip("clip.avi")
    let result = try await library.holdfast(sending: SIGSTOP, whileImporting: [clip]) { process in
      try await library.importing("aac.m4a")
      #expect(library.fileInStaging() != nil)
      #expect(try await library.findings().isEmpty)
      process.send(SIGCONT)
      process.send(SIGINT)
    }
    #expect(result.status == 130)
    try await library.expectSound()
  }
}
