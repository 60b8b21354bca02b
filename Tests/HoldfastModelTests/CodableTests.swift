import Foundation
import HoldfastModel
import Testing

@Suite("Values are read from JSON as they were stored")
struct CodableTests {
  private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Value.self, from: data) == value)
  }

  @Test("A probe's description")
  func info() throws {
    var info = Samples.info(pictureObstacle: "VP9")
    info.creation = RecordingTimestamp(date: Samples.moment, source: .container)
    info.hasLocation = true
    info.make = "Apple"
    info.model = "iPhone 15 Pro"
    info.contentIdentifier = "E905E6C6-C747-4805-942F-9904A0281F02"
    info.noteDamage("its end is missing")
    info.descriptions = PictureDescription.allCases
    info.unseenStreams = 2
    info.warnings = ["its subtitles (mov_text) are left out"]
    info.streams[0].picture?.orientation = Orientation(clockwise: 90, isMirrored: true)
    info.streams[0].picture?.dynamicRange = .hlg
    info.streams[0].picture?.bitDepth = 10
    info.streams[0].picture?.isWideGamut = true
    info.streams[0].decodes = true
    try roundTrip(info)
  }

  @Test("A conversion's report, with all its figures and with none")
  func report() throws {
    var report = ConversionReport(
      plan: try ConversionPlan(for: Samples.info(), creationTime: Samples.moment))
    try roundTrip(report)
    report.pictures = 60
    report.encodedSize = PictureSize(width: 320, height: 180)
    report.encodedSound = -1024..<88_200
    report.encodedSampleRate = 44_100
    report.encodedPeak = 0.5
    report.settings = ["libx264 preset=medium"]
    report.versions = ["libavcodec": "59.37.100"]
    report.damagedPackets = 1
    report.keptMetadata = ["com.apple.quicktime.make"]
    report.warnings = ["1 damaged packets of the sound were left out"]
    var check = CheckReport(duration: 2)
    (check.width, check.height, check.pictures, check.packetsCompared) = (320, 180, 60, 148)
    check.picture = Samples.info().videoStream?.picture
    check.sound = SoundFormat(sampleRate: 48_000, channels: 2, bitDepth: 24)
    check.descriptions = [.stereo]
    report.check = check
    report.sourceSize = 1 << 20
    report.decodedPicture = report.check?.picture
    report.decodedSound = report.check?.sound
    try roundTrip(report)
  }

  @Test("A report from before there was a choice of metadata is still read")
  func olderReport() throws {
    let report = ConversionReport(plan: try ConversionPlan(for: Samples.info()))
    let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    #expect(!text.contains("keepsMetadata") && !text.contains("keptMetadata"))
    #expect(report.plan.keepsMetadata == nil)
    #expect(
      try ConversionPlan(
        for: Samples.info(), options: ConversionOptions(keepsMetadata: true)
      ).keepsMetadata == true)
  }

  @Test("A recording")
  func recording() throws {
    var recording = try Samples.recording()
    try roundTrip(recording)
    recording.title = "Day one"
    recording.notes = "…"
    recording.lastPlayedAt = Samples.moment
    recording.recorded.offsetMinutes = nil
    recording.ingestion.conversion = nil
    try roundTrip(recording)
  }

  @Test("A thumbnail's job and report")
  func thumbnail() throws {
    try roundTrip(ThumbnailJob(longSide: 240, quality: 60, seconds: 2.5))
    try roundTrip(
      ThumbnailReport(
        size: PictureSize(width: 180, height: 320),
        choice: FrameChoice(time: 1, score: 0.5, reason: .dark),
        bytes: 4096))
  }

  @Test("Dates are stored to the millisecond, and are not moved by being read")
  func dates() throws {
    let odd = Date(timeIntervalSince1970: 1_761_399_720.123_456)
    let timestamp = RecordingTimestamp(date: odd, source: .fileName)
    #expect(timestamp.date == odd.roundedToMillisecond)
    #expect(timestamp.date.roundedToMillisecond == timestamp.date)
    #expect(abs(timestamp.date.timeIntervalSince(odd)) <= 0.0005)
    try roundTrip(timestamp)
  }

  @Test(
    "A moment before 1995, or more than a day ahead, is ignored",
    arguments: [
      (-2_082_844_800, false), (0, false), (788_918_399, false), (788_918_400, true),
      (1_761_399_720, true), (1_761_486_120, true), (1_761_486_121, false),
    ] as [(Double, Bool)])
  func plausible(_ seconds: Double, _ isPlausible: Bool) {
    let timestamp = RecordingTimestamp(
      date: Date(timeIntervalSince1970: seconds), source: .container)
    #expect(timestamp.isPlausible(now: Samples.moment) == isPlausible)
  }

  @Test("A kind of error is matched by its name")
  func errorCodes() {
    let error: any Error = HoldfastError.overLimit(seconds: 200)
    switch error {
    case HoldfastError.Code.overLimit: break
    default: Issue.record("\(error) is not matched as over the limit")
    }
    #expect(HoldfastError.Code(rawValue: "overLimit") == .overLimit)
  }
}
