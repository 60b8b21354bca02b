public import Foundation
public import Holdfast

/// An entry of the journal: a text or a drawing, with its voice note.
public struct JournalEntry: JournalRecord {
  /// The entry's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The text. It may be empty.
  public var content: String
  /// The moment that it is about, to the millisecond.
  public var date: Date
  /// The time zone in which it was written, in minutes east of Greenwich at that moment.
  public var dateOffset: Int
  /// Any words, each once in any case, in the given order.
  public var tags: [String] {
    didSet { tags = Tags.tidied(tags) }
  }
  /// The mood, in the person's own words.
  public var mood: String?
  /// The place, as text. Holdfast never fills it in.
  public var location: String?
  /// Whether lists, searches and statistics leave it out unless they are asked for it.
  public var isPrivate: Bool
  /// The voice note.
  public var recordingID: RecordingID?
  /// Relative references to photos, which are kept as text and never opened.
  public var photoURLs: [String]
  /// A drawing, kept byte for byte in its program's format.
  public var drawingData: Data?
  /// When it was written down.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, title, content, date, dateOffset, tags, mood, location, isPrivate
    case recordingID = "recordingId"
    case photoURLs, drawingData, createdAt, modifiedAt
  }

  /// Makes an entry. The default time zone is this machine's.
  public init(
    title: String, content: String = "", date: Date, dateOffset: Int? = nil, tags: [String] = [],
    mood: String? = nil, location: String? = nil, isPrivate: Bool = false,
    recordingID: RecordingID? = nil, photoURLs: [String] = [], drawingData: Data? = nil,
    createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.content = content
    self.date = date.roundedToMillisecond
    self.dateOffset = dateOffset ?? date.localOffset
    self.tags = Tags.tidied(tags)
    self.mood = mood?.trimmed.nonBlank
    self.location = location?.nonBlank
    self.isPrivate = isPrivate
    self.recordingID = recordingID
    self.photoURLs = photoURLs
    self.drawingData = drawingData
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Removes tags, in any case.
  public mutating func removeTags(_ removed: [String]) {
    let removed = Set(removed.map(\.trimmed.foldedCase))
    tags.removeAll { removed.contains($0.foldedCase) }
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try content.validate("the content has", limit: FaithLimit.content)
    try Entry.validate(offset: dateOffset)
    try Tags.validate(tags)
    try mood?.validateTrimmedName("the mood", limit: FaithLimit.mood)
    try location?.validate("the location has", limit: FaithLimit.location)
    for photo in photoURLs { try PhotoReference.validate(photo) }
    if let drawingData, drawingData.count > FaithLimit.drawing {
      throw RuleError(
        "the drawing has \(drawingData.count) bytes; at most \(FaithLimit.drawing) are allowed")
    }
  }

  /// How the registry treats entries. CSV tables leave out the drawing.
  public static let declaration = RecordDeclaration<JournalEntry>(
    RecordKind("journalEntries", singular: "journal entry", plural: "journal entries"),
    table: "journalEntry", columns: ["drawingData": "drawing"],
    children: [
      .tags("entryTag", of: "journalEntry"),
      ChildTable(
        "entryPhoto", owner: "journalEntryId", list: "photoURLs", of: .value("reference")),
    ],
    derived: [
      DerivedColumn("foldedMood") { .text($0.mood?.foldedCase) },
      DerivedColumn("searchText") { .searchText([$0.title, $0.content] + $0.tags) },
    ],
    moment: RecordMoment(\.date, \.dateOffset),
    link: RecordingLink(\.recordingID, newest: "date", role: "spoken for") {
      "\($0.localText)  \($0.title)"
    },
    privacy: RecordPrivacy(\.isPrivate),
    csv: .withDates([
      .init("title", \.title), .init("content", \.content), .init("date", \.date),
      .init("dateOffset", \.dateOffset), .init("tags", \.tags), .init("mood", \.mood),
      .init("location", \.location), .init("isPrivate", \.isPrivate),
      .init("recordingId", \.recordingID), .init("photoURLs", \.photoURLs),
    ]),
    // Each entry may have a drawing of 5 MiB.
    pageLimit: 16,
    labelled: LabelledWords(
      in: \.content, ["Transcript", "Activities", "Triggers"], separator: "\n\n",
      limit: FaithLimit.content))
}

extension ChildTable {
  /// The tags of a kind's records.
  static func tags(_ table: String, of owner: String) -> ChildTable {
    ChildTable(table, owner: "\(owner)Id", list: "tags", of: .value("tag"), folded: "foldedTag")
  }
}

extension SQLValue {
  /// A text that may be missing.
  static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

  /// A whole number.
  static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }

  /// The text to search: each part on its own line, so that a match never spans two parts.
  static func searchText(_ parts: [String]) -> SQLValue {
    .text(parts.map(\.foldedLine).joined(separator: "\n"))
  }
}

extension String {
  /// The text folded for search, on one line, so that a phrase is found across line breaks.
  var foldedLine: String {
    var folded = foldedForSearch.unicodeScalars
    guard folded.contains(where: \.isLineBreak) else { return String(folded) }
    folded = String.UnicodeScalarView(folded.map { $0.isLineBreak ? " " : $0 })
    return String(folded)
  }
}

extension Unicode.Scalar {
  fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" }
}
