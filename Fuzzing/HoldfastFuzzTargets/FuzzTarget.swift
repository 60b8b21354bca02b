public import Foundation

/// The readers of untrusted bytes, and their promises for any input.
///
/// Each further reader of such bytes is another case.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// A path in the library's tree.
  case path
  /// The library's marker, `holdfast.json`.
  case marker
  /// A document for `import-data`, and its import into the catalog.
  case document
  /// An app's document or property list.
  case app
  /// The transcript that a phone stored in a recording's file.
  case phone
  /// A worker's answer, and the Library's handling of it.
  case frame

  /// Feeds bytes to the target.
  ///
  /// - Throws: ``BrokenPromise`` if a promise is broken.
  public func feed(_ bytes: Data) throws {
    switch self {
    case .path: try PathPromises.check(bytes)
    case .marker: try MarkerPromises.check(bytes)
    case .document: try DocumentPromises.check(bytes)
    case .app: try AppPromises.check(bytes)
    case .phone: try PhonePromises.check(bytes)
    case .frame: try FramePromises.check(bytes)
    }
  }

  /// Bytes that the target accepts.
  public var examples: [Data] {
    get throws {
      switch self {
      case .path: PathPromises.examples
      case .marker: try MarkerPromises.examples
      case .document: try DocumentPromises.examples
      case .app: AppPromises.examples
      case .phone: PhonePromises.examples
      case .frame: try FramePromises.examples
      }
    }
  }

  /// Words of such bytes.
  public var words: [String] {
    switch self {
    case .path: PathPromises.words
    case .marker: Self.json + MarkerPromises.words
    case .document: Self.json + DocumentPromises.words
    case .app: Self.json + AppPromises.words
    case .phone: Self.json + PhonePromises.words
    case .frame: Self.json + FramePromises.words
    }
  }

  private static let json = [
    "{", "}", "[", "]", ":", ",", "\"", "null", "true", "false", "0", "-1", "1.5", "1e999", "-0",
    "1e-400", "9223372036854775807", "9223372036854775808", "\\u0000", "\\ud800", "\\u202e", "\\n",
    "\"\"", "[]", "{}", "\u{0}", "\u{FEFF}", "\"nan\"", "\"inf\"",
  ]
}

/// A broken promise.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// The promise that is broken.
  public var description: String

  /// Throws unless `condition` holds.
  static func unless(
    _ condition: Bool, _ words: @autoclosure () -> String
  ) throws(BrokenPromise) {
    guard condition else { throw BrokenPromise(description: words()) }
  }

  /// Throws unless a refusal is one line that a terminal can show.
  static func unlessSentence(_ text: String) throws(BrokenPromise) {
    let isOneLine = text.unicodeScalars.allSatisfy { scalar in
      ![.control, .lineSeparator, .paragraphSeparator, .surrogate].contains(
        scalar.properties.generalCategory) && !(0x202A...0x202E).contains(scalar.value)
    }
    try unless(
      isOneLine && !text.isEmpty && text.count < 600 && !text.contains("Error("),
      "no sentence: \(text)")
  }
}
