internal import ArgumentParser
internal import Foundation
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The options that describe an entry besides its title.
struct EntryOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The text, at most 100000 characters; - reads it from standard input.", valueName: "text"))
  var content: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Your mood, in your own words: \(MoodSuggestions.words.joined(separator: ", ")), or any other.",
      valueName: "mood"),
    completion: .list(MoodSuggestions.words))
  var mood: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where you were, as text; at most 200 characters.", valueName: "place"))
  var location: String?

  @Option(
    name: .customLong("photo"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A photo's path in a folder of yours, such as 2025/sea.jpg. It is kept as text, and the file is not read. May be given more than once.",
      valueName: "path"))
  var photos: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with a drawing, at most 5 MiB, which is kept byte for byte.", valueName: "file"),
    completion: .file())
  var drawing: String?

  @OptionGroup var time: TimeOption

  /// Whether any of them was given.
  var isGiven: Bool {
    content != nil || mood != nil || location != nil || !photos.isEmpty || drawing != nil
      || time.at != nil
  }

  /// Replaces what was given. Nothing is read.
  func change(_ entry: inout JournalEntry) {
    if let content, content != "-" { entry.content = content }
    if let mood { entry.mood = mood.trimmedForMood }
    if let location { entry.location = location.nonBlank }
    if !photos.isEmpty { entry.photoURLs = photos.filter { !$0.isEmpty } }
    if let at = time.at {
      entry.date = at.moment.roundedToMillisecond
      entry.dateOffset = at.offset
    }
  }

  /// Replaces what standard input and files hold.
  ///
  /// - Throws: `RuleError` if it cannot be read, or is too long.
  func read(into entry: inout JournalEntry) throws {
    if content == "-" { entry.content = try TextInput.text("-", limit: 100_000) }
    if let drawing {
      entry.drawingData =
        drawing.isEmpty ? nil : try TextInput.bytes(ofFile: drawing, atMost: 5 << 20)
    }
  }
}

extension String {
  /// The mood without white space at its ends; `nil` if nothing is left.
  fileprivate var trimmedForMood: String? {
    trimmingCharacters(in: .whitespacesAndNewlines).nonBlank
  }
}
