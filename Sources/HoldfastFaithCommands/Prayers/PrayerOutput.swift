internal import Foundation
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

extension PrayerRequest: ShownRecord {
  var line: String { title }

  static let heading = "TITLE"
  static let columns: [TextTable.Column] = [
    .init(heading: "WHEN"), .init(heading: "STATUS"), .init(heading: "WITH", givesWay: true),
  ]

  var cells: [String] {
    let parts = [recordingID.map { _ in "voice" }, isPrivate ? "private" : nil]
    return [
      date.localText(offset: dateOffset), status.rawValue,
      parts.compactMap(\.self).joined(separator: ", "),
    ]
  }

  var facts: [(name: String, value: String?)] {
    [
      ("when", date.localText(offset: dateOffset)), ("title", title),
      ("details", details.nonBlank), ("status", status.rawValue),
      ("answered", answerDate?.localText(offset: dateOffset)), ("answer", answerNotes),
      ("tags", tags.joined(separator: ", ").nonBlank), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ]
  }
}
