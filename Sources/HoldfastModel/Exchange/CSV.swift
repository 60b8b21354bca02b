import Foundation

/// Writes comma-separated values according to RFC 4180: in UTF-8, with a header row, and safe to
/// open in a spreadsheet.
package enum CSV {
  package static func header<Value>(_ columns: [CSVColumn<Value>]) -> String {
    record(columns.map { .word($0.name) })
  }

  package static func row<Value>(_ columns: [CSVColumn<Value>], of value: Value) -> String {
    record(columns.map { $0.field(value) })
  }

  private static func record(_ fields: [CSVField]) -> String {
    fields.map { field in
      switch field {
      case .text(let text): quoted((text ?? "").withoutFormulas)
      case .word(let word): quoted(word ?? "")
      case .number(let number): number
      }
    }.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ text: String) -> String {
    // Compare bytes: as a Swift character, a carriage return and a line feed are one.
    let needsQuotes = text.utf8.contains {
      [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A].contains($0)
    }
    return needsQuotes ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
  }
}

extension String {
  /// This text with an apostrophe wherever a spreadsheet could take the start of a cell for a
  /// formula.
  ///
  /// A cell starts with the text. It also starts after any character that a spreadsheet may be set
  /// to use as a separator. If that is a semicolon, quotes hold a cell together only when they
  /// surround all of it. A signed number after a separator is not a formula.
  ///
  /// - SeeAlso: https://owasp.org/www-community/attacks/CSV_Injection
  var withoutFormulas: String {
    // Nearly every text has neither kind of character.
    guard unicodeScalars.contains(where: { $0.beginsFormula || $0.isControl }) else { return self }
    var result = UnicodeScalarView()
    /// Where the cell starts in the result; `nil` once the cell has some content.
    var start: Index? = result.startIndex
    let scalars = unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      let isFirst = start == result.startIndex
      if let begin = start {
        let isFormula =
          scalar.beginsFormula && (isFirst || !String(scalars[index...]).beginsWithNumber)
        if isFormula || (isFirst && scalar.isControl) {
          result.insert("'", at: begin)
          start = nil
        } else if !scalar.isPassedOver {
          start = nil
        }
      }
      result.append(scalar)
      if scalar.separatesCells { start = result.endIndex }
    }
    return String(result)
  }

  /// Whether the cell that starts here is a number with a sign.
  fileprivate var beginsWithNumber: Bool {
    let number = /[+-][0-9]+(?:\.[0-9]+)?(?:[,;|\t\r\n]|$)/
    return prefixMatch(of: number.matchingSemantics(.unicodeScalar)) != nil
  }
}

extension Unicode.Scalar {
  fileprivate var beginsFormula: Bool {
    switch self {
    case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}",
      "\u{FE63}", "\u{FE6B}":
      true
    default: false
    }
  }

  fileprivate var separatesCells: Bool { isControl || self == "," || self == ";" || self == "|" }

  fileprivate var isControl: Bool { self == "\t" || self == "\r" || self == "\n" }

  /// White space, quotes and invisible characters, which may come before a formula.
  fileprivate var isPassedOver: Bool {
    self == "\"" || self == "'" || value < 0x20 || properties.isWhitespace
      || properties.isDefaultIgnorableCodePoint
  }
}
