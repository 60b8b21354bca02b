package import ArgumentParser
package import Holdfast

/// A detail of a record: one line of what `show` prints.
package typealias Detail = (name: String, value: String)

/// A kind of record for the commands that all kinds share: ``RecordShowCommand``,
/// ``RecordDeleteCommand``, ``RecordLinkCommand`` and ``RecordUnlinkCommand``, and those that list,
/// add and edit. A kind states what is special to it; the rest has defaults.
package protocol ShownRecord: JournalRecord {
  /// The journal that must be enabled; `nil` for a kind that every library has.
  static var journal: Journal? { get }

  // MARK: Words

  /// The noun for one record, in help and in the last line of a list.
  static var singular: String { get }
  static var plural: String { get }
  static var idHelp: ArgumentHelp { get }
  static var idsHelp: ArgumentHelp { get }
  static var recordingHelp: ArgumentHelp { get }
  static var showAbstract: String { get }
  static var deleteAbstract: String { get }
  static var deleteDiscussion: String { get }
  static var linkAbstract: String { get }
  static var unlinkAbstract: String { get }

  // MARK: In the library

  static func named(_ text: String, in library: Library) throws -> Self
  func delete(from library: Library) throws

  // MARK: Output

  /// The record as one line of text, by which a person knows it.
  var line: String { get }
  /// Returns the text after the ID of a record that was made or changed, escaped and with its
  /// colours.
  func line(on console: Console) -> String
  /// The details that `show` prints between the ID and the dates of change. A detail without a
  /// value is left out.
  var facts: [(name: String, value: String?)] { get }
  func details(in library: Library) throws -> [Detail]
  /// The detail that has a colour, which its row of a list has too; `nil` for none.
  var highlight: (detail: String, color: Console.Color)? { get }
  /// The columns of a list after the ID. Text that a user wrote is in the last column.
  static var columns: [RecordColumn<Self>] { get }
  func listOutput(in library: Library) throws -> any Encodable
  func fullOutput(in library: Library) throws -> any Encodable
}

extension ShownRecord {
  package static var singular: String { kind.singular }
  package static var plural: String { kind.plural }

  package static var idHelp: ArgumentHelp {
    "The \(singular)'s id, or at least four characters of its beginning."
  }

  package static var idsHelp: ArgumentHelp {
    "The \(plural)' ids, or at least four characters of the beginning of each."
  }

  package static var recordingHelp: ArgumentHelp {
    ArgumentHelp(
      "The recording that goes with it: its id, or at least four characters of its beginning.",
      valueName: "id")
  }

  package static var showAbstract: String { "Show everything known about \(one)." }

  package static var deleteAbstract: String {
    "Delete \(plural)\(declaration.link == nil ? "" : "; their recordings are kept")."
  }

  package static var deleteDiscussion: String { "" }
  package static var linkAbstract: String { "Link \(one) to the recording that goes with it." }
  package static var unlinkAbstract: String { "Remove \(one)'s link to a recording." }

  private static var one: String {
    (singular.first.map("aeiou".contains) == true ? "an " : "a ") + singular
  }

  package func delete(from library: Library) throws { try library.delete(Self.self, id: id) }

  package func line(on console: Console) -> String { line.escapedForDisplay }
  package var facts: [(name: String, value: String?)] { [] }
  package func details(in library: Library) throws -> [Detail] { standardDetails }
  package var highlight: (detail: String, color: Console.Color)? { nil }
  package static var columns: [RecordColumn<Self>] { [] }
  package func listOutput(in library: Library) throws -> any Encodable { output }

  package func fullOutput(in library: Library) throws -> any Encodable {
    try listOutput(in: library)
  }

  /// The ID, the facts, and when the record was made and changed.
  package var standardDetails: [Detail] {
    let dates: [(name: String, value: String?)] = [
      ("added", createdAt.localText), ("changed", modifiedAt?.localText),
    ]
    return ([("id", id.keyText)] + facts + dates).compactMap { detail in
      detail.value.map { (detail.name, $0) }
    }
  }
}

extension Bool {
  /// "yes", or nothing.
  package var yes: String? { self ? "yes" : nil }
}
