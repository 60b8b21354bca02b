import HoldfastModel

/// The parts of a source's pictures and sound that the library lacks, each as a clause about the
/// source.
extension MediaContent.Shortfall {
  /// A part of the source's time; `nil` for every other shortfall.
  var lengthInLibrary: String? {
    guard case .time(let kept, let all) = self else { return nil }
    return "only \(kept.tenthsRoundedUp) s of its \(all.tenthsRoundedUp) s are in the library"
  }

  /// The loss by encoding; `nil` for every other shortfall.
  var formatInLibrary: String? {
    switch self {
    case .unknown(let kind):
      "nothing is known about its \(kind == .video ? "picture" : "sound") in the library"
    case .size(let kept, let all):
      "its pictures are up to \(all.width) wide and \(all.height) high, and "
        + "\(kept.width) × \(kept.height) in the library"
    case .bits(.video, let kept, let all):
      "its picture has \(all) bits a sample, and "
        + "\(kept.map { "\($0)" } ?? "an unknown number") in the library"
    case .bits(_, let kept, let all):
      "its sound has \(all) bits a sample, and no more than \(kept ?? 0) in the library"
    case .dynamicRange(let range):
      "its high dynamic range (\(range.rawValue.uppercased())) is not in the library"
    case .wideGamut: "its wide range of colours is not in the library"
    case .channels(let kept, let all):
      "its sound has \(all) channels, and \(kept) in the library"
    case .sampleRate(let kept, let all):
      "its sound has \(all) samples a second, and \(kept) in the library"
    case .track, .time, .encoded, .description: nil
    }
  }
}

/// The losses in copied streams.
extension SourceRemainder {
  /// Returns the descriptions of the source's pictures that some of its recordings lack, each as a
  /// clause about the source.
  static func lostDescriptions(among shortfalls: [MediaContent.Shortfall]) -> [String] {
    let dropped = PictureDescription.allCases.filter { shortfalls.contains(.description($0)) }
    var lost: [String] = []
    for (name, members) in groups {
      let here = dropped.filter(members.contains)
      guard !here.isEmpty else { continue }
      let list = here.map(Self.name).joined(separator: ", ")
      lost.append("its \(name) (\(list)) is not in the library")
    }
    if dropped.contains(.unseen) {
      lost.append(
        "it has more kinds of boxes than Holdfast checks, and these are not in the library")
    }
    return lost
  }

  private static let groups: [(name: String, members: [PictureDescription])] = [
    ("spatial description", [.layers, .eyes, .fieldOfView, .stereo]),
    ("360° description", [.projection]),
    ("dynamic range description", [.dolbyVision, .masteringDisplay, .contentLight]),
  ]

  private static func name(of description: PictureDescription) -> String {
    switch description {
    case .dolbyVision: "Dolby Vision"
    case .masteringDisplay: "mastering display"
    case .contentLight: "content light"
    default: description.rawValue
    }
  }
}
