import ArgumentParser
import Holdfast
import HoldfastConsole

struct JournalDisableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Remove a journal's tables from the library.",
    discussion: """
      A journal that has records is kept, unless you give --erase. The recordings that its records \
      were linked to are kept in any case.
      """)

  @Argument(help: "The journal's name.")
  var name: NamedJournal

  @Flag(help: "Delete the journal's records, for good.")
  var erase = false

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let name = name.name
    if erase, !yes { try confirm(console) }
    let library = try common.openLibrary(for: .writing)
    let wasEnabled = try library.disableJournal(name, erasing: erase)
    if console.isJSON {
      try console.json(["event": wasEnabled ? "disabled" : "unchanged", "journal": name])
    } else {
      console.result(
        wasEnabled
          ? "\(console.colored("disabled", .green))  \(name)"
          : "The journal \(name) is not enabled.")
    }
    guard console.compact(library) else { throw ExitCode.someFailed }
  }

  /// Says what would be lost, and asks. A journal without records needs no question.
  private func confirm(_ console: Console) throws {
    let counts = try common.openLibrary(for: .reading).journalCounts(name.name)
      .filter { $0.count > 0 }
    guard !counts.isEmpty else { return }
    let words = counts.map { $0.kind.text($0.count) }.joined(separator: ", ")
    console.error("The journal \(name.name) holds \(words).")
    try Question("Delete them for good? [y/N] ", instead: "--yes").confirm()
  }
}
