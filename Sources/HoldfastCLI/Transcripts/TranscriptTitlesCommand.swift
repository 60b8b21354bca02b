import ArgumentParser
import Holdfast
import HoldfastConsole

struct TranscriptTitlesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "titles",
    abstract: "Show first words in lists, for recordings without a name.",
    discussion: """
      They are off unless you switch them on. Lists and the pages' cards on this computer then \
      show them, marked where a computer wrote them.
      """)

  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  @Argument(help: "Whether lists show them.")
  var titles: Switch

  @OptionGroup var common: CommonOptions

  func run() throws { try FirstWords.show(titles == .on) }
}
