import Foundation
import HoldfastModel
import Testing

@Suite("The plan for a source")
struct ConversionPlanTests {
  @Test("Streams that Apple players play are copied, from the presented start on")
  func copies() throws {
    let plan = try ConversionPlan(for: Samples.info(), creationTime: Samples.moment)
    #expect(plan.type == .video)
    #expect(plan.video == ConversionPlan.Stream(index: 3))
    #expect(plan.audio == ConversionPlan.Stream(index: 1))
    #expect(plan.start == MediaTime(ticks: 512, numerator: 1, denominator: 15_360))
    #expect(plan.duration == 2)
    #expect(plan.creationTime == Samples.moment)
    #expect(plan.copiesAny)
  }

  @Test("A stream that cannot be copied is encoded, and the reason is kept")
  func encodes() throws {
    let plan = try ConversionPlan(
      for: Samples.info(pictureObstacle: "VP9", soundObstacle: "6 channels"))
    #expect(plan.video?.encodedBecause == "VP9")
    #expect(plan.audio?.encodedBecause == "6 channels")
    #expect(!plan.copiesAny)
  }

  @Test("Sound alone has no picture in its plan")
  func sound() throws {
    let plan = try ConversionPlan(for: Samples.info(hasPicture: false))
    #expect(plan.type == .audio)
    #expect(plan.video == nil)
    #expect(plan.audio?.index == 1)
  }

  @Test("A picture alone has no sound in its plan")
  func silent() throws {
    #expect(try ConversionPlan(for: Samples.info(hasSound: false)).audio == nil)
  }

  @Test("With H.264 requested, the picture is encoded, and the sound copied")
  func h264() throws {
    let plan = try ConversionPlan(for: Samples.info(), options: ConversionOptions(video: .h264))
    #expect(plan.video?.encodedBecause == "asked for")
    #expect(plan.audio?.isCopied == true)
    let known = try ConversionPlan(
      for: Samples.info(pictureObstacle: "VP9"), options: ConversionOptions(video: .h264))
    #expect(known.video?.encodedBecause == "VP9")
  }

