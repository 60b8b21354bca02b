import Foundation
import Holdfast

/// A value of any kind in the old app's JSON.
enum OldValue: Decodable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([OldValue])
  case object([String: OldValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([OldValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: OldValue].self))
    }
  }

  subscript(_ key: String) -> OldValue {
    if case .object(let values) = self { values[key] ?? .null } else { .null }
  }

  var isNull: Bool { if case .null = self { true } else { false } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var list: [OldValue]? { if case .list(let list) = self { list } else { nil } }
  var object: [String: OldValue]? { if case .object(let values) = self { values } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The whole number, even if it is written as text.
  var integer: Int? {
    switch self {
    case .number(let number): Int(exactly: number)
    case .text(let text): Int(text)
    default: nil
    }
  }

  /// The moment: as text in UTC, or in seconds since 2001, as Swift writes dates by itself.
  var date: Date? {
    switch self {
    case .number(let seconds) where abs(seconds) < 1e11:
      // Years before 1 and after 9999 cannot be written.
      [Date(timeIntervalSinceReferenceDate: seconds)].first {
        JSONFormat.date(JSONFormat.text($0)) != nil
      }
    case .text(let text): JSONFormat.date(text) ?? (try? Entry.moment(text, now: .now).date)
    default: nil
    }
  }

  /// The day: as text, or the day of a moment in this machine's time zone.
  var day: Day? {
    text.flatMap { try? Day($0) } ?? date.map { Day(of: $0, offset: $0.localOffset) }
  }

  /// The value as people read it.
  var shown: String {
    switch self {
    case .null: "missing"
    case .flag(let flag): "\(flag)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): "\"\(text.cut(to: 40).escapedForDisplay)\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}
