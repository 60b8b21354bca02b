import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Moving sources", .temporaryFolder)
struct MoveTests {
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Imports with `--move`.
  private func move(
    _ paths: [String], _ script: ScriptedEngine.Script = ScriptedEngine.Script(),
    isDryRun: Bool = false
  ) async throws -> Outcomes {
    let library = try open(ScriptedEngine(script))
    let options = ImportOptions(movesSources: true, isDryRun: isDryRun, jobs: 1)
    var outcomes = Outcomes()
    for try await event in try library.importRecordings(paths, options: options) {
      outcomes.add(event)
    }
    return outcomes
  }

  @Test("A source that is whole in the library is removed, after its row is written")
  func moved() async throws {
    let path = try source("memo.m4a")
    let outcomes = try await move([path])
    #expect(outcomes.imported.count == 1 && outcomes.fates == [.moved])
    #expect(!exists(path))
    try expectNoTraces()
  }

  @Test("Nothing is removed without --move, in a dry run, or of a refused source")
  func untouched() async throws {
    let path = try source("memo.m4a")
    #expect(try await run(ScriptedEngine(), [], paths: [path]).fates == [.untouched])
    #expect(exists(path))
    let other = try source("other.m4a")
    #expect(try await move([other], isDryRun: true).planned == 1)
    #expect(exists(other))
    var script = ScriptedEngine.Script()
    script.onCheck = { _ in
      throw HoldfastError(.checkFailed, "2 pictures were written instead of 3")
    }
    #expect(try await move([other], script).failed.count == 1)
    #expect(exists(other))
  }

  @Test("A source that is in the library already stays")
  func duplicate() async throws {
    let first = try source("a.m4a", content: "same")
    let second = try source("b.m4a", content: "same")
    let outcomes = try await move([first, second])
    #expect(outcomes.fates == [.moved] && outcomes.duplicates == outcomes.imported.map(\.id))
    #expect(!exists(first) && exists(second))
  }

  @Test("Two hard links imported at the same time become one recording, and one link stays")
  func hardLinks() async throws {
    let first = try source("a.m4a")
    let second = temporary("b.m4a")
    #expect(link(first, second) == 0)
    var script = ScriptedEngine.Script()
    let (converting, starts) = AsyncStream.makeStream(of: Void.self)
    let arrivals = Counter()
    // Neither goes on before both have checked for duplicates.
    script.onConvert = { _ in
      if arrivals.next() == 2 { return starts.finish() }
      for await _ in converting {}
    }
    let library = try open(ScriptedEngine(script))
    var outcomes = Outcomes()
    let options = ImportOptions(movesSources: true, jobs: 2)
    for try await event in try library.importRecordings([first, second], options: options) {
      outcomes.add(event)
    }
    #expect(outcomes.fates == [.moved] && outcomes.failed.isEmpty)
    #expect(outcomes.duplicates == outcomes.imported.map(\.id))
    #expect(exists(first) != exists(second))
  }

  /// The left-out parts of a source, and the reported reason.
  struct Loss: CustomTestStringConvertible {
    let reason: String
    let change: @Sendable (inout ScriptedEngine.Script) -> Void

    init(_ reason: String, _ change: @escaping @Sendable (inout ScriptedEngine.Script) -> Void) {
      (self.reason, self.change) = (reason, change)
    }

    var testDescription: String { reason }

    private static func track(_ index: Int, _ kind: StreamInfo.Kind) -> StreamInfo {
      var stream = StreamInfo(index: index, kind: kind, codec: "x")
      stream.decodes = index != 9
      return stream
    }

