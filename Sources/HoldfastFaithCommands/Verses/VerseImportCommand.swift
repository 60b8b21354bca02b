internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith verse import`
struct VerseImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Add verses of days from a file.",
    discussion: """
      The file is JSON: a list of objects with the texts date, reference and text, and translation \
      if you like. A day that has a verse keeps it. One refusal does not stop the others.
      """)

  @Argument(help: "The file, at most 64 MiB.", completion: .file())
  var file: String

  @OptionGroup var common: CommonOptions

  /// A verse of the file.
  private struct Item: Decodable {
    var date: Day
    var reference: String
    var text: String
    var translation: String?
  }

  /// A verse of the file, or why it cannot be read.
  private struct Element: Decodable {
    var item: Result<Item, any Error>

    init(from decoder: any Decoder) throws { item = Result { try Item(from: decoder) } }
  }

  /// The largest file, in bytes.
  private static let largest = 64 << 20

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .writing, BibleVerseOfTheDay.self).faith
    let data = try TextInput.bytes(ofFile: file, atMost: Self.largest)
    guard data.count <= Self.largest else {
      throw RuleError("\(file.escapedForDisplay) has more than \(Self.largest) bytes; split it")
    }
    guard let elements = try? JSONFormat.decoder.decode([Element].self, from: data) else {
      throw RuleError("\(file.escapedForDisplay) is no JSON list of verses; see --help")
    }
    var (added, hasRefused) = (0, false)
    for (index, element) in elements.enumerated() {
      do {
        let item = try element.item.get()
        let verse = BibleVerseOfTheDay(
          reference: item.reference, text: item.text, translation: item.translation ?? "",
          date: item.date, createdAt: Date())
        try faith.add(verse)
        if console.isJSON { try console.json(verse) }
        added += 1
      } catch {
        hasRefused = true
        let error = ExplainedError.explaining(error)
        let reason =
          error is DecodingError ? "it lacks the text date, reference or text" : "\(error)"
        console.error("\(console.colored("refused", .red))  verse \(index + 1): \(reason)")
      }
    }
    if !console.isJSON { console.result("\(added.counted("verse")) added") }
    if hasRefused { throw ExitCode.someFailed }
  }
}
