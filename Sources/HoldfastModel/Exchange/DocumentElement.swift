import Foundation

/// One record of an export's document, whether or not it can be read.
public enum DocumentElement<Value: DeclaredRecord>: Decodable, Hashable, Sendable {
  /// A record that breaks no rule.
  case value(Value)
  /// A record that cannot be imported, with the ID as it is written, cut short, and one sentence.
  case refused(id: String?, reason: String)

  private enum Identity: String, CodingKey { case id }

  /// Reads a record. It never throws: a record that cannot be read becomes ``refused(id:reason:)``.
  public init(from decoder: any Decoder) throws {
    do {
      let value = try Value(from: decoder)
      try value.id.validate()
      try value.validate()
      self = .value(value)
    } catch {
      let id = try? decoder.container(keyedBy: Identity.self).decode(String.self, forKey: .id)
      let path = decoder.codingPath.count
      // Untrusted text may be long, but the sentence must not be.
      self = .refused(
        id: id?.cut(to: 40), reason: Self.reason(error, below: path).cut(to: 300))
    }
  }

  private static func reason(_ error: any Error, below path: Int) -> String {
    switch error {
    case let error as RuleError: return error.description
    case DecodingError.keyNotFound(let key, let context):
      return "it has no \(name(context.codingPath + [key], below: path))"
    case DecodingError.valueNotFound(_, let context):
      guard context.codingPath.count > path else { return "it is not an object" }
      return "its \(name(context.codingPath, below: path)) is null"
    case DecodingError.typeMismatch(let type, let context):
      guard context.codingPath.count > path else { return "it is not an object" }
      return "its \(name(context.codingPath, below: path)) is not \(noun(of: type))"
    case DecodingError.dataCorrupted(let context) where context.codingPath.count > path:
      let said = context.debugDescription.cut(to: 150).trimmingCharacters(in: ["."])
      return "its \(name(context.codingPath, below: path)) cannot be read "
        + "(\(said.escapedForDisplay))"
    default:
      return "it holds a number that is too large or not whole, or a text that is not Unicode"
    }
  }

  /// Returns the place in the record, such as `triggers[2]`.
  private static func name(_ codingPath: [any CodingKey], below path: Int) -> String {
    codingPath.dropFirst(path).reduce(into: "") { name, key in
      if let index = key.intValue {
        name += "[\(index)]"
      } else {
        name += (name.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }

  private static func noun(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "a valid value"
    }
  }
}

extension DocumentElement {
  /// A record of another library, refused if it breaks a rule.
  package init(checking value: Value) {
    do throws(RuleError) {
      try value.id.validate()
      try value.validate()
      self = .value(value)
    } catch {
      self = .refused(id: value.id.keyText.cut(to: 40), reason: error.description.cut(to: 300))
    }
  }
}

extension String {
  /// Returns this text, cut to `length` Unicode scalars and followed by "…" if it is longer.
  public func cut(to length: Int) -> String {
    // Scalars, not characters: a single visible character may hold thousands of marks.
    guard unicodeScalars.count > length else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(length))) + "…"
  }
}
