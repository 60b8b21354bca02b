import Foundation
import HoldfastModel
import HoldfastWire

/// Messages that hold most kinds of values.
///
/// When a type is read or written for the first time, Swift searches the whole program for its
/// conformances. The nursery does this once (``Rehearsal``).
enum SampleMessages {
  static func rehearse() {
    for request in requests {
      if let bytes = try? WireCoding.encode(WorkerOrder(request, pixels: 1)) {
        _ = try? WireCoding.decode(WorkerOrder.self, from: bytes)
      }
    }
    for reply in replies {
      if let bytes = try? WireCoding.encode(reply) {
        _ = try? WireCoding.decode(WorkerReply.self, from: bytes)
      }
    }
  }

  private static let clock = MediaTime(ticks: 1, numerator: 1, denominator: 1000)

  private static var info: MediaInfo {
    var video = StreamInfo(
      index: 0, kind: .video, codec: "h264", profile: "High", decodes: true, copyObstacle: "none",
      duration: 2, packets: 60,
      picture: PictureFormat(width: 2, height: 2, frameRate: 30, pixelFormat: "yuv420p"))
    video.start = 0
    let audio = StreamInfo(
      index: 1, kind: .audio, codec: "aac", sound: SoundFormat(sampleRate: 48_000, channels: 2))
    var info = MediaInfo(
      container: "mov", fileSize: 1, type: .video, duration: 2, isMeasured: true, start: clock,
      streams: [video, audio], video: 0, audio: 1,
      creation: RecordingTimestamp(
        date: Date(timeIntervalSince1970: 0.5), offsetMinutes: 60, source: .quickTime),
      make: "make", model: "model", contentIdentifier: "id", warnings: ["warning"],
      extras: ["extra"])
    info.pictures = PictureTimes(
      numerator: 1, denominator: 1, shown: [0, 1], keyframes: [0], end: 2)
    return info
  }

  private static var report: ConversionReport? {
    guard
      var plan = try? ConversionPlan(
        for: info, creationTime: Date(timeIntervalSince1970: 0.5))
    else { return nil }
    plan.stretch = ConversionPlan.Stretch(from: clock, until: clock)
    plan.audio?.encodedBecause = "asked for"
    plan.video?.pictures = 60
    plan.maxHeight = 2
    plan.keepsMetadata = true
    var report = ConversionReport(plan: plan)
    report.pictures = 60
    report.encodedSize = PictureSize(width: 2, height: 2)
    report.encodedPicturesEnd = 2
    report.encodedSound = 0..<1
    report.encodedSampleRate = 48_000
    report.encodedPeak = 0.5
    report.damagedPackets = 1
    report.keptMetadata = ["tag"]
    report.settings = ["setting"]
    report.versions = ["library": "1"]
    report.warnings = ["warning"]
    return report
  }

  private static var check: CheckReport {
    var check = CheckReport(duration: 2, width: 2, height: 2, pictures: 60, packetsCompared: 60)
    check.damagedPackets = 1
    return check
  }

  private static var requests: [WorkerRequest] {
    let (source, output) = (
      OpenMedia(descriptor: -1, name: "a.mov"), OpenMedia(descriptor: -1, name: "b.mov")
    )
    var jobs: [MediaJob] = [
      .probe(source, depth: .packets, isAlone: false),
      .thumbnail(ThumbnailJob(seconds: 1, sheet: ContactSheet()), source: source, output: output),
      .measureSound(source), .waveform(WaveformJob(peaks: [1, 2]), output: output),
    ]
    if let report {
      jobs += [
        .convert(report.plan, source: source, output: output),
        .check(report, source: source, output: output),
      ]
    }
    return jobs.map { .job($0) } + [.describe]
  }

  private static var replies: [WorkerReply] {
    let choice = FrameChoice(time: 1, score: 0.5, reason: .usual)
    let picture = ThumbnailReport(
      size: PictureSize(width: 2, height: 2), choice: choice, bytes: 1)
    let reports: [MediaReport] =
      [
        .probed(info), .checked(check), .drawn(picture),
        .measured(SoundProfile(loudness: -20, truePeak: -3, peaks: [1, 2])),
      ] + (report.map { [.converted($0)] } ?? [])
    let error = MediaError(.damaged, "reason", operation: "read", detail: "detail", errno: 5)
    return [.alive, .progress(0.5), .failed(error), .needsMemory(pixels: 1)]
      + reports.map { .done($0) }
  }
}
