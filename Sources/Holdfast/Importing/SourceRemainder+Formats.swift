internal import HoldfastModel

/// What encoding removes from pictures and sound, and what a copied stream does not carry over.
extension SourceRemainder {
  /// Returns what a recording's picture lacks, each as a clause about the source.
  func lostOf(_ source: PictureFormat, in report: ConversionReport) -> [String] {
    guard let plan = report.plan.video else { return [] }
    let kept = report.check?.picture
    if plan.isCopied {
      // The packets are the source's own, but the description of their colours may be outside them.
      return lostColours(of: source, in: kept)
    }
    guard let kept else { return ["nothing is known about its picture in the library"] }
    let source = report.decodedPicture.map(source.union) ?? source
    var lost: [String] = []
    let stored = PictureSize(width: source.width, height: source.height)
      .turned(by: source.orientation)
    if kept.width < stored.width || kept.height < stored.height {
      lost.append(
        "its picture of \(stored.width) × \(stored.height) is \(kept.width) × \(kept.height) in the "
          + "library")
    }
    if let bits = source.bitDepth, bits > kept.bitDepth ?? 0 {
      let there = kept.bitDepth.map { "\($0)" } ?? "an unknown number"
      lost.append("its picture has \(bits) bits a sample, and \(there) in the library")
    }
    return lost + lostColours(of: source, in: kept)
  }

  private func lostColours(of source: PictureFormat, in kept: PictureFormat?) -> [String] {
    if source.dynamicRange != .sdr, source.dynamicRange != kept?.dynamicRange {
      let name = source.dynamicRange.rawValue.uppercased()
      return ["its high dynamic range (\(name)) is not in the library"]
    }
    if source.isWideGamut, kept?.isWideGamut != true {
      return ["its wide range of colours is not in the library"]
    }
    return []
  }

  /// Returns what a recording's sound lacks, each as a clause about the source.
  func lostOf(_ source: SoundFormat, in report: ConversionReport) -> [String] {
    guard let plan = report.plan.audio, !plan.isCopied else { return [] }
    guard let kept = report.check?.sound else {
      return ["nothing is known about its sound in the library"]
    }
    let source = report.decodedSound.map(source.union) ?? source
    var lost: [String] = []
    if kept.channels < source.channels {
      lost.append("its sound has \(source.channels) channels, and \(kept.channels) in the library")
    }
    if kept.sampleRate < source.sampleRate {
      lost.append(
        "its sound has \(source.sampleRate) samples a second, and \(kept.sampleRate) in the library"
      )
    }
    // Players decode AAC to the 16 bits of a CD.
    let most = kept.bitDepth ?? 16
    if let bits = source.bitDepth, bits > most {
      lost.append("its sound has \(bits) bits a sample, and no more than \(most) in the library")
    }
    return lost
  }

  /// Returns the descriptions of the source's pictures that some of its recordings lack, each as a
  /// clause about the source.
  static func lostDescriptions(
    of info: MediaInfo, in reports: [ConversionReport]
  ) -> [String] {
    var lost: [String] = []
    let videos = reports.filter { $0.plan.video != nil }
    let dropped = info.descriptions.filter { description in
      !videos.allSatisfy { $0.check?.descriptions?.contains(description) == true }
    }
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
