import CFFmpeg
import Foundation
import HoldfastModel

/// The tags of a file that say where and with what device it was recorded. Import leaves them out
/// unless a person asks for them.
struct OriginTags {
  let tags: [String: String]

  /// Limits that no device reaches. More than ``mostTags`` tags, and values of more than
  /// ``longestValue`` bytes, are left out.
  private static let mostTags = 64
  private static let longestValue = 1000

  /// Picks a file's tags for the recording that `plan` makes. A later part of a source gets its
  /// own, later date.
  init(_ demuxer: borrowing Demuxer, for plan: ConversionPlan) {
    var tags = FileMetadata.tags(of: demuxer).filter {
      OriginTag.includes($0.key) && !$0.value.isEmpty && $0.value.utf8.count <= Self.longestValue
    }
    // The only one of Apple's names that is not in lower case.
    let place = "com.apple.quicktime.location.ISO6709"
    tags[place] = tags.removeValue(forKey: place.lowercased())
    // An Android phone writes the same place again for every language.
    for (name, value) in tags where name.hasPrefix("location-") && value == tags["location"] {
      tags[name] = nil
    }
    if tags.count > Self.mostTags {
      let kept = Set(tags.keys.sorted().prefix(Self.mostTags))
      tags = tags.filter { kept.contains($0.key) }
    }
    tags.addAppleSpellings()
    let date = "com.apple.quicktime.creationdate"
    if plan.stretch?.from != nil, let creation = plan.creationTime,
      let said = FileMetadata.read(tags[date], .quickTime)?.timestamp
    {
      let zone = said.offsetMinutes.flatMap { TimeZone(secondsFromGMT: $0 * 60) } ?? .gmt
      tags[date] = creation.formatted(Date.ISO8601FormatStyle(timeZone: zone))
    }
    self.tags = tags
  }
}

extension [String: String] {
  /// Adds Apple's names for tags that a file has only under Android's names or plain ones.
  fileprivate mutating func addAppleSpellings() {
    let places = keys.filter { $0 == "location" || $0.hasPrefix("location-") }.sorted()
    let isISO6709 = { (text: String) in text.starts(with: /[+-][0-9.]+[+-][0-9.]+/) }
    let place = "com.apple.quicktime.location.ISO6709"
    if self[place] == nil { self[place] = first(of: places, where: isISO6709) }
    for (name, spellings) in [
      ("com.apple.quicktime.make", ["com.android.manufacturer", "make"]),
      ("com.apple.quicktime.model", ["com.android.model", "model"]),
      ("com.apple.quicktime.software", ["software"]),
    ] where self[name] == nil {
      self[name] = first(of: spellings)
    }
  }

  /// Returns the value of the first of some tags whose value is good.
  func first(of names: [String], where isGood: (String) -> Bool = { !$0.isEmpty }) -> String? {
    names.lazy.compactMap { self[$0] }.first(where: isGood)
  }
}
