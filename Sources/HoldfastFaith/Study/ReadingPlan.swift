public import Foundation
public import Holdfast

/// A plan of readings, one for each day from its start. The last days may have none.
public struct ReadingPlan: JournalRecord {
  /// A reading of a plan.
  public struct Reading: Codable, Hashable, Sendable {
    /// The text to read.
    public var reading: String
    /// When it was read; `nil` if it was not.
    public var doneAt: Date?

    /// Makes a reading.
    public init(_ reading: String, doneAt: Date? = nil) {
      self.reading = reading
      self.doneAt = doneAt?.roundedToMillisecond
    }
  }

  /// The plan's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The description. It may be empty.
  public var details: String
  /// The day of the first reading.
  public var startDate: Day
  /// The last day of the plan.
  public var endDate: Day
  /// The readings, in the order of their days. Two may be equal.
  public var dailyReadings: [Reading]
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?
  var remark = ImportRemark()

  private enum CodingKeys: String, CodingKey {
    case id, title
    case details = "description"
    case startDate, endDate, dailyReadings, createdAt, modifiedAt
  }

  /// Makes a plan with nothing read yet.
  public init(
    title: String, details: String = "", startDate: Day, endDate: Day, dailyReadings: [String],
    createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.details = details
    self.startDate = startDate
    self.endDate = endDate
    self.dailyReadings = dailyReadings.map { Reading($0) }
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// How many readings were read.
  public var doneCount: Int { dailyReadings.count { $0.doneAt != nil } }

  /// The share of the readings that were read, from 0 to 1; `nil` for a plan without readings.
  public var progress: Double? {
    dailyReadings.isEmpty ? nil : Double(doneCount) / Double(dailyReadings.count)
  }

  /// Whether the plan has readings and all were read.
  public var isDone: Bool { progress == 1 }

  /// Returns this library's version of a plan that was edited here, with the readings that were
  /// read in the app since a moment, or else since the edit; `nil` if there are none. The app does
  /// not date its changes.
  private func following(_ app: ReadingPlan, since: Date?) -> ReadingPlan? {
    guard isNewer(than: app), let since = since ?? modifiedAt else { return nil }
    var plan = self
    for (index, (own, other)) in zip(dailyReadings, app.dailyReadings).enumerated()
    where own.doneAt == nil && own.reading == other.reading {
      guard let doneAt = other.doneAt, doneAt > since else { continue }
      plan.dailyReadings[index].doneAt = doneAt
    }
    return plan == self ? nil : plan
  }

  /// Returns the day of a reading.
  public func day(at position: Int) -> Day { startDate.adding(days: position) }

  /// Returns how many of the readings due by a day are left to read.
  public func leftToRead(by today: Day) -> Int {
    let due = min(max(today.days(since: startDate) + 1, 0), dailyReadings.count)
    return max(due - doneCount, 0)
  }

  /// The last moment at which something was read. It must not be in the future.
  public var happenedAt: Date? { dailyReadings.compactMap(\.doneAt).max() }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try details.validate("the description has", limit: FaithLimit.details)
    guard startDate <= endDate else {
      throw RuleError("the plan ends on \(endDate), before its start on \(startDate)")
    }
    let days = endDate.days(since: startDate) + 1
    guard dailyReadings.count <= days else {
      throw RuleError(
        "\(dailyReadings.count) readings for \(days) \(days == 1 ? "day" : "days"), from "
          + "\(startDate) through \(endDate); give at most one for each day, or a later end")
    }
    guard dailyReadings.count <= FaithLimit.readingCount else {
      throw RuleError(
        "\(dailyReadings.count) readings; at most \(FaithLimit.readingCount) are allowed")
    }
    for reading in dailyReadings {
      try reading.reading.validateName("a reading", limit: FaithLimit.title)
    }
  }

  /// How the registry treats plans.
  public static let declaration = RecordDeclaration<ReadingPlan>(
    RecordKind("readingPlans", singular: "reading plan", plural: "reading plans"),
    table: "readingPlan",
    columns: ["description": "details", "startDate": "startDay", "endDate": "endDay"],
    children: [
      ChildTable(
        "readingPlanDay", owner: "planId", list: "dailyReadings",
        of: .object(["reading", "doneAt"]))
    ],
    csv: .withDates([
      .init("title", \.title), .init("description", \.details), .init("startDate", \.startDate),
      .init("endDate", \.endDate),
      .init("dailyReadings") { .texts($0.dailyReadings.map(\.reading)) },
      .init("done", \.doneCount),
    ]), following: { $0.following($1, since: $2) },
    labelled: LabelledWords(
      in: \.details, ["Notes"], separator: "\n\n", limit: FaithLimit.details))
}

extension ReadingPlan {
  /// The progress in another program's plan, whose readings are plain texts.
  private enum OtherKeys: String, CodingKey { case progress }

  /// Reads a plan.
  ///
  /// Another program's plan has its readings as texts, and its progress as a map. A key of the map
  /// is a reading's text, which marks the first such reading, a position from 0, or a day. The
  /// readings count as read when the plan was last changed. An import lists the other keys.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UUID.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    details = try values.decode(String.self, forKey: .details)
    startDate = try values.decode(Day.self, forKey: .startDate)
    endDate = try values.decode(Day.self, forKey: .endDate)
    createdAt = try values.decode(Date.self, forKey: .createdAt).roundedToMillisecond
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)?.roundedToMillisecond
    guard let texts = try? values.decode([String].self, forKey: .dailyReadings), !texts.isEmpty
    else {
      dailyReadings = try values.decode([Reading].self, forKey: .dailyReadings)
      return
    }
    dailyReadings = texts.map { Reading($0) }
    let progress = try decoder.container(keyedBy: OtherKeys.self)
      .decodeIfPresent([String: Bool].self, forKey: .progress)
    let unknown = mark(progress ?? [:], at: modifiedAt ?? createdAt)
    guard !unknown.isEmpty else { return }
    let keys = unknown.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    remark.text = "its progress names readings that the plan does not have: \(keys)"
  }

  /// The remark of an import about the progress.
  public var importRemark: String? { remark.text }

  /// Marks readings by another program's map of progress, as read at a moment.
  ///
  /// - Returns: The sorted keys that match no reading.
  public mutating func mark(_ progress: [String: Bool], at moment: Date) -> [String] {
    var unknown: [String] = []
    for (key, isDone) in progress.sorted(by: { $0.key < $1.key }) {
      if let position = position(of: key) {
        if isDone { dailyReadings[position].doneAt = moment.roundedToMillisecond }
      } else {
        unknown.append(key)
      }
    }
    return unknown
  }

  private func position(of key: String) -> Int? {
    if let position = dailyReadings.firstIndex(where: { $0.reading == key }) { return position }
    let position = Int(key) ?? (try? Day(key))?.days(since: startDate)
    return position.flatMap { dailyReadings.indices.contains($0) ? $0 : nil }
  }
}
