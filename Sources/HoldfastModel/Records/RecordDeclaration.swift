public import Foundation

/// Everything that a library must know about one kind of record.
///
/// Migration, export, import of data, erasing, verification, the check of privacy and a recording's
/// list of linked records use only the declarations. None of them names a table.
public final class RecordDeclaration<Value: DeclaredRecord>: Sendable {
  /// The kind's names.
  public let kind: RecordKind
  /// The version of the records that an export writes. An import reads older versions as well.
  public let version: Int
  /// The table. Its columns have the names of the record's values in JSON.
  public let table: String
  /// The column with the record's identity, which is a key of the table.
  public let key: String
  /// The columns whose name differs from the JSON, by the name in JSON:
  /// `["description": "details"]`.
  public let columns: [String: String]
  /// The tables of the record's lists.
  public let children: [ChildTable]
  /// The lists that are part of the record, by their names in JSON, with their tables.
  package let lists: [(name: String, table: ChildTable)]
  /// Columns that are computed from the record, but are not part of it.
  public let derived: [DerivedColumn<Value>]
  /// When the recorded event happened; `nil` if this kind has no moment.
  public let moment: RecordMoment<Value>?
  /// The recording that the record belongs to: its ID is the record's; `nil` if records of this
  /// kind belong to none. The record is deleted with its recording.
  public let owner: (any WritableKeyPath<Value, RecordingID> & Sendable)?
  /// The link to a recording; `nil` if records of this kind have none.
  public let link: RecordingLink<Value>?
  /// How a record is marked private; `nil` if records of this kind never are.
  public let privacy: RecordPrivacy<Value>?
  /// Whether each record is a photo, whose file is `Recordings/Photos/photo_<ID>.jpg`.
  ///
  /// The table then has the columns `fileSize` and `fileSHA256`, which are part of the record, and
  /// `verifiedAt`, `fault` and `faultySince`, which are not. The file is written before the row,
  /// and neither changes afterwards. References to other records are made with `ON DELETE
  /// RESTRICT`, so that no row disappears without its file.
  public let isPhoto: Bool
  /// The references to records of the same journal.
  public let references: [RecordReference<Value>]
  /// The values that count, and are merged even from an older version.
  public let counters: [Counter<Value>]
  /// The columns of the table that an export writes as comma-separated values.
  public let csv: [CSVColumn<Value>]
  /// The most records that are read at a time; `nil` for the usual number. Use a small number if
  /// records can have megabytes.
  public let pageLimit: Int?
  /// The effect of erasing on the records.
  public let erasure: RecordErasure
  /// Corrects the result of an import or a merge, where the usual rule does not suffice. It gets
  /// this library's version, if any, and the version that would replace it.
  ///
  /// By the usual rule the newer edit wins, and the counters are merged.
  public let correcting: (@Sendable (_ local: Value?, _ merged: Value) -> Value)?
  /// Returns the result of importing an app's version, where the usual rule does not suffice; `nil`
  /// for the usual rule.
  ///
  /// By the usual rule, the app's version replaces one that was not edited here, except for values
  /// that it lacks, and the newer edit wins otherwise. What happened in the app counts from the
  /// date: usually when an app last had this library's version, if it had it.
  public let following: (@Sendable (_ local: Value, _ app: Value, _ since: Date?) -> Value?)?
  /// The labelled words that an app's import adds to a text of the record; `nil` for none. Those
  /// that the app's version lacks are kept like other values.
  public let labelled: LabelledWords<Value>?
  /// Returns what two versions that were edited equally late say together, where the usual rule for
  /// merging does not suffice. The result must not depend on their order, and must stay the same
  /// when either of them is merged again.
  public let union: (@Sendable (_ one: Value, _ other: Value) -> Value)?

