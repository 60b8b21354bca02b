import Foundation
public import Testing

/// The expected result for one media file.
public struct ManifestRow: Hashable, Sendable, CustomTestStringConvertible {
  /// Whether a file is imported.
  public enum Expectation: String, Hashable, Sendable {
    /// It must be imported.
    case accept
    /// It must be refused in one sentence.
    case refuse
    /// It is imported completely or refused cleanly; both are right.
    case either
  }

  /// How the kept streams are stored.
  public enum Treatment: String, Hashable, Sendable {
    /// All are copied.
    case copy
    /// The picture is encoded, or the only sound; see the row's note for the rest.
    case encode
    /// The picture is copied, the sound encoded.
    case copyAndEncode = "copy+encode"
  }

  /// The path relative to the manifest's folder.
  public var path: String
  /// Whether the file is imported.
  public var expect: Expectation
  /// `video` or `audio`, if it is imported.
  public var type: String?
  /// The presented duration in seconds; `nil` if it is refused, or not known beforehand.
  public var duration: Double?
  /// How its streams are stored; only the fixtures state it.
  public var treatment: Treatment?
  /// The viewer's clockwise turn of the stored picture in degrees; only the fixtures state it.
  public var rotation: Int?
  /// Further notes for tests.
  public var note: String

  /// The row's name in test results.
  public var testDescription: String { path }

  /// Reads a manifest, whose first line names the columns.
  ///
  /// - Returns: Its rows; none if the file cannot be read.
  static func rows(of manifest: String) -> [ManifestRow] {
    guard let data = FileManager.default.contents(atPath: manifest) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split { $0 == "\n" || $0 == "\r\n" }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let columns = lines.first else { return [] }
    return lines.dropFirst().map { fields in
      let cells = Dictionary(zip(columns, fields)) { first, _ in first }.filter {
        !$0.value.isEmpty
      }
      guard let path = cells["path"], let expect = cells["expect"].flatMap(Expectation.init) else {
        preconditionFailure("\(manifest): a row has no path or expectation: \(fields)")
      }
      return ManifestRow(
        path: path, expect: expect, type: cells["type"],
        duration: cells["duration"].flatMap(Double.init),
        treatment: cells["treatment"].flatMap(Treatment.init),
        rotation: cells["rotation"].flatMap { Int($0) }, note: cells["note"] ?? "")
    }
  }
}
