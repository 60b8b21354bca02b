import Foundation
import HoldfastTestSupport
import Testing

@Suite("A hostile media file", .temporaryFolder, .notInSample)
struct HostileFileTests {
  let library = LibraryFolder()

  /// The most memory for reading any file, in megabytes.
  private static let most = 500

  /// Probes and imports a file, and expects little use of the machine, and an import or a refusal.
  private func expectBounded(_ path: String, _ words: String?) async throws {
    for command in [["probe", path], library.command(["import", "--quiet", path])] {
      let measured = try await Command.measured(Command.holdfast, command)
      let result = measured.result
      print(
        "\(path.split(separator: "/").last ?? ""), \(command[0]):",
        measured.seconds, "s,", measured.megabytes, "MB, status", result.status)
      #expect(measured.megabytes < Self.most, "\(command[0])")
      result.expectHarmless(command[0])
      #expect([0, 3].contains(result.status), "\(result.errorOutput)")
      if result.status == 3 {
        #expect(result.errorLines.count == 1, "\(result.errorOutput)")
      }
      guard words != "" else { continue }
      #expect(result.status == (words == nil ? 0 : 3), "\(command[0]): \(result.errorOutput)")
      if let words { #expect(result.errorOutput.contains(words), "\(result.errorOutput)") }
    }
    try await library.expectSound()
  }

  private func expectBounded(_ file: HostileFile) async throws {
    let path = temporary(file.testDescription)
    try Data(try await file.bytes()).write(to: URL(filePath: path))
    try await expectBounded(path, file.words)
  }

  @Test(
    "is imported or refused in one sentence, with little memory", .timeLimit(.minutes(40)),
    arguments: Extent.sample(HostileFile.all, every: 7))
  func crafted(file: HostileFile) async throws { try await expectBounded(file) }

  @Test(
    "with a single picture of the largest accepted size is imported with little memory",
    .timeLimit(.minutes(40)),
    arguments: Extent.sample(
      [
        ("h264.mp4", ["-c:v", "libx264", "-preset", "ultrafast"]),
        (
          "hevc.mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]
        ),
        ("mjpeg.mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
        ("vp8.mkv", ["-c:v", "libvpx", "-deadline", "realtime"]),
        ("vp9.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
      ], every: 5))
  func largePicture(name: String, options: [String]) async throws {
    let path = temporary(name)
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=gray:size=8192x4880:rate=25:duration=0.08",
      ] + options + [path])
    try await expectBounded(path, "")
  }

  @Test(
    "that names another file, in its content or its own name, opens no other file",
    arguments: Extent.sample(
      [
        "clip.mp4", "%03d.mp4", "clip%d.jpg", "*.mov", "concat:a.mp4|b.mp4", "file:other.mp4",
        "pipe:0", "http:--localhost-a.mp4", "data:,x.mp4", "subfile,,start,0,end,100,,:other.mp4",
        "async:other.mp4", "crypto:other.mp4", "list.m3u8", "tee:other.mp4",
      ], every: 4))
  func otherFile(name: String) async throws {
    let folder = try makeFolder("in")
    // The named file exists, and would be a recording.
    for other in ["other.mp4", "001.mp4", "clip1.jpg", "a.mp4", "b.mp4"] {
      try copyFixture("portrait.mov", to: "in/\(other)")
    }
    for (content, isTaken) in [
      ("playlist", false), ("concat", false), ("recording", true),
    ] {
      let path = "\(folder)/\(name)"
      try? FileManager.default.removeItem(atPath: path)
      switch content {
      case "playlist":
        try Data("#EXTM3U\n#EXTINF:1,\nother.mp4\n#EXT-X-ENDLIST\n".utf8)
          .write(to: URL(filePath: path))
      case "concat":
        try Data("ffconcat version 1.0\nfile other.mp4\n".utf8).write(to: URL(filePath: path))
      default: try copyFixture("silent-video.mp4", to: "in/\(name)")
      }
      let trace = try await Strace.run(["trace=%file,%network"], ["probe", path])
      // The names of a sequence of pictures are refused, whatever is in the first.
      let status: Int32 = isTaken && !name.hasSuffix("%d.jpg") ? 0 : 3
      #expect(trace.result.status == status, "\(content): \(trace.result.errorOutput)")
      let opened = trace.calls.filter { $0.hasPrefix("open") && $0.contains("<\(folder)/") }
      #expect(opened.allSatisfy { $0.contains("<\(path)>") }, "\(content): \(opened)")
      let connected = trace.calls.filter { $0.hasPrefix("connect(") && $0.contains("AF_INET") }
      #expect(connected.isEmpty)
    }
  }
}
