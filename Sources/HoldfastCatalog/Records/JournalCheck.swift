import GRDB
import HoldfastModel

/// Checks that a journal's tables match the declarations of its kinds.
///
/// A table missing from the declaration would be missing from every export, and its records would
/// stay in the file after an erasure.
struct JournalCheck {
  let journal: Journal
  let journals: [Journal]
  let db: Database

  /// Checks the names of the journal, of its kinds and of its tables. They must not be used
  /// elsewhere, and must need no quotation marks in SQL.
  func checkNames() throws {
    guard journal.name.wholeMatch(of: /[a-z]+/) != nil else {
      throw defect("its name has other characters than small ASCII letters")
    }
    let others = journals.filter { $0.name != journal.name }
    guard others.count == journals.count - 1 else { throw defect("another journal has its name") }
    let kinds = journal.storedKinds
    for name in kinds.map(\.kind.name) + journal.tables {
      guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
        throw defect(
          "\"\(name.escapedForDisplay)\" has other characters than ASCII letters and digits")
      }
    }
    func taken(_ names: (any StoredKind) -> [String]) -> [String] {
      others.flatMap(\.storedKinds).flatMap(names).map { $0.lowercased() }
    }
    let lists =
      taken { [$0.kind.name] }
      + Registry.coreKinds.map(\.kind.name) + ["format", "schemaversion", "versions"]
    let tables = taken(\.tables) + Registry.coreTables
    for (names, taken) in [(kinds.map(\.kind.name), lists), (journal.tables, tables)] {
      var seen = Set(taken)
      for name in names where !seen.insert(name.lowercased()).inserted {
        throw defect("there is another \(name)")
      }
    }
  }

  func run() throws {
    let tables = Set(journal.tables.map { $0.lowercased() })
    for object in try Schema.objects(of: journal) where !tables.contains(object.table) {
      throw defect("its \(object.description) belongs to no kind that it declares")
    }
    for kind in journal.storedKinds { try check(kind) }
    // The next program to open the catalog would refuse it.
    if let object = try Schema.foreignObject(within: db, journals) {
      throw defect("its migrations leave \(object), which is not what they make in another catalog")
    }
  }

  private func check(_ kind: some StoredKind) throws {
    let declaration = kind.declaration
    for table in kind.tables where try !db.tableExists(table) {
      throw defect("its table \(table) is missing")
    }
    guard try db.table(declaration.table, hasUniqueKey: [declaration.key]) else {
      throw defect("the column \(declaration.key) is not a key of \(declaration.table)")
    }
    let columns =
      declaration.derived.map(\.name) + declaration.columns.values.sorted()
      + [declaration.privacy?.column].compactMap(\.self)
    for column in columns {
      try require(column, in: declaration.table)
    }
    for child in declaration.children {
      try requireReference(
        from: child.owner, of: child.name, to: declaration.table, onDelete: ["CASCADE"])
      for column in child.columns { try require(column, in: child.name) }
      try requireIndex(by: child.owner, of: child.name)
      if child.list != nil {
        let unknown = try db.columns(in: child.name).map(\.name)
          .first { $0 != child.owner && !child.columns.contains($0) }
        if let unknown { throw defect("nothing reads the column \(unknown) of \(child.name)") }
      }
    }
    // Names that SQL understands as something else.
    _ = try kind.page(after: "", limit: 1, db)
    for reference in declaration.references {
      try requireReference(
        from: reference.column, of: declaration.table, to: reference.table,
        onDelete: declaration.isPhoto ? ["RESTRICT"] : ["SET NULL", "CASCADE"])
    }
    if declaration.isPhoto {
      for column in StoredFiles.photoColumns { try require(column, in: declaration.table) }
    }
    if let link = declaration.link {
      try requireReference(
        from: link.column, of: declaration.table, to: "recording", onDelete: ["SET NULL"])
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

  private func requireIndex(by column: String, of table: String) throws {
    let key = try db.primaryKey(table).columns.first
    let indexes = try db.indexes(on: table).map(\.columns.first)
    guard key == column || indexes.contains(column) else {
      throw defect("\(table) has no index by \(column)")
    }
  }

  private func requireReference(
    from column: String, of table: String, to other: String, onDelete actions: [String]
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

  private func defect(_ reason: String) -> HoldfastError {
    HoldfastError(
      .refused, database: "the journal \"\(journal.name)\"",
      reason: "\(reason); its declaration must be corrected")
  }
}

extension ChildTable {
  /// The table's known columns, except the owner's.
  fileprivate var columns: [String] {
    let columns =
      switch element {
      case .value(let column): [column]
      case .object(let columns): columns
      }
    return columns + [position, sort?.column, folded].compactMap(\.self)
  }
}

extension RecordReference {
  var table: String { Self.table(of: target) }

  private static func table<Target: JournalRecord>(of type: Target.Type) -> String {
    Target.declaration.table
  }
}
