public import Foundation

/// How Holdfast writes and reads JSON: the commands' results, and the documents of an export.
///
/// Names are sorted, so that equal values have equal text, and dates keep their millisecond.
public enum JSONFormat {
  /// What writes.
  public static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(date))
    }
    // A figure that is no number is worth a word, not the loss of the recording.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  /// A value as JSON that may be shown: what a terminal would act upon, or an eye be misled by, is
  /// written as `\u202E`, which whoever reads it takes for the character itself.
  ///
  /// - Parameter encoder: What writes; give ``encoder`` once for many values.
  public static func data(
    _ value: some Encodable, by encoder: JSONEncoder = Self.encoder
  ) throws -> Data {
    let data = try encoder.encode(value)
    guard data.contains(where: { $0 >= 0x7F }) else { return data }
    // The encoder escapes what comes before the space, and nothing else is outside of strings.
    let text = String(decoding: data, as: UTF8.self)
    return Data(text.escaped { "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst() }.utf8)
  }

  /// What reads; a date that is none is a ``RuleError``.
  public static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = date(text) { return date }
      throw RuleError(
        "\(decoder.codingPath.last?.stringValue ?? "date") "
          + "\"\(text.cut(to: 40).escapedForDisplay)\" is no time; "
          + "write it like 2025-10-25T13:42:00.000Z")
    }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// A moment in UTC with milliseconds, such as `2025-10-25T13:42:00.000Z`.
  public static func text(_ date: Date) -> String {
    // The style cuts off what is less than a millisecond, and most milliseconds are no binary
    // fraction: .001 would be written as .000.
    date.roundedToMillisecond.addingTimeInterval(0.0005).formatted(style)
  }

  /// The moment that ``text(_:)`` writes like this, or without its milliseconds; `nil` for every
  /// other text, such as the 30th of February.
  public static func date(_ text: String) -> Date? {
    let whole = text.utf8.count == 20 && text.hasSuffix("Z") ? text.dropLast() + ".000Z" : text
    // The catalog's dates are text of four-digit years as well, and there was no year 0.
    guard whole.utf8.count == 24, !whole.hasPrefix("0000"),
      let date = try? style.parse(whole).roundedToMillisecond, self.text(date) == whole
    else { return nil }
    return date
  }

  private static let style = Date.ISO8601FormatStyle(
    includingFractionalSeconds: true, timeZone: .gmt)
}
