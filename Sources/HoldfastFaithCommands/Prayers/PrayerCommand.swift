internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer`
struct PrayerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prayer", abstract: "Keep prayers, and what became of them.",
    subcommands: [
      PrayerAddCommand.self, PrayerListCommand.self, RecordShowCommand<PrayerRequest>.self,
      PrayerAnswerCommand.self, PrayerReopenCommand.self, PrayerArchiveCommand.self,
      PrayerUnarchiveCommand.self, PrayerAnswersCommand.self, PrayerEditCommand.self,
      RecordLinkCommand<PrayerRequest>.self, RecordUnlinkCommand<PrayerRequest>.self,
      RecordDeleteCommand<PrayerRequest>.self,
    ])
}

extension PrayerRequest: FaithRecord {
  package var line: String { title }

  package static var columns: [TextTable.Column] {
    [
      .init(heading: "WHEN"), .init(heading: "STATUS"), .init(heading: "WITH", givesWay: true),
      .init(heading: "TITLE"),
    ]
  }

  package func cells(in library: Library) -> [String] {
    let parts = [recordingID.map { _ in "voice" }, isPrivate ? "private" : nil]
    return [
      date.localText(offset: dateOffset), status.rawValue,
      parts.compactMap(\.self).joined(separator: ", "), line,
    ]
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", date.localText(offset: dateOffset)), ("title", title),
      ("details", details.nonBlank), ("status", status.rawValue),
      ("answered", answerDate?.localText(offset: dateOffset)), ("answer", answerNotes),
      ("tags", tags.joined(separator: ", ").nonBlank), ("private", isPrivate.yes),
      ("recording", recordingID?.uuidString),
    ]
  }
}
