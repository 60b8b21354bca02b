internal import HoldfastModel

/// A change of a record that an option asks for. A command lists those of all its options: an option
/// that is not given has none.
package struct Change<Record> {
  private let apply: (inout Record) -> Void

  /// Makes any change, if a value is given.
  package static func set<Value>(
    _ value: Value?, _ apply: @escaping (inout Record, Value) -> Void
  ) -> Change? {
    value.map { value in Change { apply(&$0, value) } }
  }

  /// Sets a value.
  package static func set<Value>(_ path: WritableKeyPath<Record, Value>, _ value: Value?) -> Change?
  {
    set(value) { $0[keyPath: path] = $1 }
  }

  /// Sets a value that a record need not have. It is never removed.
  package static func set<Value>(
    _ path: WritableKeyPath<Record, Value?>, _ value: Value?
  ) -> Change? {
    set(value) { $0[keyPath: path] = $1 }
  }

  /// Sets a text that a record need not have. An empty text removes it.
  package static func text(
    _ path: WritableKeyPath<Record, String?>, _ text: String?
  ) -> Change? {
    set(text) { $0[keyPath: path] = $1.nonBlank }
  }

  /// Replaces a list, if any element is given. Empty texts are left out: one alone removes the list.
  package static func list(
    _ path: WritableKeyPath<Record, [String]>, _ texts: [String]
  ) -> Change? {
    set(texts.isEmpty ? nil : texts) { $0[keyPath: path] = $1.filter { !$0.isEmpty } }
  }

  fileprivate func callAsFunction(_ record: inout Record) { apply(&record) }
}

extension Array {
  /// Makes the changes that are asked for.
  package func apply<Record>(to record: inout Record) where Element == Change<Record>? {
    for change in self { change?(&record) }
  }
}
