public import Foundation
internal import Holdfast

extension ReadingPlan {
  /// The progress of another program's plan, beside readings that are only texts.
  private enum OtherKeys: String, CodingKey { case progress }

  /// Reads a plan.
  ///
  /// Another program's plan has its readings as texts, and its progress as a map. A key of the map
  /// that equals a reading's text marks the first such, a whole number the position from 0, and a day
  /// that day's. They were read when the plan was last changed. An import lists the other keys.
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
    remark.text = "its progress names what is no reading of the plan: \(keys)"
  }

  /// What an import should say about the progress.
  public var importRemark: String? { remark.text }

  /// Marks readings as another program's map of progress does.
  ///
  /// - Parameters:
  ///   - progress: The map.
  ///   - moment: When the readings were read.
  /// - Returns: The keys that name no reading, in order.
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
