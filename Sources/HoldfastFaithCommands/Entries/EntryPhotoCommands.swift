import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFaith

/// The option for the photos of a new entry.
struct PhotoOption: ParsableArguments {
  @Option(
    name: .customLong("photo"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A photo (JPEG, PNG or WebP, at most 50 MB). It is copied without its metadata, such as the "
        + "place where it was taken. May be given more than once.",
      valueName: "file"),
    completion: .file())
  var photos: [String] = []
}

struct EntryAddPhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-photo", abstract: "Add photos to an entry.",
    discussion: """
      The files are copied into the library, and only read. A JPEG keeps its picture as it is; a \
      PNG or WebP becomes a JPEG. Metadata, such as the place where a photo was taken, is left \
      out. A photo that the entry names as text gives way to a file of the same name.
      """)

  @OptionGroup var entry: RecordArgument<JournalEntry>

  @Argument(help: "The photos.", completion: .file())
  var files: [String]

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let entry = try entry.record(in: common.openLibrary(for: .reading, JournalEntry.self))
    let (now, files, common) = (Date(), files, common)
    try await engine.interruptibly { engine in
      let library = try common.openLibrary(for: .writing, JournalEntry.self, engine: engine)
      let photos = try await library.preparePhotos(files)
      try library.faith.add(photos, to: entry.id, now: now)
    }
    let library = try common.openLibrary(for: .reading, JournalEntry.self)
    try common.console.showAll(JournalEntry.named(entry.id.uuidString, in: library), in: library)
  }
}

struct EntryRemovePhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-photo", abstract: "Delete photos of an entry for good.")

  @OptionGroup var entry: RecordArgument<JournalEntry>

  @Argument(
    help: """
      The photos: the id of each, or at least four characters of its beginning, or the text of \
      one that the entry only names.
      """)
  var photos: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, JournalEntry.self)
    let entry = try entry.record(in: known)
    let texts = Set(photos).intersection(entry.photoURLs)
    let own = try known.faith.photos(of: entry.id)
    let records = try photos.filter { !texts.contains($0) }.map { text in
      let found = own.filter {
        text.count >= 4 && $0.id.uuidString.hasPrefix(text.uppercased())
      }
      guard found.count == 1, let photo = found.first else {
        let shown = text.cut(to: 80).escapedForDisplay
        throw CommandFailure(
          found.isEmpty
            ? "the entry has no photo \(shown)"
            : "\(shown) could be several photos of the entry; give more of the id")
      }
      return photo
    }
    if !yes, !records.isEmpty { try common.console.confirmDeleting(records, name: \.name) }
    let library = try common.openLibrary(for: .writing, JournalEntry.self)
    if !texts.isEmpty {
      try library.edit(JournalEntry.self, id: entry.id) { entry in
        entry.photoURLs.removeAll(where: texts.contains)
      }
    }
    try common.console.deleting(records, from: library, name: \.name) { photo in
      try library.delete(EntryPhoto.self, id: photo.id)
      return []
    }
  }
}

/// An entry with its photos.
struct EntryOutput: Encodable {
  var entry: JournalEntry
  var photos: [EntryPhoto]

  private enum CodingKeys: CodingKey { case photos }

  func encode(to encoder: any Encoder) throws {
    try entry.encode(to: encoder)
    guard !photos.isEmpty else { return }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(photos, forKey: .photos)
  }
}

extension EntryPhoto {
  /// The photo as one line of an entry's details.
  var line: String {
    "\(id.short)  \(width) × \(height)  \(path)  \(name.escapedForDisplay)"
  }
}
