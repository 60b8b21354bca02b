public import Foundation

/// The identity of a record, which the catalog stores as text.
public protocol RecordKey: Hashable, Sendable, Codable {
  /// The text that the catalog stores.
  var keyText: String { get }
}

extension UUID: RecordKey {
  /// The UUID in upper case.
  public var keyText: String { uuidString }
}

extension String: RecordKey {
  /// The text itself.
  public var keyText: String { self }
}
