public import Foundation

/// How Holdfast writes and reads JSON, both the commands' results and an export's documents.
///
/// Names are sorted, so that equal values have equal text. Dates keep their milliseconds.
public enum JSONFormat {
  /// An encoder for Holdfast's JSON.
  public static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in try text(date).encode(to: encoder) }
    // A figure that is not a number is written as text, so that the recording is not lost.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  /// Returns a value as JSON that is safe to show.
  ///
  /// Characters that a terminal would act on, or that could mislead a reader, are written as
  /// escapes such as `\u202E`. A JSON reader turns an escape back into the character.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: The encoder to use. Get ``encoder`` once to write many values.
  public static func data(
    _ value: some Encodable, by encoder: JSONEncoder = Self.encoder
  ) throws -> Data {
    let data = try encoder.encode(value)
    // Through its own iterator, a `Data` takes longer than the encoding.
    let isPlain = unsafe data.withUnsafeBytes { bytes in unsafe bytes.allSatisfy { $0 < 0x7F } }
    if isPlain { return data }
    // The encoder already escapes everything before the space. Unsafe characters occur only in
    // strings.
    let text = String(decoding: data, as: UTF8.self)
    return Data(text.escaped { "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst() }.utf8)
  }

  /// A decoder for Holdfast's JSON. It throws ``RuleError`` for a date that it cannot read.
  public static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = date(text) { return date }
      throw RuleError(
        "\(decoder.codingPath.last?.stringValue ?? "date") "
          + "\"\(text.cut(to: 40).escapedForDisplay)\" is not a time; "
          + "write it like 2025-10-25T13:42:00.000Z")
    }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// Returns a moment in UTC with milliseconds, such as `2025-10-25T13:42:00.000Z`.
  public static func text(_ date: Date) -> String {
    if let text = date.utcText(separator: "T") { return text + "Z" }
    // The style cuts off anything below a millisecond, and most milliseconds are not exact binary
    // fractions: .001 would be written as .000.
    return date.roundedToMillisecond.addingTimeInterval(0.0005).formatted(style)
  }

  /// Returns the moment for a text that ``text(_:)`` wrote. The milliseconds may be missing.
  ///
  /// - Returns: `nil` for any other text, such as the 30th of February.
  public static func date(_ text: String) -> Date? {
    let whole = text.utf8.count == 20 && text.hasSuffix("Z") ? text.dropLast() + ".000Z" : text
    if whole.hasSuffix("Z"),
      let date = Date(utcText: String(whole.dropLast()), separator: "T")
    {
      return date
    }
    // The catalog's dates are also text with four-digit years, and there was no year 0.
    guard whole.utf8.count == 24, !whole.hasPrefix("0000"),
      let date = try? style.parse(whole).roundedToMillisecond, self.text(date) == whole
    else { return nil }
    return date
  }

  private static let style = Date.ISO8601FormatStyle(
    includingFractionalSeconds: true, timeZone: .gmt)
}