  /// Declares a kind of record.
  public init(
    _ kind: RecordKind, version: Int = 1, table: String, key: String = "id",
    columns: [String: String] = [:], children: [ChildTable] = [],
    derived: [DerivedColumn<Value>] = [], moment: RecordMoment<Value>? = nil,
    owner: (any WritableKeyPath<Value, RecordingID> & Sendable)? = nil,
    link: RecordingLink<Value>? = nil, privacy: RecordPrivacy<Value>? = nil,
    isPhoto: Bool = false,
    references: [RecordReference<Value>] = [], counters: [Counter<Value>] = [],
    csv: [CSVColumn<Value>], pageLimit: Int? = nil,
    erasure: RecordErasure = .everything,
    correcting: (@Sendable (_ local: Value?, _ merged: Value) -> Value)? = nil,
    following: (@Sendable (_ local: Value, _ app: Value, _ since: Date?) -> Value?)? = nil,
    labelled: LabelledWords<Value>? = nil,
    union: (@Sendable (_ one: Value, _ other: Value) -> Value)? = nil
  ) {
    self.kind = kind
    self.version = version
    self.table = table
    self.key = key
    self.columns = columns
    self.children = children
    lists = children.compactMap { child in child.list.map { ($0, child) } }
    self.derived = derived
    self.moment = moment
    self.owner = owner
    self.link = link
    self.privacy = privacy
    self.isPhoto = isPhoto
    self.references = references
    self.counters = counters
    self.csv = csv
    self.pageLimit = pageLimit
    self.erasure = erasure
    self.correcting = correcting
    self.following = following
    self.labelled = labelled
    self.union = union
  }

  /// The kind's tables, children first, without duplicates.
  package var tables: [String] {
    var tables: [String] = []
    for child in children where !tables.contains(child.name) { tables.append(child.name) }
    return tables + [table]
  }
}

/// The table of a list that each record of a kind has, such as its tags.
///
/// It has a row for each element, and refers to the record with `ON DELETE CASCADE`. A record
/// without elements has an empty list, not `nil`.
public struct ChildTable: Hashable, Sendable {
  /// The form of a list's elements.
  public enum Element: Hashable, Sendable {
    /// Single values, in this column. Truth values are not allowed.
    case value(String)
    /// Objects, whose values are in the columns of these names. Lists, bytes and truth values are
    /// not allowed.
    case object([String])
  }

  /// The table.
  public var name: String
  /// The column with the record's identity.
  public var owner: String
  /// The name of the list in the record's JSON; `nil` if the table is not part of the record, and
  /// only statements of its own read and write it.
  public var list: String?
  /// The form of the list's elements.
  public var element: Element
  /// The column with the element's place in the list, counted from 0; `nil` if the order has no
  /// meaning.
  public var position: String?
  /// The column and the word that distinguish this list from others in the table; `nil` if the
  /// table holds only one.
  public var sort: Sort?
  /// The column with the element's text in folded case, for comparing texts; `nil` for none. It is
  /// for lists of single texts.
  public var folded: String?

  /// A column with a word that distinguishes the lists in a table.
  public struct Sort: Hashable, Sendable {
    /// The column.
    public var column: String
    /// The word, without quotation marks.
    public var word: String
  }

  /// Declares the table of a list.
  public init(
    _ name: String, owner: String, list: String, of element: Element,
    position: String? = "position", sort: (column: String, word: String)? = nil,
    folded: String? = nil
  ) {
    self.name = name
    self.owner = owner
    self.list = list
    self.element = element
    self.position = position
    self.sort = sort.map { Sort(column: $0.column, word: $0.word) }
    self.folded = folded
  }

  /// Declares a table that is not part of the record.
  public init(_ name: String, owner: String) {
    self.name = name
    self.owner = owner
    element = .object([])
  }
}

/// A column that is computed from a record, such as a text to search in.
public struct DerivedColumn<Value>: Sendable {
  /// The column.
  public var name: String
  /// Computes the column.
  public var value: @Sendable (Value) -> SQLValue

  /// Declares a column.
  public init(_ name: String, _ value: @escaping @Sendable (Value) -> SQLValue) {
    self.name = name
    self.value = value
  }
}

/// The moment of a recorded event, and the time zone where it happened.
public struct RecordMoment<Value>: Sendable {
  /// The moment.
  public var date: any WritableKeyPath<Value, Date> & Sendable
  /// The offset of the time zone, in minutes east of Greenwich.
  public var offset: any WritableKeyPath<Value, Int> & Sendable

  /// Declares a moment.
  public init(
    _ date: any WritableKeyPath<Value, Date> & Sendable,
    _ offset: any WritableKeyPath<Value, Int> & Sendable
  ) {
    self.date = date
    self.offset = offset
  }
}

