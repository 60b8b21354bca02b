public import Foundation

/// A value as an app wrote it: in a store, a property list or a JSON document.
public enum AppValue: Hashable, Sendable {
  /// No value.
  case null
  /// True or false. A store has 1 and 0 instead.
  case flag(Bool)
  /// A number. A date is one in a store: seconds since 2001.
  case number(Double)
  /// A text.
  case text(String)
  /// Bytes that are not text, such as a UUID in a store.
  case bytes(Data)
  /// A list.
  case list([AppValue])
  /// Values with names.
  case object([String: AppValue])

  /// Whether the value is missing.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether the value says nothing: no text and no elements.
  public var isEmpty: Bool {
    switch self {
    case .null: true
    case .text(let text) where text.isEmpty: true
    case .bytes(let data) where data.isEmpty: true
    default: list?.isEmpty == true
    }
  }

  /// The value with a name; ``null`` if it has none.
  public subscript(_ name: String) -> AppValue {
    if case .object(let values) = self { values[name] ?? .null } else { .null }
  }

  /// The values with names.
  public var object: [String: AppValue]? {
    if case .object(let values) = self { values } else { nil }
  }
}

extension AppValue: Codable {
  /// Reads any JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if container.decodeNil() {
      self = .null
    } else if let list = try? container.decode([AppValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: AppValue].self))
    }
  }

  /// Writes JSON. Whole numbers have no fraction, and bytes are in base64.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number):
      if let whole = Int(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .text(let text): try container.encode(text)
    case .bytes(let data): try container.encode(data.base64EncodedString())
    case .list(let list): try container.encode(list)
    case .object(let values): try container.encode(values)
    }
  }
}

extension AppValue {
  /// The text; for a number, its digits.
  public var text: String? {
    switch self {
    case .text(let text): text
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    default: nil
    }
  }

  /// The number, even if it is written as text.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .text(let text): Double(text)
    default: nil
    }
  }

  /// The whole number, even if it is written as text.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The truth value. A store has a number.
  public var flag: Bool? {
    switch self {
    case .flag(let flag): flag
    case .number(let number): number == 1 ? true : number == 0 ? false : nil
    case .text(let text): ["true": true, "false": false][text.lowercased()]
    default: nil
    }
  }

  /// The UUID. A store has its 16 bytes.
  public var uuid: UUID? {
    switch self {
    case .text(let text): return UUID(uuidString: text)
    case .bytes(let data) where data.count == 16:
      return unsafe data.withUnsafeBytes { bytes in unsafe UUID(uuid: bytes.load(as: uuid_t.self)) }
    case .object: return self["id"].uuid
    default: return nil
    }
  }

  /// The moment, with the offset of its time zone in minutes if the text names one other than UTC.
  ///
  /// A text is in ISO 8601. A number is seconds since 2001, as Swift writes dates by itself; above
  /// 1,200,000,000 it is seconds since 1970.
  public var moment: (date: Date, offset: Int?)? {
    switch self {
    case .number(let seconds) where abs(seconds) < 1e11:
      let date =
        seconds > 1_200_000_000
        ? Date(timeIntervalSince1970: seconds) : Date(timeIntervalSinceReferenceDate: seconds)
      // Years before 1 and after 9999 cannot be written.
      guard date.hasUTCText || JSONFormat.date(JSONFormat.text(date)) != nil else { return nil }
      return (date.roundedToMillisecond, nil)
    case .text(let text) where text.utf8.count <= 64:
      if let date = JSONFormat.date(text) { return (date, nil) }
      let fraction = /\.[0-9]{1,12}/
      guard text.contains(":"), text.contains("-"),
        let (date, offset) = try? Entry.moment(
          text.replacing(fraction, with: "", maxReplacements: 1), now: .distantPast)
      else { return nil }
      let seconds = text.firstMatch(of: fraction).flatMap { Double("0\($0.output)") } ?? 0
      return (
        date.addingTimeInterval(seconds).roundedToMillisecond, text.hasSuffix("Z") ? nil : offset
      )
    default: return nil
    }
  }

  /// The moment, whatever its time zone.
  public var date: Date? { moment?.date }

  /// The day: as text, or the day of a moment in this machine's time zone.
  public var day: Day? {
    if case .text(let text) = self, let day = try? Day(text) { return day }
    return moment.map { Day(of: $0.date, offset: $0.offset ?? $0.date.localOffset) }
  }

  /// The moment as text: of a day, its beginning. ``null`` if it is neither.
  public var beginning: AppValue {
    if let moment { return .text(JSONFormat.text(moment.date)) }
    return day.map { .text("\($0)T00:00:00.000Z") } ?? .null
  }

  /// The data. In a store, Core Data writes 1 before data that it could also keep in another file.
  public var stored: AppValue {
    guard case .bytes(let data) = self, data.first == 1 else { return self }
    return .bytes(Data(data.dropFirst()))
  }

  /// The text that bytes are; `nil` for bytes with other control characters than white space.
  var utf8Text: String? {
    guard case .bytes(let data) = stored, let text = String(data: data, encoding: .utf8),
      text.unicodeScalars.allSatisfy({ $0.value >= 32 || $0.properties.isWhitespace })
    else { return nil }
    return text
  }

  /// A person's words in a text, or in a list or an object of texts; `nil` for anything else.
  public var plainWords: String? {
    switch unpackedData ?? self {
    case .text(let text): return text.nonBlank
    case .bytes: return utf8Text?.nonBlank
    case .list(let list):
      let lines = list.compactMap(\.plainWords)
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    case .object(let values):
      // An ID means nothing to people.
      let shown = values.filter { $0.key.lowercased() != "id" }
      let lines = shown.sorted { $0.key < $1.key }.compactMap { name, value in
        value.plainWords.map { "\(name): \($0)" }
      }
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    default: return nil
    }
  }

  /// The list. In a store it is a property list, an archive or JSON, in bytes or in a text.
  public var list: [AppValue]? {
    switch self {
    case .list(let list): list
    case .bytes, .text: if case .list(let list)? = unpacked { list } else { nil }
    default: nil
    }
  }

  /// The value that bytes or a text hold as a property list, an archive or JSON; `nil` for others.
  public var unpacked: AppValue? {
    switch self {
    case .bytes:
      guard case .bytes(let data) = stored else { return nil }
      if let plist = BinaryPropertyList(data) { return plist.value }
      guard let text = String(data: data, encoding: .utf8) else { return nil }
      return AppValue.text(text).unpacked
    case .text(let text):
      guard text.utf8.count <= 16 << 20, let first = text.first(where: { !$0.isWhitespace }),
        first == "[" || first == "{"
      else { return nil }
      return try? JSONDecoder().decode(AppValue.self, from: Data(text.utf8))
    default: return nil
    }
  }

  /// The value that data hold, as ``unpacked`` reads it. A document has data in base64.
  public var unpackedData: AppValue? {
    if let unpacked { return unpacked }
    guard case .text(let text) = self, let data = Data(base64Encoded: text) else { return nil }
    return AppValue.bytes(data).unpacked
  }

  /// The value for people.
  public var shown: String {
    switch self {
    case .null: "missing"
    case .flag(let flag): "\(flag)"
    case .number: text ?? ""
    case .text(let text): "\"\(text.cut(to: 40).escapedForDisplay)\""
    case .bytes: "bytes"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