    static let all = [
      Loss("its second audio track is not in the library") {
        $0.info.streams.append(track(1, .audio))
      },
      Loss("its first audio track and its third audio track are not in the library") {
        $0.info.streams = [track(9, .audio), track(0, .audio), track(2, .audio)]
      },
      Loss("its video track is not in the library") { $0.info.streams.append(track(9, .video)) },
      Loss("its video track, its second audio track and its subtitles are not in the library") {
        $0.info.streams += [track(1, .audio), track(9, .video), track(3, .subtitle)]
      },
      Loss("its subtitles are not in the library") {
        $0.info.streams.append(track(1, .subtitle))
      },
      Loss("4 more of its tracks are not in the library") { $0.info.unseenStreams = 4 },
      Loss("it is damaged at 1 place, which was skipped") {
        $0.info.noteDamage("it is damaged at 1 place, which was skipped")
      },
      Loss("it is damaged") { $0.info.isDamaged = true },
      Loss("nothing is known about its sound in the library") {
        $0.info.streams[0].sound = SoundFormat(sampleRate: 44_100, channels: 1)
        $0.info.streams[0].copyObstacle = "x"
      },
      Loss("its dynamic range description (Dolby Vision) is not in the library") {
        $0.info.streams = [StreamInfo(index: 0, kind: .video, codec: "hevc")]
        ($0.info.video, $0.info.audio, $0.info.type) = (0, nil, .video)
        $0.info.descriptions = [.dolbyVision]
      },
      Loss("it is damaged, and 3 packets of it cannot be decoded") { $0.damagedPackets = 3 },
      Loss("only 1.5 s of its 2 s are in the library") { $0.duration = 1.5 },
      Loss(
        "its subtitles are not in the library; it is damaged, and 1 packet of it cannot be "
          + "decoded"
      ) {
        $0.info.streams.append(track(1, .subtitle))
        $0.damagedPackets = 1
      },
    ]
  }

  @Test(
    "A source stays if any part of it is lost, and the reason names the part", arguments: Loss.all)
  func lost(_ loss: Loss) async throws {
    var script = ScriptedEngine.Script()
    loss.change(&script)
    let path = try source("memo.m4a")
    let outcomes = try await move([path], script)
    #expect(outcomes.imported.count == 1)
    #expect(outcomes.fates == [.stays(StayReason(.notWhole, loss.reason))])
    #expect(exists(path))
  }

  @Test("A source is moved although covers and timed data are left out")
  func policy() async throws {
    var script = ScriptedEngine.Script()
    script.info.streams += [
      StreamInfo(index: 1, kind: .data, codec: "mebx"),
      StreamInfo(index: 2, kind: .picture, codec: "mjpeg"),
    ]
    // Padding by an encoder or rounding by a container does not count as missing.
    script.duration = 1.95
    #expect(try await move([try source("memo.m4a")], script).fates == [.moved])
  }

  @Test("A link stays, and so does its target")
  func namedLink() async throws {
    let path = try source("memo.m4a")
    let link = temporary("link.m4a")
    #expect(symlink(path, link) == 0)
    let outcomes = try await move([link])
    #expect(
      outcomes.fates
        == [.stays(StayReason(.link, "it is a link; remove it and what it points to yourself"))])
    #expect(exists(path) && exists(link))
  }

  @Test("A source that is replaced during its import is refused, and stays")
  func replaced() async throws {
    let path = try source("memo.m4a")
    var script = ScriptedEngine.Script()
    script.onCheck = { _ in
      rename(path, path + ".old")
      try Data("another".utf8).write(to: URL(filePath: path))
    }
    let outcomes = try await move([path], script)
    // The file that was read has lost its name, which counts as a change.
    #expect(outcomes.fates.isEmpty && outcomes.failed.count == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "another")
    #expect(exists(path + ".old"))
  }

  @Test("A file of the library is never removed as a source")
  func ownFile() async throws {
    let recording = try #require(try await run(ScriptedEngine(), ["a.m4a"]).imported.first)
    let file = temporary("library/\(recording.filePath)")
    for path in [file, temporary("library")] {
      #expect(try await move([path]).failed.count == 1)
    }
    #expect(exists(file))
  }
}