/// How a record is marked private.
///
/// Private records are left out of tables of comma-separated values and of a recording's list of
/// linked records, unless they are asked for. An export as JSON has them: it is the backup.
public struct RecordPrivacy<Value>: Sendable {
  /// The column, which has 0 or 1.
  public var column: String
  /// The value in the record.
  public var path: any KeyPath<Value, Bool> & Sendable

  /// Declares how a record is marked private.
  public init(_ path: any KeyPath<Value, Bool> & Sendable, column: String = "isPrivate") {
    self.column = column
    self.path = path
  }
}

/// A record's link to a recording, such as the one that helped with a craving.
///
/// The column refers to the table of recordings with `ON DELETE SET NULL`. An index lists the
/// linked records by recording, newest first.
public struct RecordingLink<Value>: Sendable {
  /// The column.
  public var column: String
  /// The recording's identity in the record.
  public var path: any WritableKeyPath<Value, RecordingID?> & Sendable
  /// The column that orders the records of one recording, newest first.
  public var newest: String
  /// The recording's role for the records, in a list of them: `helped with`.
  public var role: String
  /// Returns a record as one line of text. The first word should be its date.
  public var line: @Sendable (Value) -> String

  /// Declares a link.
  public init(
    _ path: any WritableKeyPath<Value, RecordingID?> & Sendable, column: String = "recordingId",
    newest: String = "timestamp", role: String, line: @escaping @Sendable (Value) -> String
  ) {
    self.column = column
    self.path = path
    self.newest = newest
    self.role = role
    self.line = line
  }
}

/// A record's reference to a record of another kind in the same journal.
///
/// The column refers to the other kind's key with `ON DELETE SET NULL` or `ON DELETE CASCADE`, or
/// with `ON DELETE RESTRICT` for photos.
///
/// If the target is neither in the document nor in the library, an import leaves the reference out,
/// or refuses the record if it needs one.
public struct RecordReference<Value>: Sendable {
  /// The column.
  public var column: String
  /// The other kind.
  public var target: any JournalRecord.Type
  /// Returns the other record's key; `nil` if the record has no such reference.
  package let key: @Sendable (Value) -> String?
  /// Removes the reference; `nil` if the record needs it.
  let remove: (@Sendable (inout Value) -> Void)?
  /// Whether the record belongs to the other one, and cannot be without it.
  package var isNeeded: Bool { remove == nil }
  /// Gives a record without the reference that of another version.
  package let complete: @Sendable (_ record: inout Value, _ other: Value) -> Void

  /// Declares an optional reference.
  public init(
    _ path: any WritableKeyPath<Value, String?> & Sendable, column: String,
    to target: any JournalRecord.Type
  ) {
    self.column = column
    self.target = target
    key = { $0[keyPath: path] }
    remove = { $0[keyPath: path] = nil }
    complete = { $0[keyPath: path] = $0[keyPath: path] ?? $1[keyPath: path] }
  }

  /// Declares a required reference.
  public init(
    needed key: @escaping @Sendable (Value) -> String, column: String,
    to target: any JournalRecord.Type
  ) {
    self.column = column
    self.target = target
    self.key = { key($0) }
    remove = nil
    complete = { _, _ in }
  }

  /// Removes the reference from a record if its target is missing.
  ///
  /// - Returns: Whether nothing was removed.
  /// - Throws: ``RuleError`` if the record needs it.
  package func settle(
    _ record: inout Value, _ isKnown: (String, any JournalRecord.Type) throws -> Bool
  ) throws -> Bool {
    guard let key = key(record), try !isKnown(key, target) else { return true }
    guard let remove else {
      throw RuleError(
        "its \(column) is \(key.cut(to: 40).escapedForDisplay), which is neither in the document "
          + "nor in the library")
    }
    remove(&record)
    return false
  }
}

/// The effect of erasing a library on the records of a kind.
public enum RecordErasure: Hashable, Sendable {
  /// All records are deleted.
  case everything
  /// Records that came with the library are kept and reset.
  ///
  /// - Parameters:
  ///   - condition: The condition in SQL under which a record is deleted.
  ///   - reset: The assignments in SQL that reset the others.
  case deleting(where: String, reset: String)
}
