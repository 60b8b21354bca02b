public import Foundation
import HoldfastCatalog
public import HoldfastModel

/// The transcriber that was last used on this computer, and how its words are shown. It is not kept
/// in the library, which may be used on other computers.
package struct TranscriberSettings: Codable, Hashable {
  /// The program's path; `nil` for the first that is found.
  package var program: String?
  /// The path of its model.
  package var model: String?
  /// The language's tag, or `auto`.
  package var language: String?
  /// Whether lists show the first words of recordings without a name; `nil` for no.
  package var showsFirstWords: Bool?

  private static func file(_ environment: [String: String]) -> URL? {
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { "\($0)/.config" }
    return folder.map { URL(filePath: $0).appending(path: "holdfast/transcriber.json") }
  }

  /// Reads the settings. A file that cannot be read counts as none.
  package static func read(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> TranscriberSettings {
    guard let file = file(environment), let data = try? Data(contentsOf: file),
      let settings = try? JSONDecoder().decode(Self.self, from: data)
    else { return TranscriberSettings() }
    return settings
  }

  /// Writes the settings for the next time.
  package func write(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(HoldfastError) {
    guard let file = Self.file(environment) else { return }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(self).write(to: file, options: .atomic)
    } catch { throw HoldfastError(itemFailure: error) }
  }
}

extension FirstWords {
  /// Whether this user wants lists on this computer to show first words.
  public static var areShown: Bool { TranscriberSettings.read().showsFirstWords == true }

  /// Remembers on this computer whether lists show first words.
  ///
  /// - Throws: `HoldfastError` if the user's settings cannot be written.
  public static func show(_ isWanted: Bool) throws(HoldfastError) {
    var settings = TranscriberSettings.read()
    settings.showsFirstWords = isWanted ? true : nil
    try settings.write()
  }
}

extension Library {
  /// Returns the first words that lists show for recordings without a name of their own, in place
  /// of ``/HoldfastModel/Recording/displayTitle``; none unless the user has asked for them.
  ///
  /// They belong into lists alone: a painful sentence must not stand in a window's title, in a
  /// notification or in a log.
  ///
  /// - Parameter recordings: The recordings of a page.
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func shownFirstWords(
    of recordings: some Sequence<Recording>
  ) throws -> [RecordingID: FirstWords] {
    guard FirstWords.areShown else { return [:] }
    var rest = recordings.filter { $0.ownName == nil }[...]
    var shown: [RecordingID: FirstWords] = [:]
    while !rest.isEmpty {
      let page = rest.prefix(WordTable.longestPage)
      rest = rest.dropFirst(page.count)
      let found = try catalog.words.firstWords(of: page.map(\.id.uuidString))
      for recording in page { shown[recording.id] = found[recording.id.uuidString] }
    }
    return shown
  }
}
