import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A source over the cap")
struct PartsTests {
  /// A possible probe of a long clip: 10 pictures a second, sound of the same length.
  private func info(
    seconds: Double, keyframes: [Int], obstacle: String? = nil, shown: [Int64]? = nil
  ) -> MediaInfo {
    var info = Samples.info(seconds: seconds, pictureObstacle: obstacle)
    info.start = MediaTime(ticks: 0, numerator: 1, denominator: 10)
    let end = Int64((seconds * 10).rounded())
    info.pictures = PictureTimes(
      numerator: 1, denominator: 10, shown: shown ?? Array(0..<end), keyframes: keyframes, end: end)
    return info
  }

  /// Where parts begin, in seconds.
  private func starts(_ plans: [ConversionPlan]) -> [Double] { plans.map(\.start.seconds) }

  @Test("Up to the cap, it is one recording, whatever is requested", arguments: [1, 120, 120.1])
  func short(seconds: Double) throws {
    for policy in OverLimitPolicy.allCases {
      let plans = try ConversionPlan.parts(
        of: Samples.info(seconds: seconds), options: ConversionOptions(overLimit: policy))
      #expect(plans == [try ConversionPlan(for: Samples.info(seconds: seconds))])
      #expect(plans.first?.stretch == nil)
    }
  }

