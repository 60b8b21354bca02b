package import Foundation
package import HoldfastModel

/// A change of a record that an option asks for. A command lists the changes of all its options: an
/// option that is not given has none.
package struct Change<Record> {
  private let apply: (inout Record) throws -> Void
  /// Returns the change with the contents of standard input or a file; `nil` if it needs neither.
  private var read: (() throws -> Change)?
  /// The current time, if the change sets the record's time.
  fileprivate var now: Date?

  private init(_ apply: @escaping (inout Record) throws -> Void) { self.apply = apply }

  package static func set<Value>(
    _ value: Value?, _ apply: @escaping (inout Record, Value) throws -> Void
  ) -> Change? {
    value.map { value in Change { try apply(&$0, value) } }
  }

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

  /// Sets a text, which is read from standard input if it is `-`.
  ///
  /// - Parameter limit: The most Unicode scalars.
  package static func text(
    _ path: WritableKeyPath<Record, String>, _ text: String?, limit: Int
  ) -> Change? {
    read(set(path, text)) { set(path, try text.map { try TextInput.text($0, limit: limit) }) }
  }

  /// Sets bytes, which are read from a file. An empty path removes them.
  ///
  /// - Parameter limit: The most bytes. One more is read, to learn whether there are more.
  package static func bytes(
    _ path: WritableKeyPath<Record, Data?>, ofFile file: String?, atMost limit: Int
  ) -> Change? {
    read(set(file) { _, _ in }) {
      let bytes = try file?.nonBlank.map { try TextInput.bytes(ofFile: $0, atMost: limit) }
      return Change { $0[keyPath: path] = bytes }
    }
  }

  private static func read(_ change: Change?, _ read: @escaping () throws -> Change?) -> Change? {
    guard var change else { return nil }
    change.read = { [change] in try read() ?? change }
    return change
  }

  /// Replaces a list, if any element is given. Empty texts are left out: one alone removes the
  /// list.
  package static func list(
    _ path: WritableKeyPath<Record, [String]>, _ texts: [String]
  ) -> Change? {
    set(texts.isEmpty ? nil : texts) { $0[keyPath: path] = $1.filter { !$0.isEmpty } }
  }

  fileprivate func callAsFunction(_ record: inout Record) throws { try apply(&record) }
  fileprivate func reading() throws -> Change { try read?() ?? self }
}

extension Change {
  /// Sets the record's time.
  package static func moment(_ time: TimeOption) -> Change? where Record: DeclaredRecord {
    var change = set(time.at) { record, at in
      guard let moment = Record.declaration.moment else { return }
      record[keyPath: moment.date] = at.moment.roundedToMillisecond
      record[keyPath: moment.offset] = at.offset
    }
    change?.now = time.now
    return change
  }
}

extension Array {
  /// Makes the changes that are asked for.
  package func apply<Record>(to record: inout Record) throws where Element == Change<Record>? {
    for change in self { try change?(&record) }
  }

  /// Returns the changes with the contents of standard input and files.
  ///
  /// It is read before a transaction, during which every other command waits.
  package func reading<Record>() throws -> Self where Element == Change<Record>? {
    try map { try $0?.reading() }
  }

  /// The current time, if a change sets the record's time; `nil` if none does.
  func now<Record>() -> Date? where Element == Change<Record>? {
    compactMap { $0?.now }.first
  }
}
