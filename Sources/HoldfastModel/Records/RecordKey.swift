public import Foundation

/// The identity of a record, which the catalog stores as text.
public protocol RecordKey: Hashable, Sendable, Codable {
  /// The text that the catalog stores.
  var keyText: String { get }

  /// Refuses a text that is not an identity.
  ///
  /// - Throws: ``RuleError``.
  func validate() throws(RuleError)
}

extension UUID: RecordKey {
  /// The UUID in upper case.
  public var keyText: String { uuidString }

  /// Does nothing: every UUID is an identity.
  public func validate() throws(RuleError) {}
}

extension String: RecordKey {
  /// The text itself.
  public var keyText: String { self }

  /// Refuses an empty text, a text of more than 200 characters, and a text outside Unicode's
  /// normalization form C: to Swift two forms are equal, and to SQLite they are not.
  ///
  /// - Throws: ``RuleError``.
  public func validate() throws(RuleError) {
    guard !isEmpty else { throw RuleError("the id is empty") }
    try validate("the id has", limit: 200)
    guard utf8.elementsEqual(precomposedStringWithCanonicalMapping.utf8) else {
      throw RuleError("the id is not in Unicode's normalization form C")
    }
  }
}
