public import Foundation
public import Holdfast

/// A prayer, with its status and its answer.
public struct PrayerRequest: JournalRecord {
  /// The prayer's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The description. It may be empty.
  public var details: String
  /// When it was first prayed, to the millisecond.
  public var date: Date
  /// The time zone in which it was written, in minutes east of Greenwich at that moment.
  public var dateOffset: Int
  /// The status: prayed, answered or put away.
  public internal(set) var status: PrayerStatus = .active
  /// When it was answered.
  public internal(set) var answerDate: Date?
  /// The person's notes about the answer.
  public var answerNotes: String?
  /// Whether lists and searches leave it out unless they are asked for it.
  public var isPrivate: Bool
  /// Any words, each once in any case, in the given order.
  public var tags: [String] {
    didSet { tags = Tags.tidied(tags) }
  }
  /// The recording in which it was spoken.
  public var recordingID: RecordingID?
  /// When it was written down.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?
  var remark = ImportRemark()

  private enum CodingKeys: String, CodingKey {
    case id, title, details, date, dateOffset, status, answerDate, answerNotes, isPrivate, tags
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes an active prayer. The default time zone is this machine's.
  public init(
    title: String, details: String = "", date: Date, dateOffset: Int? = nil,
    isPrivate: Bool = false, tags: [String] = [], recordingID: RecordingID? = nil, createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.details = details
    self.date = date.roundedToMillisecond
    self.dateOffset = dateOffset ?? date.localOffset
    self.isPrivate = isPrivate
    self.tags = Tags.tidied(tags)
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Whether it has an answer, even if it was put away since.
  public var isAnswered: Bool { answerDate != nil }

  /// The later of the prayer and its answer. Neither is in the future.
  public var happenedAt: Date? { max(date, answerDate ?? date) }

  /// The number of calendar days from the prayer to its answer; `nil` without an answer.
  public var daysToAnswer: Int? {
    answerDate.map {
      Day(of: $0, offset: dateOffset).days(since: Day(of: date, offset: dateOffset))
    }
  }

  /// Records the answer.
  ///
  /// - Throws: `RuleError` if the prayer has an answer already.
  public mutating func answer(at moment: Date, notes: String? = nil) throws(RuleError) {
    if let answerDate {
      throw RuleError(
        "the prayer was answered at \(answerDate.localText(offset: dateOffset)); reopen it first")
    }
    status = .answered
    answerDate = moment.roundedToMillisecond
    answerNotes = notes?.nonBlank
  }

  /// Makes it active again, without its answer.
  public mutating func reopen() {
    status = .active
    (answerDate, answerNotes) = (nil, nil)
  }

  /// Puts it away. An answer stays.
  public mutating func archive() { status = .archived }

  /// Brings it back if it was put away: answered if it has an answer, else active.
  public mutating func unarchive() {
    if status == .archived { status = isAnswered ? .answered : .active }
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try details.validate("the details have", limit: FaithLimit.details)
    try Entry.validate(offset: dateOffset)
    try Tags.validate(tags)
    try answerNotes?.validate("the answer's notes have", limit: FaithLimit.notes)
    switch status {
    case .active where isAnswered: throw RuleError("an active prayer has no answer; reopen it")
    case .answered where !isAnswered:
      throw RuleError("an answered prayer has the date of its answer; give answerDate")
    default: break
    }
    guard answerNotes == nil || isAnswered else {
      throw RuleError("the prayer has no answer that notes could be about; answer it first")
    }
    if let answerDate, let days = daysToAnswer, days < 0 {
      throw RuleError(
        "the answer at \(answerDate.localText(offset: dateOffset)) is before the prayer's day, "
          + "\(Day(of: date, offset: dateOffset)); give that day or a later one")
    }
  }

  /// How the registry treats prayers.
  public static let declaration = RecordDeclaration<PrayerRequest>(
    RecordKind("prayers", singular: "prayer"), table: "prayer",
    children: [.tags("prayerTag", of: "prayer")],
    derived: [
      DerivedColumn("searchText") {
        .searchText([$0.title, $0.details, $0.answerNotes ?? ""] + $0.tags)
      }
    ],
    moment: RecordMoment(\.date, \.dateOffset),
    link: RecordingLink(\.recordingID, newest: "date", role: "spoken for") {
      "\($0.localText)  \($0.title)"
    },
    privacy: RecordPrivacy(\.isPrivate),
    csv: .withDates([
      .init("title", \.title), .init("details", \.details), .init("date", \.date),
      .init("dateOffset", \.dateOffset), .init("status", \.status),
      .init("answerDate", \.answerDate), .init("answerNotes", \.answerNotes),
      .init("isPrivate", \.isPrivate), .init("tags", \.tags), .init("recordingId", \.recordingID),
    ]),
    labelled: LabelledWords(
      in: \.details, [.init("Answer") { $0.answerNotes != nil }], separator: "\n\n",
      limit: FaithLimit.details))
}

/// The status of a prayer.
public enum PrayerStatus: String, Vocabulary {
  /// It is prayed.
  case active = "Active"
  /// It is answered.
  case answered = "Answered"
  /// It is put away, with or without an answer.
  case archived = "Archived"

  /// The name for one of the words: "status".
  public static var noun: String { "status" }
}

extension PrayerRequest {
  /// The fields that another program has beside the status.
  private enum OtherKeys: String, CodingKey { case isAnswered, updatedAt }

  /// Reads a prayer.
  ///
  /// Another program's prayer may be answered without a date. It then gets the date of its last
  /// change, and the import reports that.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UUID.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    details = try values.decode(String.self, forKey: .details)
    date = try values.decode(Date.self, forKey: .date).roundedToMillisecond
    dateOffset = try values.decode(Int.self, forKey: .dateOffset)
    status = try values.decode(PrayerStatus.self, forKey: .status)
    answerDate = try values.decodeIfPresent(Date.self, forKey: .answerDate)?.roundedToMillisecond
    answerNotes = try values.decodeIfPresent(String.self, forKey: .answerNotes)
    isPrivate = try values.decode(Bool.self, forKey: .isPrivate)
    tags = try values.decode([String].self, forKey: .tags)
    recordingID = try values.decodeIfPresent(RecordingID.self, forKey: .recordingID)
    createdAt = try values.decode(Date.self, forKey: .createdAt).roundedToMillisecond
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)?.roundedToMillisecond
    let others = try decoder.container(keyedBy: OtherKeys.self)
    guard answerDate == nil, try others.decodeIfPresent(Bool.self, forKey: .isAnswered) == true
    else { return }
    let changed = try others.decodeIfPresent(Date.self, forKey: .updatedAt)?.roundedToMillisecond
    let moment = changed ?? modifiedAt ?? createdAt
    answerDate = moment
    if status == .active { status = .answered }
    remark.text =
      "it is answered without a date; the date of its last change is used, "
      + moment.localText(offset: dateOffset)
  }

  /// The remark of an import about the date of the answer.
  public var importRemark: String? { remark.text }
}
