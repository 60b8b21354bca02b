internal import GRDB
internal import HoldfastModel

/// Checks that the tables of a journal are those that its kinds declare.
///
/// A declaration that leaves out a table would leave it out of every export, and its records in the
/// file after an erasure.
struct JournalCheck {
  let journal: Journal
  let db: Database

  init(_ journal: Journal, in db: Database) {
    self.journal = journal
    self.db = db
  }

  /// - Throws: ``CatalogError`` that says what is wrong.
  func run() throws {
    let tables = Set(journal.tables.map { $0.lowercased() })
    let core = Set(Registry.core.flatMap(\.tables).map { $0.lowercased() })
    guard tables.isDisjoint(with: core), tables.count == journal.tables.count else {
      throw defect("one of its tables is declared twice")
    }
    for object in try Schema.objects(of: journal) where !tables.contains(object.table) {
      throw defect("its \(object.description) belongs to no kind that it declares")
    }
    for kind in journal.storedKinds { try check(kind) }
  }

  private func check(_ kind: some StoredKind) throws {
    let declaration = kind.declaration
    for table in kind.tables where try !db.tableExists(table) {
      throw defect("there is no table \(table)")
    }
    guard try db.table(declaration.table, hasUniqueKey: [declaration.key]) else {
      throw defect("the column \(declaration.key) is not a key of \(declaration.table)")
    }
    for column in declaration.derived.map(\.name) {
      try require(column, in: declaration.table)
    }
    for child in declaration.children {
      try requireReference(
        from: child.owner, of: child.name, to: declaration.table, onDelete: "CASCADE")
      for column in child.columns { try require(column, in: child.name) }
    }
    for reference in declaration.references {
      try requireReference(
        from: reference.column, of: declaration.table, to: reference.table,
        onDelete: "SET NULL", "CASCADE")
    }
    if let link = declaration.link {
      try requireReference(
        from: link.column, of: declaration.table, to: "recording", onDelete: "SET NULL")
      try require(link.newest, in: declaration.table)
      guard
        try db.indexes(on: declaration.table).contains(where: { $0.columns.first == link.column })
      else { throw defect("\(declaration.table) has no index by \(link.column)") }
    }
  }

  private func require(_ column: String, in table: String) throws {
    guard try db.columns(in: table).contains(where: { $0.name == column }) else {
      throw defect("\(table) has no column \(column)")
    }
  }

  private func requireReference(
    from column: String, of table: String, to other: String, onDelete actions: String...
  ) throws {
    let action = try String.fetchOne(
      db,
      sql: """
        SELECT on_delete FROM pragma_foreign_key_list(?) WHERE "from" = ? AND "table" = ?
        """, arguments: [table, column, other])
    guard let action, actions.contains(action) else {
      let allowed = actions.joined(separator: " or ")
      throw defect("\(table).\(column) does not refer to \(other) with ON DELETE \(allowed)")
    }
  }

  private func defect(_ reason: String) -> CatalogError {
    CatalogError(
      .refused, database: "the journal \"\(journal.name)\"",
      reason: "\(reason); its declaration must be corrected")
  }
}

extension ChildTable {
  /// The table's columns that are known, except that of the owner.
  fileprivate var columns: [String] {
    let columns =
      switch element {
      case .value(let column): [column]
      case .object(let columns): columns
      }
    return columns + [position, sort?.column].compactMap(\.self)
  }
}

extension RecordReference {
  /// The table to which it refers.
  var table: String { Self.table(of: target) }

  private static func table<Target: JournalRecord>(of type: Target.Type) -> String {
    Target.declaration.table
  }
}
