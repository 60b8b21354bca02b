import Foundation
import HoldfastModel
import HoldfastWire

/// The Library refuses any message of a compromised worker, or goes on without harm.
enum FramePromises {
  static var examples: [Data] {
    get throws {
      var video = StreamInfo(index: 0, kind: .video, codec: "h264")
      video.packets = 3600
      video.picture = PictureFormat(
        width: 320, height: 180, orientation: Orientation(clockwise: 90), frameRate: 30)
      video.duration = 130
      var sound = StreamInfo(index: 1, kind: .audio, codec: "opus")
      sound.copyObstacle = "it is opus"
      sound.sound = SoundFormat(sampleRate: 48_000, channels: 2)
      sound.duration = 130
      var info = MediaInfo(container: "mov", fileSize: 1000)
      (info.type, info.duration, info.isMeasured) = (.video, 130, true)
      info.start = MediaTime(ticks: -5, numerator: 1, denominator: 1000)
      (info.streams, info.video, info.audio) = ([video, sound], 0, 1)
      info.warnings = ["something"]
      info.transcript = try PhoneTranscript(
        reading: Array(PhonePromises.examples.first ?? Data()), end: nil)
      info.pictures = PictureTimes(
        numerator: 1, denominator: 1, shown: [0, 2, 1, 60, 62, 61, 119, 121], keyframes: [0, 3, 6],
        end: 130)
      let replies: [WorkerReply] = [
        .alive, .progress(0.5), .done(.probed(info)),
        .failed(MediaFailure(HoldfastError(.damaged, "is damaged", detail: "no"))),
        .unfit("no"), .needsMemory(pixels: 5),
        .done(.converted(ConversionReport(plan: try ConversionPlan(for: short(info))))),
        .done(.checked(CheckReport(duration: 1))),
        .done(
          .drawn(
            ThumbnailReport(
              size: PictureSize(width: 5, height: 4),
              choice: FrameChoice(time: 1, score: 0.5, reason: .usual), bytes: 9))),
      ]
      return try replies.map { reply in
        let content = try WireCoding.encode(reply)
        return Data((0..<4).map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) } + content)
      }
    }
  }

  /// The same file, short enough to become one recording.
  private static func short(_ info: MediaInfo) -> MediaInfo {
    var info = info
    info.duration = 100
    return info
  }

  static let words = [
    "\"done\"", "\"probed\"", "\"_0\"", "\"failed\"", "\"alive\"", "\"progress\"", "\"ticks\"",
    "\"duration\"", "\"denominator\"", "\"numerator\"", "\"shown\"", "\"keyframes\"", "\"streams\"",
    "\"transcript\"", "\"text\"", "\"pieces\"", "/////wAA", "\\u0000",
    "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "2147483647", "-2147483648",
    "\u{1}\u{0}\u{0}\u{0}", "\u{0}\u{0}\u{0}\u{7F}",
  ]

  static func check(_ bytes: Data) throws {
    let (channel, otherEnd) = try FrameChannel.pair()
    // An example must fit into the kernel's buffer.
    let written = bytes.prefix(100_000).withUnsafeBytes {
      write(otherEnd, $0.baseAddress, $0.count)
    }
    close(otherEnd)
    guard written >= 0 else { return }
    do {
      var deadline: Deadline? = Deadline(in: 60)
      while let frame = try channel.receive(within: 1, before: &deadline) {
        try BrokenPromise.unless(frame.descriptors.isEmpty, "a descriptor out of nothing")
        try take(try WireCoding.decode(WorkerReply.self, from: frame.content))
      }
    } catch let error as WireError {
      try BrokenPromise.unless(error != .timedOut, "waits for more than there is")
      try BrokenPromise.unlessSentence(error.description)
    }
  }

  /// The Library's handling of an answer.
  private static func take(_ reply: WorkerReply) throws {
    if case .failed(let failure) = reply { _ = failure.vetted(for: .describe) }
    guard case .done(let report) = reply, report.isPlausible else { return }
    if case .converted(let conversion) = report { _ = conversion.encodedSoundEnd }
    guard case .probed(let info) = report else { return }
    for overLimit in [OverLimitPolicy.refuse, .trim, .split] {
      for video in VideoPolicy.allCases {
        let plans = try? ConversionPlan.parts(
          of: info,
          options: ConversionOptions(overLimit: overLimit, video: video, maxHeight: 100))
        for plan in (plans ?? []).prefix(3) {
          guard let words = try? info.transcript?.words(for: plan, duration: 120) else { continue }
          try Transcript(of: RecordingID(), words, source: .phone, createdAt: .distantPast)
            .validate()
        }
      }
    }
  }
}