  @Test("A requested copy is planned, or refused with the reason")
  func copyOnly() throws {
    let plan = try ConversionPlan(
      for: Samples.info(soundObstacle: "PCM"), options: ConversionOptions(video: .copy))
    #expect(plan.video?.isCopied == true)
    #expect(plan.audio?.isCopied == false)
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan(
        for: Samples.info(pictureObstacle: "VP9"), options: ConversionOptions(video: .copy))
    }
    #expect(error.code == .cannotCopy)
    #expect(error.reason == "the picture cannot be copied (VP9)")
  }

  @Test("A picture higher than requested is encoded, and the reason names both heights")
  func tooHigh() throws {
    let plan = try ConversionPlan(for: Samples.info(), options: ConversionOptions(maxHeight: 90))
    #expect(plan.video?.encodedBecause == "its height of 180 is over the 90 asked for")
    #expect(plan.maxHeight == 90)
    #expect(plan.audio?.isCopied == true)
    #expect(
      try ConversionPlan(for: Samples.info(), options: ConversionOptions(maxHeight: 180)).video?
        .isCopied == true)
    let known = try ConversionPlan(
      for: Samples.info(pictureObstacle: "VP9"), options: ConversionOptions(maxHeight: 90))
    #expect(known.video?.encodedBecause == "VP9")
    #expect(known.maxHeight == 90)
  }

  @Test("The height is that of the displayed picture")
  func heightAsSeen() throws {
    var info = Samples.info()
    info.streams[0].picture?.orientation = Orientation(clockwise: 90)
    let plan = try ConversionPlan(for: info, options: ConversionOptions(maxHeight: 200))
    #expect(plan.video?.encodedBecause == "its height of 320 is over the 200 asked for")
  }

  @Test("A copy of a picture that is too high is refused, with both heights")
  func tooHighToCopy() throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan(
        for: Samples.info(),
        options: ConversionOptions(video: .copy, maxHeight: 90))
    }
    #expect(error.code == .tooHighToCopy)
    #expect(
      error.reason
        == "the picture cannot be copied (its height of 180 is over the 90 asked for)")
    #expect(
      try ConversionPlan(
        for: Samples.info(),
        options: ConversionOptions(video: .copy, maxHeight: 180)
      ).copiesAny)
  }

  @Test("A plan that an earlier version wrote is still read")
  func earlierPlan() throws {
    let text = """
      {"type":"video","video":{"index":0,"encodedBecause":"VP9"},"duration":2,
      "start":{"ticks":0,"numerator":1,"denominator":600}}
      """
    let plan = try JSONDecoder().decode(ConversionPlan.self, from: Data(text.utf8))
    #expect(plan.maxHeight == nil)
    #expect(plan.video?.pictureRate == nil)
    #expect(plan.video?.encodedBecause == "VP9")
  }

  @Test("The picture rate is the measured one, not the header's")
  func pictureRate() throws {
    var info = Samples.info(pictureObstacle: "VP9")
    info.streams[0].packets = 45
    info.streams[0].duration = 3
    #expect(try ConversionPlan(for: info).video?.pictureRate == 15)
    info.streams[0].duration = 0
    #expect(try ConversionPlan(for: info).video?.pictureRate == nil)
  }

  @Test(
    "A source up to the cap and the encoders' padding is accepted", arguments: [0.001, 120, 120.1])
  func withinLimit(_ seconds: Double) throws {
    #expect(try ConversionPlan(for: Samples.info(seconds: seconds)).duration == seconds)
  }

  @Test("A longer source is refused with its length", arguments: [120.1001, 121, 3600, .infinity])
  func overLimit(_ seconds: Double) throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan(for: Samples.info(seconds: seconds))
    }
    #expect(error.code == .overLimit)
    #expect(error.reason.contains(seconds.tenthsRoundedUp))
    #expect(!error.reason.hasPrefix("120 s"))
  }

  @Test(
    "A source without a length, or of unknown length, is refused", arguments: [nil, 0, -1, .nan])
  func noDuration(_ seconds: Double?) throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan(for: Samples.info(seconds: seconds))
    }
    #expect(error.code == .nothingToPlay)
  }

  @Test("A source without picture and sound is refused")
  func nothing() throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan(for: Samples.info(hasPicture: false, hasSound: false))
    }
    #expect(error.code == .nothingToPlay)
  }

  @Test("After a failed copy, everything is encoded; streams that were keep their own reason")
  func encodingAll() throws {
    let plan = try ConversionPlan(for: Samples.info(soundObstacle: "PCM"))
    let failure = HoldfastError(.checkFailed, "the times differ")
    let second = try #require(
      plan.next(after: failure, of: Samples.info(soundObstacle: "PCM"), mayEncode: true))
    #expect(second.video?.encodedBecause == "copying failed: the times differ")
    #expect(second.audio?.encodedBecause == "PCM")
    #expect(!second.copiesAny)
    #expect(second.start == plan.start)
  }

  @Test("A stream that cannot be copied is encoded; one that cannot be encoded is left out")
  func next() throws {
    var info = Samples.info(soundObstacle: "4 channels")
    (info.streams[0].start, info.streams[0].duration) = (0.5, 1.25)
    (info.streams[1].start, info.streams[1].duration) = (0.25, 2)
    let plan = try ConversionPlan(for: info)
    var error = HoldfastError(.library, "it broke")

    error.stream = 1
    let silent = try #require(plan.next(after: error, of: info, mayEncode: true))
    #expect(silent.audio == nil && silent.video == plan.video && silent.type == .video)
    #expect(silent.start.seconds == 0.5 && silent.duration == 1.25)
    #expect(silent.leftOut == "its sound cannot be encoded and is left out: it broke")

    error.stream = 3
    let encoded = try #require(plan.next(after: error, of: info, mayEncode: true))
    #expect(encoded.video?.encodedBecause == "copying failed: it broke")
    #expect(encoded.audio == plan.audio && encoded.leftOut == nil)
    #expect(plan.next(after: error, of: info, mayEncode: false) == nil)

    let sound = try #require(encoded.next(after: error, of: info, mayEncode: true))
    #expect(sound.video == nil && sound.type == .audio && sound.duration == 2)
    error.stream = 1
    #expect(sound.next(after: error, of: info, mayEncode: true) == nil)

    // A lack of memory proves nothing about the file.
    error.code = .memory
    #expect(plan.next(after: error, of: info, mayEncode: true) == nil)
  }

  @Test("The end of encoded sound is known only if sound was encoded")
  func soundEnd() throws {
    var report = ConversionReport(plan: try ConversionPlan(for: Samples.info()))
    #expect(report.encodedSoundEnd == nil)
    report.encodedSound = 0..<72_000
    #expect(report.encodedSoundEnd == nil)
    report.encodedSampleRate = 0
    #expect(report.encodedSoundEnd == nil)
    report.encodedSampleRate = 48_000
    #expect(report.encodedSoundEnd == 1.5)
  }
}
