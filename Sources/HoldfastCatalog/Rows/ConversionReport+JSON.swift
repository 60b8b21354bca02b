internal import Foundation
internal import HoldfastModel

extension ConversionReport {
  /// Reads a report from the catalog's JSON text; text that cannot be read is no report.
  ///
  /// The report is history: what an older or newer Holdfast wrote must not hide the recording.
  init?(json: String) {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let report = try? decoder.decode(Self.self, from: Data(json.utf8)) else { return nil }
    self = report
  }

  /// The report as JSON text with sorted keys: equal reports have equal text.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // A figure that is no number is worth a word, not the loss of the recording.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