  @Test(
    "A longer one is refused unless trimming or splitting is requested",
    arguments: [120.2, 1e6, .infinity])
  func refused(seconds: Double) throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan.parts(of: Samples.info(seconds: seconds))
    }
    #expect(error.code == .overLimit)
    #expect(error.reason == "\(seconds.tenthsRoundedUp) s long; recordings may last 120 s")
  }

  @Test(
    "A length of weeks is not split, and the figure is in the reason",
    arguments: [90_000, 1e300, .infinity])
  func weeks(seconds: Double) throws {
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan.parts(
        of: Samples.info(seconds: seconds), options: ConversionOptions(overLimit: .split))
    }
    #expect(error.code == .cannotSplit)
    #expect(error.reason == "\(seconds.tenthsRoundedUp) s long; at most a day can be split")
    let plans = try ConversionPlan.parts(
      of: Samples.info(seconds: seconds), options: ConversionOptions(overLimit: .trim))
    #expect(plans.map(\.duration) == [120])
  }

  @Test("121 s become two parts of about a minute")
  func balanced() throws {
    let plans = try ConversionPlan.parts(
      of: info(seconds: 121, keyframes: Array(stride(from: 0, to: 1210, by: 30))),
      options: ConversionOptions(overLimit: .split))
    #expect(starts(plans) == [0, 60])
    #expect(plans.map(\.duration) == [60, 61])
    #expect(plans.allSatisfy { $0.video?.isCopied == true })
  }

  @Test("Parts begin at keyframes, even if these are few")
  func fewKeyframes() throws {
    let plans = try ConversionPlan.parts(
      of: info(seconds: 240, keyframes: [0, 1000, 1900]),
      options: ConversionOptions(overLimit: .split))
    #expect(starts(plans) == [0, 100, 190])
    #expect(plans.map(\.stretch?.until?.ticks) == [1000, 1900, nil])
    #expect(plans.map(\.stretch?.from?.ticks) == [nil, 1000, 1900])
  }

  @Test("If keyframes are too far apart, the picture is encoded, with the reason")
  func noKeyframe() throws {
    let source = info(seconds: 240, keyframes: [0, 1210])
    let plans = try ConversionPlan.parts(of: source, options: ConversionOptions(overLimit: .split))
    #expect(starts(plans) == [0, 120])
    #expect(plans.allSatisfy { $0.video?.encodedBecause?.contains("keyframe") == true })
    #expect(plans.allSatisfy { $0.audio?.isCopied == true })
    let error = try #require(throws: HoldfastError.self) {
      try ConversionPlan.parts(
        of: source, options: ConversionOptions(overLimit: .split, video: .copy))
    }
    #expect(error.code == .cannotCopy)
  }

  @Test("A keyframe with later pictures that are shown before it is not a cut")
  func openGroups() throws {
    // Decoded: …, 603 (key), 600, 601, 602, 604, …
    var shown = Array(Int64(0)..<1210)
    shown.replaceSubrange(600...603, with: [603, 600, 601, 602])
    let plans = try ConversionPlan.parts(
      of: info(seconds: 121, keyframes: [0, 300, 600], shown: shown),
      options: ConversionOptions(overLimit: .split))
    #expect(starts(plans) == [0, 30])
  }

  @Test("Parts are few, cover the source once, and none is over the cap", arguments: 0..<200)
  func property(seed: Int) throws {
    var random = SeededNumbers(seed: UInt64(seed))
    let seconds = Double.random(in: 121...2000, using: &random).rounded()
    var keyframes = [0]
    let widest = Int.random(in: 10...1300, using: &random)
    while let last = keyframes.last, last < Int(seconds * 10) {
      keyframes.append(last + Int.random(in: 1...widest, using: &random))
    }
    keyframes.removeLast()
    let plans = try ConversionPlan.parts(
      of: info(seconds: seconds, keyframes: keyframes),
      options: ConversionOptions(overLimit: .split))
    #expect(plans.allSatisfy { $0.duration > 0 && $0.duration <= 120 })
    for (part, next) in zip(plans, plans.dropFirst()) {
      #expect(part.stretch?.until == next.stretch?.from)
      #expect(abs(part.start.seconds + part.duration - next.start.seconds) < 1e-9)
    }
    #expect(plans.first?.start.seconds == 0 && plans.first?.stretch?.from == nil)
    #expect(plans.last?.stretch?.until == nil)
    #expect(abs(plans.map(\.duration).reduce(0, +) - seconds) < 1e-6)
    if plans.first?.video?.isCopied == true {
      #expect(plans.dropFirst().allSatisfy { keyframes.contains(Int($0.start.ticks)) })
      #expect(plans.count == fewest(seconds, keyframes))
    } else {
      #expect(fewest(seconds, keyframes) == nil)
      #expect(plans.count == Int((seconds / 120).rounded(.up)))
    }
  }

  /// The fewest possible parts: each as long as the keyframes allow.
  private func fewest(_ seconds: Double, _ keyframes: [Int]) -> Int? {
    let end = Int(seconds * 10)
    var (count, place) = (1, 0)
    while end - place > 1200 {
      guard let next = keyframes.last(where: { $0 <= place + 1200 }), next > place else {
        return nil
      }
      (count, place) = (count + 1, next)
    }
    return count
  }

  @Test("Sound alone is divided into equal parts", arguments: [121.0, 240, 240.5, 3600, 7201.3])
  func sound(seconds: Double) throws {
    let plans = try ConversionPlan.parts(
      of: Samples.info(seconds: seconds, hasPicture: false),
      options: ConversionOptions(overLimit: .split),
      creationTime: Samples.moment)
    let count = (seconds / 120).rounded(.up)
    #expect(Double(plans.count) == count)
    for (number, plan) in plans.enumerated() {
      #expect(plan.type == .audio && plan.duration <= 120)
      #expect(abs(plan.duration - seconds / count) < 0.001)
      let written = try #require(plan.creationTime).timeIntervalSince(Samples.moment)
      #expect(abs(written - Double(number) * seconds / count) < 0.001)
    }
  }

  @Test("A trimmed copy ends before the packet that would last beyond the cap")
  func trimmedCopy() throws {
    // Decoded in groups of four, last picture first: 1196, 1199 would be followed by 1203.
    var shown: [Int64] = [0]
    for group in stride(from: Int64(1), to: 1299, by: 4) {
      shown += [group + 3, group, group + 1, group + 2]
    }
    let plans = try ConversionPlan.parts(
      of: info(seconds: 130, keyframes: [0], shown: shown),
      options: ConversionOptions(overLimit: .trim))
    let plan = try #require(plans.first)
    #expect(plans.count == 1 && plan.isTrimmed)
    // 1197…1200 is a group: 1200 would stand until 120.1 s, and 1197 to 1199 need it.
    #expect(plan.stretch?.until?.ticks == 1197)
    #expect(plan.duration == 119.7)
    let encoded = try ConversionPlan.parts(
      of: info(seconds: 130, keyframes: [0], shown: shown),
      options: ConversionOptions(overLimit: .trim, video: .h264))
    #expect(encoded.first?.stretch?.until?.ticks == 1200)
  }

  @Test("Extreme times do not crash")
  func absurd() throws {
    for ticks in [Int64(1) << 56, -(Int64(1) << 56)] {
      var source = info(seconds: 130, keyframes: [0])
      source.start = MediaTime(ticks: ticks, numerator: 1_000_000, denominator: 1)
      _ = try? ConversionPlan.parts(of: source, options: ConversionOptions(overLimit: .split))
      source.pictures?.shown = [ticks, ticks + 1]
      source.pictures?.denominator = .max
      _ = try? ConversionPlan.parts(of: source, options: ConversionOptions(overLimit: .trim))
      _ = try? ConversionPlan.parts(of: source, options: ConversionOptions(overLimit: .split))
    }
  }
}
