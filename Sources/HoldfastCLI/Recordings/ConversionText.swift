import Foundation
import HoldfastModel

extension ConversionReport {
  /// The conversion of a recording's source, one line for each fact.
  var lines: [(name: String, value: String)] {
    var lines = [(name: "done", value: plan.summary)]
    for stream in [plan.video, plan.audio] {
      if let reason = stream?.encodedBecause { lines.append(("because", reason)) }
    }
    if let keptMetadata { lines.append(("kept", Self.origin(keptMetadata))) }
    for setting in settings { lines.append(("with", setting)) }
    let libraries = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    if !libraries.isEmpty { lines.append(("by", libraries.joined(separator: ", "))) }
    if let check { lines.append(("checked", check.text)) }
    for warning in warnings { lines.append(("note", warning)) }
    return lines
  }

  /// Returns the tags for the place and the device of a recording, without the prefixes of Apple
  /// and Android.
  private static func origin(_ tags: [String]) -> String {
    guard !tags.isEmpty else { return "no place or device, as the source has none" }
    let names = tags.map {
      $0.replacing(/^com\.(?:apple\.quicktime|android)\./, with: "").escapedForDisplay
    }
    return Set(names).sorted().joined(separator: ", ")
  }
}

extension CheckReport {
  fileprivate var text: String {
    var parts = ["\(duration.thousandths) s"]
    if let pictures { parts.append("\(pictures) pictures") }
    if packetsCompared > 0 { parts.append("\(packetsCompared) packets equal the source's") }
    if let damagedPackets {
      parts.append(damagedPackets == 0 ? "all decoded" : "damaged packets: \(damagedPackets)")
    }
    return parts.joined(separator: ", ")
  }
}
