internal import ArgumentParser
internal import HoldfastFaith

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
