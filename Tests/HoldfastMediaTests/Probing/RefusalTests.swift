import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Files that are not recordings are refused with a specific sentence", .temporaryFolder)
struct RefusalTests {
  /// A fixture's refusal: the kind of error, and words of its sentence.
  private static let sentences: [String: (HoldfastError.Code, String)] = [
    "concat.ffconcat": (.notAccepted, "is a playlist"),
    "cover-only.mp3": (.nothingToPlay, "no sound"),
    "empty.mp4": (.empty, "is empty (0 bytes)"),
    "encrypted.mp4": (.encrypted, "is encrypted"),
    "len-121.m4a": (.overLimit, "121 s long"),
    "notes.txt": (.notAccepted, "is text"),
    "photo.heic": (.notAccepted, "is a still image (heic)"),
    "photo.jpg": (.notAccepted, "is a still image"),
    "playlist.m3u8": (.notAccepted, "is a playlist"),
    "session.sdp": (.notAccepted, "is a session description"),
    "text.mp4": (.notAccepted, "is text"),
    "truncated.mp4": (.nothingToPlay, "cut off"),
  ]

  private func refusal(of path: String, flags: CInt = O_RDONLY) async throws -> HoldfastError {
    try await #require(throws: HoldfastError.self) {
      _ = try ConversionPlan(for: try await probe(path, flags: flags))
    }
  }

  @Test(
    "The fixtures that must be refused",
    arguments: Fixtures.manifest.filter { $0.expect == .refuse })
  func fixtures(_ row: ManifestRow) async throws {
    let (code, words) = try #require(Self.sentences[row.path], "no sentence is known")
    let error = try await refusal(of: Fixtures.path(row.path))
    #expect(error.code == code)
    #expect(error.reason.contains(words))
    #expect(!error.reason.contains("\n"))
  }

  @Test(
    "Files whose names look like recordings'",
    arguments: Extent.sample(["playlist.m3u8", "concat.ffconcat", "session.sdp"], every: 3))
  func otherNames(_ name: String) async throws {
    let (code, words) = try #require(Self.sentences[name])
    for disguise in ["clip.mp4", "clip.mov", "memo.m4a", "clip.mkv"] {
      let path = TemporaryFolder.current + "/" + disguise
      try FileManager.default.copyItem(atPath: Fixtures.path(name), toPath: path)
      let error = try await refusal(of: path)
      #expect(error.code == code)
      #expect(error.reason.contains(words))
    }
  }

  @Test("Sound with a sample rate that no recorder has, which takes minutes to convert")
  func sampleRate() async throws {
    var wave = [UInt8](try Data(contentsOf: URL(filePath: Fixtures.path("voice.wav"))))
    for (rate, isAccepted) in [(2_822_400, true), (1_157_594_880, false)] as [(UInt32, Bool)] {
      wave.replaceSubrange(24..<28, with: Bytes.little(rate))
      let path = TemporaryFolder.current + "/\(rate).wav"
      try Data(wave).write(to: URL(filePath: path))
      if isAccepted {
        #expect(try await probe(path).type == .audio)
      } else {
        let error = try await refusal(of: path)
        #expect(error.code == .nothingToPlay)
        #expect(error.reason.contains("which cannot be decoded"))
      }
    }
  }

  @Test("A video is accepted whatever its name says")
  func misnamed() async throws {
    for name in ["clip.txt", "clip.m3u8", "clip.jpg", "clip"] {
      let path = TemporaryFolder.current + "/" + name
      try FileManager.default.copyItem(atPath: Fixtures.path("silent-video.mp4"), toPath: path)
      #expect(try await probe(path).type == .video)
    }
  }

  @Test("A folder, a pipe and a device")
  func notFiles() async throws {
    let folder = try await refusal(of: TemporaryFolder.current)
    #expect(folder.code == .notAFile)
    #expect(folder.reason == "is a folder, not a recording")
    let pipe = TemporaryFolder.current + "/pipe.mov"
    #expect(mkfifo(pipe, 0o600) == 0)
    let fifo = try await refusal(of: pipe, flags: O_RDONLY | O_NONBLOCK)
    #expect(fifo.code == .notAFile)
    #expect(fifo.reason.hasPrefix("is a pipe"))
    let device = try await refusal(of: "/dev/zero")
    #expect(device.code == .notAFile)
    #expect(device.reason.hasPrefix("is a device or socket"))
  }

  @Test("Zeros, subtitles and containers outside the list")
  func otherKinds() async throws {
    let zeros = TemporaryFolder.current + "/zeros.mov"
    try Data(count: 100_000).write(to: URL(fileURLWithPath: zeros))
    #expect(try await refusal(of: zeros).reason.contains("nothing but zeros"))
    let subtitles = TemporaryFolder.current + "/a.vtt"
    try Data("WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n".utf8).write(
      to: URL(fileURLWithPath: subtitles))
    #expect(try await refusal(of: subtitles).reason == "holds subtitles only")
    let flash = try await make(
      "clip.flv", ["-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2", "-c:v", "flv1"])
    #expect(try await refusal(of: flash).reason.contains("does not accept (FLV (Flash Video))"))
    let picture = try await make(
      "a.png", ["-f", "lavfi", "-i", "testsrc2=s=16x16", "-frames:v", "1"])
    #expect(try await refusal(of: picture).reason.hasPrefix("is a still image"))
    let animation = try await make("a.gif", ["-f", "lavfi", "-i", "testsrc2=s=16x16:d=1"])
    #expect(try await refusal(of: animation).reason.hasPrefix("is a picture or an animation"))
    let sequence = TemporaryFolder.current + "/a.heics"
    try Data(
      [0, 0, 0, 24] + Array("ftyphevc\0\0\0\0mif1hevc".utf8) + [UInt8](repeating: 1, count: 99)
    )
    .write(to: URL(fileURLWithPath: sequence))
    #expect(try await refusal(of: sequence).reason.hasPrefix("is an image sequence (hevc)"))
  }

  @Test("A file that the system cannot read is refused with the system's error")
  func unreadable() async throws {
    let path = TemporaryFolder.current + "/a.mov"
    try FileManager.default.copyItem(atPath: Fixtures.path("portrait.mov"), toPath: path)
    let error = try await refusal(of: path, flags: O_WRONLY)
    #expect(error.code == .inputRefused)
    #expect(error.errno == EBADF)
  }
}
