import Foundation
import GRDB
import HoldfastModel

/// A value of a record as a catalog stores it.
///
/// GRDB would write each list as JSON, which would have to be read again for the list's table.
enum EncodedValue {
  case value(DatabaseValue)
  case list([EncodedValue])
  case object([(name: String, value: EncodedValue)])
  /// A value that is not yet complete, with its encoder.
  case unfinished(ValueEncoder)

  /// Encodes a value: a moment in UTC to the millisecond, a UUID in upper case, a truth value as 0
  /// or 1.
  init<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let id as UUID: self = .value(id.uuidString.databaseValue)
    case let date as Date: self = .value(date.stored)
    case let stored as any DatabaseValueConvertible: self = .value(stored.databaseValue)
    default:
      let encoder = ValueEncoder()
      try value.encode(to: encoder)
      self = encoder.value
    }
  }

  var members: [(name: String, value: EncodedValue)]? {
    switch self {
    case .object(let members): members
    case .unfinished(let encoder): encoder.value.members
    case .value, .list: nil
    }
  }

  var elements: [EncodedValue]? {
    switch self {
    case .list(let elements): elements
    case .unfinished(let encoder): encoder.value.elements
    case .value, .object: nil
    }
  }

  /// - Throws: ``RowDefect`` if it is not a single value, or if SQLite would store a different one.
  func stored(in column: String) throws -> DatabaseValue {
    guard case .value(let value) = self else {
      throw RowDefect(
        code: .refused, reason: "\(column.escapedForDisplay) is more than one value")
    }
    switch value.storage {
    case .string(let text) where text.utf8.contains(0): throw RowDefect.zeroCharacter(in: column)
    case .double(let number) where !number.isFinite:
      throw RowDefect(code: .refused, reason: "\(column) is not a number")
    default: return value
    }
  }
}

extension Date {
  /// The moment as GRDB stores it, to the millisecond.
  var stored: DatabaseValue {
    utcText(separator: " ")?.databaseValue ?? roundedToMillisecond.databaseValue
  }

  /// Reads a stored moment; `nil` for another value.
  init?(stored value: DatabaseValue) {
    if case .string(let text) = value.storage, let date = Date(utcText: text, separator: " ") {
      self = date
    } else if let date = Date.fromDatabaseValue(value)?.roundedToMillisecond {
      self = date
    } else {
      return nil
    }
  }
}

final class ValueEncoder: Encoder {
  fileprivate(set) var value = EncodedValue.value(.null)
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  fileprivate init() {}

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if value.members == nil { value = .object([]) }
    return KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if value.elements == nil { value = .list([]) }
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  fileprivate func append(_ element: EncodedValue) {
    guard case .list(var elements) = value else { return }
    // This keeps the list from being copied.
    value = .value(.null)
    elements.append(element)
    value = .list(elements)
  }

  fileprivate func append(_ member: EncodedValue, named name: String) {
    guard case .object(var members) = value else { return }
    value = .value(.null)
    members.append((name, member))
    value = .object(members)
  }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { add(nil as Int?, key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoder.append(try EncodedValue(value), named: key.stringValue)
  }

  // Swift calls a method for each type. For the common types, these avoid a search for the type.
  func encode(_ value: Bool, forKey key: Key) { add(value, key) }
  func encode(_ value: String, forKey key: Key) { add(value, key) }
  func encode(_ value: Double, forKey key: Key) { add(value, key) }
  func encode(_ value: Int, forKey key: Key) { add(value, key) }

  private func add(_ value: (some DatabaseValueConvertible)?, _ key: Key) {
    encoder.append(.value(value?.databaseValue ?? .null), named: key.stringValue)
  }

  // A missing value is NULL in its row, and so is an optional text that is blank.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { add(value?.nonBlank, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { add(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { add(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { superEncoder(forKey: key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder {
    let nested = ValueEncoder()
    encoder.append(.unfinished(nested), named: key.stringValue)
    return nested
  }
}

private struct Elements: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.value.elements?.count ?? 0 }

  func encodeNil() { encoder.append(.value(.null)) }
  func encode<Value: Encodable>(_ value: Value) throws { encoder.append(try EncodedValue(value)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { superEncoder().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    superEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let nested = ValueEncoder()
    encoder.append(.unfinished(nested))
    return nested
  }
}

private struct Single: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { encoder.value = .value(.null) }
  func encode(_ value: String) { encoder.value = .value(value.databaseValue) }
  func encode(_ value: Int) { encoder.value = .value(value.databaseValue) }
  func encode<Value: Encodable>(_ value: Value) throws { encoder.value = try EncodedValue(value) }
}
