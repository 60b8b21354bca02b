import Foundation
import HoldfastModel

extension ConversionReport {
  /// Reads a report from the catalog's JSON text, or returns `nil` if the text cannot be read.
  ///
  /// The report is history. A format of an older or newer Holdfast must not hide the recording.
  init?(json: String) {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let report = try? decoder.decode(Self.self, from: Data(json.utf8)) else { return nil }
    self = report
  }

  /// The report as JSON text with sorted keys, so that equal reports have equal text.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // A value such as NaN is written as a word. The recording must not be lost because of it.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
