public import Foundation
public import Holdfast

/// A devotional that a person added. Holdfast never fetches one.
public struct Devotional: JournalRecord {
  /// The devotional's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The passage that it is about. It may be empty.
  public var scripture: String
  /// The text. It may be empty.
  public var content: String
  /// Who wrote it. It may be empty.
  public var author: String
  /// The day that it is for.
  public var date: Day
  /// A category, in the person's own words. It may be empty.
  public var category: String
  /// When it was completed; `nil` if it was not.
  public internal(set) var completedAt: Date?
  /// A recording of it.
  public var recordingID: RecordingID?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, title, scripture, content, author, date, category, completedAt
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes a devotional that is not completed.
  public init(
    title: String, scripture: String = "", content: String = "", author: String = "", date: Day,
    category: String = "", recordingID: RecordingID? = nil, createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.scripture = scripture
    self.content = content
    self.author = author
    self.date = date
    self.category = category
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Whether it was completed.
  public var isCompleted: Bool { completedAt != nil }

  /// When it was completed, which is not in the future.
  public var happenedAt: Date? { completedAt }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try scripture.validate("the scripture has", limit: FaithLimit.reference)
    try content.validate("the content has", limit: FaithLimit.content)
    try author.validate("the author has", limit: FaithLimit.user)
    try category.validate("the category has", limit: FaithLimit.category)
  }

  /// How the registry treats devotionals.
  public static let declaration = RecordDeclaration<Devotional>(
    RecordKind("devotionals", singular: "devotional"), table: "devotional",
    columns: ["date": "day"],
    link: RecordingLink(\.recordingID, newest: "day", role: "spoken for") {
      "\($0.date)  \($0.title)"
    },
    csv: .withDates([
      .init("title", \.title), .init("scripture", \.scripture), .init("content", \.content),
      .init("author", \.author), .init("date", \.date), .init("category", \.category),
      .init("completedAt", \.completedAt), .init("recordingId", \.recordingID),
    ]))
}

extension FaithJournal {
  /// Returns devotionals, newest day first: all, or those that are not completed, or have a
  /// recording.
  public func devotionals(
    open isOpen: Bool = false, recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [Devotional] {
    var list = RecordList("devotional", last: "day")
    if isOpen { list.filter("completedAt IS NULL") }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    return try page(list, limit: limit, offset: offset)
  }

  /// Marks a devotional as completed, or as not completed. Without a difference, nothing changes.
  @discardableResult
  public func complete(
    devotional id: UUID, _ isCompleted: Bool = true, now: Date = Date()
  ) throws -> Devotional {
    try change(id, now: now) { devotional in
      guard devotional.isCompleted != isCompleted else { return }
      devotional.completedAt = isCompleted ? now.roundedToMillisecond : nil
    }
  }
}
