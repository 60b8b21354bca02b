internal import Foundation
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

extension JournalEntry: ShownRecord {
  var line: String { title }

  static let heading = "TITLE"
  static let columns: [TextTable.Column] = [
    .init(heading: "WHEN"), .init(heading: "WITH", givesWay: true),
  ]

  var cells: [String] {
    let parts = [
      recordingID.map { _ in "voice" }, drawingData.map { _ in "drawing" },
      photoURLs.isEmpty ? nil : "photos", isPrivate ? "private" : nil,
    ]
    return [
      date.localText(offset: dateOffset), parts.compactMap(\.self).joined(separator: ", "),
    ]
  }

  var facts: [(name: String, value: String?)] {
    [
      ("when", date.localText(offset: dateOffset)), ("title", title),
      ("content", content.nonBlank), ("tags", tags.joined(separator: ", ").nonBlank),
      ("mood", mood), ("location", location), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ] + photoURLs.map { ("photo", $0) } + [
      ("drawing", drawingData.map { "\($0.count) bytes" })
    ]
  }
}
