public import Foundation
public import Holdfast

/// A topic of study, with references to its verses.
public struct BibleStudyTopic: JournalRecord {
  /// The topic's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The description. It may be empty.
  public var details: String
  /// References to verses, in order. A reference may occur more than once.
  public var verses: [String]
  /// The person's notes.
  public var notes: String?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, title
    case details = "description"
    case verses, notes, createdAt, modifiedAt
  }

  /// Makes a topic.
  public init(
    title: String, details: String = "", verses: [String] = [], notes: String? = nil,
    createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.details = details
    self.verses = verses
    self.notes = notes?.nonBlank
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try details.validate("the description has", limit: FaithLimit.details)
    guard verses.count <= FaithLimit.verseCount else {
      throw RuleError("\(verses.count) verses; at most \(FaithLimit.verseCount) are allowed")
    }
    for verse in verses {
      try verse.validateName("a verse's reference", limit: FaithLimit.reference)
    }
    try notes?.validate("the notes have", limit: FaithLimit.notes)
  }

  /// How the registry treats topics.
  public static let declaration = RecordDeclaration<BibleStudyTopic>(
    RecordKind("studyTopics", singular: "study topic", plural: "study topics"),
    table: "studyTopic", columns: ["description": "details"],
    children: [
      ChildTable("studyTopicVerse", owner: "topicId", list: "verses", of: .value("reference"))
    ],
    csv: .withDates([
      .init("title", \.title), .init("description", \.details), .init("verses", \.verses),
      .init("notes", \.notes),
    ]),
    labelled: LabelledWords(in: \.notes, ["Notes"], limit: FaithLimit.notes))
}

extension FaithJournal {
  /// Returns topics of study, newest first.
  public func studyTopics(limit: Int? = nil, offset: Int = 0) throws -> [BibleStudyTopic] {
    try page(RecordList("studyTopic", last: "createdAt"), limit: limit, offset: offset)
  }
}
