import Foundation
import GRDB
import HoldfastModel

/// A damaged catalog, whose records are searched for page by page.
struct DamagedCatalog {
  private typealias Table = SalvageReader.Table

  private let path: String
  private let journals: [Journal]
  /// The pages with records, and whether their table has a `rowid`.
  private var leaves: [Int: Bool] = [:]
  private var children: [Int: [Int]] = [:]

  /// - Parameter path: A copy of the file.
  init(_ path: String, _ journals: [Journal]) throws {
    self.path = path
    self.journals = journals
    // A journal holds the pages as they were before.
    for suffix in Catalog.fileSuffixes {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    var pages = try DatabasePages(path)
    for number in 1..<pages.count + 1 {
      let bytes = try pages.bytes(of: number)
      guard let kind = DatabasePages.kind(of: bytes, number: number) else { continue }
      let isLeaf = kind == .leafTable || kind == .leafIndex
      if !isLeaf { children[number] = DatabasePages.children(of: bytes, number: number) }
      // The contents of the first page move to the end.
      let place = number == 1 ? pages.count + 1 : number
      if isLeaf || kind == .interiorIndex { leaves[place] = kind.isOfTable }
    }
    try pages.rearrange()
  }

  func salvage(into new: DatabaseQueue, _ configuration: Configuration) throws -> SalvageReport {
    guard !leaves.isEmpty else {
      try Salvage(versions: [], journals).makeTables(in: new)
      return SalvageReport()
    }
    let file = try DatabaseQueue(checkedAt: path, configuration)
    return try file.writeWithoutTransaction { db in
      // Two readers, because a catalog's tables depend on its version.
      var reader = try SalvageReader(
        db, ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"])
      let (owners, statements) = try owners(reader)
      let versions = try versions(from: reader, owners: owners, statements: statements)
      let salvage = try Salvage(versions: versions, journals)
      try db.execute(sql: "PRAGMA writable_schema = RESET")
      reader = try SalvageReader(
        db, salvage.tables().filter { !$0.contains("CREATE TABLE grdb_migrations") })
      let tables = reader.tables.filter {
        ![SalvageReader.schema, "grdb_migrations"].contains($0.name)
      }
      try salvage.makeTables(in: new) { new in
        // Pages whose table is known come first, because other copies of a row are older.
        for (page, hasRowID) in leaves.sorted(by: { $0.key < $1.key }) {
          guard let table = tables.first(where: { $0.name == owners[page] }) else { continue }
          guard table.hasRowID == hasRowID else { continue }
          _ = try Self.insert(try reader.rows(of: table, on: page), into: table, new, filling: true)
        }
        for (page, hasRowID) in leaves.sorted(by: { $0.key < $1.key }) where owners[page] == nil {
          try insert(orphan: page, of: tables.filter { $0.hasRowID == hasRowID }, reader, new)
        }
      }
      let uuid = try new.unsafeRead { try String.fetchOne($0, sql: "SELECT uuid FROM library") }
      return SalvageReport(
        library: uuid.flatMap(UUID.init(uuidString:)),
        guessesJournals: owners.isEmpty && versions.isDisjoint(with: Schema.migrator.migrations))
    }
  }

  /// Returns the table or index of each page that can be reached from the schema, and the
  /// statements that made them.
  private func owners(_ reader: SalvageReader) throws -> ([Int: String], Set<String>) {
    guard let table = reader.table(SalvageReader.schema) else { return ([:], []) }
    var pages = reachable(from: 1).compactMap { page in
      // A first page that is a leaf was moved to the end.
      leaves[page] == true ? page : page == 1 ? leaves.keys.max() : nil
    }
    if try pages.allSatisfy({ try reader.rows(of: table, on: $0).isEmpty }) {
      pages = leaves.filter(\.value).map(\.key)
    }
    var owners: [Int: String] = [:]
    var statements: Set<String> = []
    for page in pages {
      for row in try reader.rows(of: table, on: page) where row.count == 5 {
        guard ["table", "index"].contains(String.fromDatabaseValue(row[0])),
          let name = String.fromDatabaseValue(row[1]), let root = Int.fromDatabaseValue(row[3]),
          String.fromDatabaseValue(row[2]) != nil, leaves[root] != nil || children[root] != nil
        else { continue }
        if let statement = String.fromDatabaseValue(row[4]) { statements.insert(statement) }
        for page in reachable(from: root) where owners[page] == nil { owners[page] = name }
      }
    }
    return (owners, statements)
  }

  private func reachable(from root: Int) -> Set<Int> {
    var (reached, pending): (Set<Int>, [Int]) = ([], [root])
    while let page = pending.popLast() {
      guard reached.insert(page).inserted else { continue }
      pending += children[page] ?? []
    }
    return reached
  }

  /// Returns the migrations of the catalog, as far as they can be read.
  ///
  /// - Throws: `HoldfastError` if the program does not know one of them: its data would be lost.
  private func versions(
    from reader: SalvageReader, owners: [Int: String], statements: Set<String>
  ) throws -> Set<String> {
    guard let table = reader.table("grdb_migrations") else { return [] }
    let core = Set(Schema.migrator.migrations)
    let known = core.union(journals.flatMap(\.identifiers))
    var found: Set<String> = []
    for page in leaves.filter(\.value).keys where owners[page] ?? table.name == table.name {
      for row in try reader.rows(of: table, on: page) {
        guard let name = row.first.flatMap(String.fromDatabaseValue) else { continue }
        let isOfPage = owners[page] == table.name
        if known.contains(name) { found.insert(name) } else if isOfPage { try refuse(name) }
      }
    }
    // The names of the last migrations may be lost.
    if let version = try Schema.version(with: statements) { found.insert(version) }
    let tables = Set(owners.values.map { $0.lowercased() })
    for journal in journals where found.isDisjoint(with: journal.identifiers) {
      // Its migrations' names are lost. Without any name, every journal may have been enabled.
      let isThere = journal.tables.contains { tables.contains($0.lowercased()) }
      if isThere || (owners.isEmpty && found.isEmpty) {
        found.formUnion(journal.identifiers)
      }
    }
    return found
  }

  private func refuse(_ migration: String) throws {
    if let name = migration.wholeMatch(of: /([a-z]+)\.[0-9]+/)?.1 {
      throw HoldfastError.unknownJournal(path, [String(name)])
    }
    if migration.wholeMatch(of: /v[0-9]+/) != nil { throw HoldfastError.newer(path) }
  }

  /// Inserts the rows of a page of unknown origin into the table that accepts the most of them, and
  /// at least half. Tables that accept equally many have the same columns: references tell them
  /// apart later.
  private func insert(
    orphan page: Int, of tables: [Table], _ reader: SalvageReader, _ db: Database
  ) throws {
    var best: (count: Int, tables: [(Table, [[DatabaseValue]])]) = (0, [])
    for table in tables {
      let rows = try reader.rows(of: table, on: page)
      var count = 0
      try db.inSavepoint {
        count = try Self.insert(rows, into: table, db, filling: table.hasRowID)
        return .rollback
      }
      guard count > 0, count * 2 >= Set(rows).count, count >= best.count else { continue }
      if count > best.count { best = (count, []) }
      best.tables.append((table, rows))
    }
    for (table, rows) in best.tables {
      _ = try Self.insert(rows, into: table, db, filling: table.hasRowID)
    }
  }

  /// Inserts all rows that the table accepts.
  ///
  /// - Parameter fills: Whether a lost text that may not be NULL becomes empty. Computed columns
  ///   are computed again later. Other texts that may not be empty are refused.
  /// - Returns: How many rows the table accepted.
  private static func insert(
    _ rows: [[DatabaseValue]], into table: Table, _ db: Database, filling fills: Bool
  ) throws -> Int {
    guard !rows.isEmpty else { return 0 }
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO \(table.name) (\(columns)) VALUES (\(places))")
    var count = 0
    for row in rows where row.count == table.columns.count {
      var values = row.map(\.withoutZero)
      if fills {
        for index in table.texts where values[index].isNull { values[index] = "".databaseValue }
      }
      do {
        try statement.execute(arguments: StatementArguments(values))
        count += db.changesCount
      } catch let error as DatabaseError
        where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
      {
        continue
      }
    }
    return count
  }
}

extension DatabaseValue {
  /// This value, with a text cut before a NUL, because the rest was lost.
  fileprivate var withoutZero: DatabaseValue {
    guard case .string(let text) = storage, let end = text.utf8.firstIndex(of: 0) else {
      return self
    }
    let rest = String(decoding: text.utf8[..<end], as: UTF8.self)
    return rest.isEmpty ? .null : rest.databaseValue
  }
}
