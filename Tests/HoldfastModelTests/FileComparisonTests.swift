import Foundation
import Testing

@testable import HoldfastModel

@Suite("Which of two files a merge keeps")
struct FileComparisonTests {
  /// A file of a clip in HLG with 10 bits and stereo sound.
  private static func file(
    _ number: UInt8, isCopied: Bool = true, change: (inout ConversionReport) -> Void = { _ in }
  ) throws -> Recording {
    var recording = try Samples.recording()
    recording.ingestion.fileSHA256 = try #require(
      SHA256Digest(bytes: [UInt8](repeating: number, count: 32)))
    // The file with the larger number is smaller: bytes do not matter.
    recording.ingestion.fileSize = 1000 - Int64(number)
    var report = ConversionReport(
      plan: try ConversionPlan(
        for: Samples.info(
          pictureObstacle: isCopied ? nil : "x", soundObstacle: isCopied ? nil : "x")))
    var check = CheckReport(duration: 2)
    check.picture = PictureFormat(
      width: 320, height: 180, bitDepth: 10, dynamicRange: .hlg, isWideGamut: true)
    check.sound = SoundFormat(sampleRate: 48_000, channels: 2)
    check.descriptions = [.contentLight]
    report.check = check
    change(&report)
    recording.ingestion.conversion = report
    return recording
  }

  /// A way in which a file holds less than another.
  struct Lack: CustomTestStringConvertible {
    let testDescription: String
    var isCopied = false
    let change: @Sendable (inout ConversionReport) -> Void

    static let all = [
      Lack(testDescription: "fewer pixels") { $0.check?.picture?.height = 90 },
      Lack(testDescription: "fewer bits") { $0.check?.picture?.bitDepth = 8 },
      Lack(testDescription: "no HLG") { $0.check?.picture?.dynamicRange = .sdr },
      Lack(testDescription: "no HLG in a copy", isCopied: true) {
        $0.check?.picture?.dynamicRange = .sdr
      },
      Lack(testDescription: "no wide gamut") { $0.check?.picture?.isWideGamut = false },
      Lack(testDescription: "one channel") { $0.check?.sound?.channels = 1 },
      Lack(testDescription: "fewer samples a second") { $0.check?.sound?.sampleRate = 16_000 },
      Lack(testDescription: "no sound") { $0.plan.audio = nil },
      Lack(testDescription: "shorter", isCopied: true) { $0.check?.duration = 1.5 },
      Lack(testDescription: "trimmed", isCopied: true) {
        $0.plan.stretch = .init()
        $0.plan.stretch?.isAlone = true
      },
      Lack(testDescription: "no description", isCopied: true) { $0.check?.descriptions = [] },
    ]
  }

  @Test(
    "A file that holds more is kept by both libraries, whichever has more bytes",
    arguments: Lack.all)
  func covers(_ lack: Lack) throws {
    for (more, less) in [(UInt8(1), UInt8(2)), (2, 1)] {
      let full = try Self.file(more, isCopied: lack.isCopied)
      let poor = try Self.file(less, isCopied: lack.isCopied, change: lack.change)
      #expect(FileComparison(full, poor).choice == .own)
      #expect(FileComparison(poor, full).choice == .other)
      #expect(FileComparison(poor, full).canBecomeOne)
    }
  }

  @Test("A copy is kept rather than an encode of the same format")
  func copied() throws {
    let (copy, encode) = (try Self.file(1), try Self.file(2, isCopied: false))
    #expect(FileComparison(copy, encode).choice == .own)
    #expect(FileComparison(encode, copy).choice == .other)
  }

  @Test("Of two files that are equal in everything, both libraries keep the larger hash")
  func equal() throws {
    let (one, two) = (try Self.file(1), try Self.file(2))
    #expect(FileComparison(one, two).choice == .other)
    #expect(FileComparison(two, one).choice == .own)
    #expect(FileComparison(one, one).choice == .own)
  }

  @Test("Neither is replaced if each lacks something of the other, or one is unknown")
  func neither() throws {
    let small = try Self.file(1, isCopied: false) { $0.check?.picture?.height = 90 }
    let mono = try Self.file(2, isCopied: false) { $0.check?.sound?.channels = 1 }
    var rebuilt = try Self.file(3)
    rebuilt.ingestion.conversion = nil
    let unchecked = try Self.file(4) { $0.check = nil }
    let old = try Self.file(5) { $0.check?.picture = nil }
    for other in [mono, rebuilt, unchecked, old] {
      for (own, other) in [(small, other), (other, small)] {
        #expect(FileComparison(own, other).choice == .neither)
        #expect(!FileComparison(own, other).canBecomeOne)
      }
    }
  }

  @Test("No merge changes whether a recording names a place or a device")
  func tags() throws {
    let plain = try Self.file(1)
    let named = try Self.file(2) { $0.keptMetadata = ["com.apple.quicktime.make"] }
    let small = try Self.file(3, isCopied: false) { $0.check?.picture?.height = 90 }
    // The same packets: each library keeps its own file of the now shared recording.
    for (own, other) in [(plain, named), (named, plain)] {
      #expect(FileComparison(own, other).choice == .own)
      #expect(FileComparison(own, other).canBecomeOne)
    }
    #expect(FileComparison(small, named).choice == .neither)
    #expect(!FileComparison(small, named).canBecomeOne)
    #expect(!FileComparison(named, small).canBecomeOne)
  }

  @Test("Of two rows of one file, the one that describes the file's contents is kept")
  func known() throws {
    let known = try Self.file(1)
    var unknown = known
    unknown.ingestion.conversion = nil
    for (own, other) in [(known, unknown), (unknown, known)] {
      let merged = try MergedRecording(.init(own), .init(other))
      #expect(merged?.recording.ingestion.conversion == known.ingestion.conversion)
    }
  }

  @Test("Lossless sound covers its source only with all of its channels, bits and samples")
  func lossless() throws {
    var file = try Self.file(1, isCopied: false)
    var report = try #require(file.ingestion.conversion)
    report.plan.audio?.soundCodec = .alac
    report.check?.sound = SoundFormat(sampleRate: 44_100, channels: 2, bitDepth: 24)
    var info = Samples.info(soundObstacle: "x")
    let index = try #require(info.streams.firstIndex { $0.kind == .audio })
    for (bits, isCovered) in [(16, true), (24, true), (32, false)] {
      info.streams[index].sound = SoundFormat(sampleRate: 44_100, channels: 2, bitDepth: bits)
      #expect(MediaContent([report]).covers(MediaContent(ofSource: info)) == isCovered)
    }
    file.ingestion.conversion = report
    #expect(FileComparison(file, try Self.file(2, isCopied: false)).choice == .neither)
  }

  @Test("Times that are not numbers cover nothing")
  func times() throws {
    let odd = try Self.file(9) { $0.plan.start = MediaTime(ticks: 0, numerator: 0, denominator: 0) }
    #expect(FileComparison(try Self.file(1), odd).choice == .neither)
    #expect(FileComparison(odd, try Self.file(1)).choice == .neither)
  }
}
