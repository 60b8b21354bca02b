public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts a usage.
  ///
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when it breaks a rule.
  public func insert(_ usage: Usage) throws(CatalogError) { try insertRow(UsageRow(usage)) }

  /// The usage with this ID; `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func usage(id: UUID) throws(CatalogError) -> Usage? { try row(UsageRow.self, id: id) }

  /// The usage whose ID begins with `prefix`, in the order of the IDs.
  ///
  /// - SeeAlso: ``recordings(idPrefix:limit:)``
  public func usage(idPrefix prefix: String, limit: Int) throws(CatalogError) -> [Usage] {
    try rows(UsageRow.self, idPrefix: prefix, limit: limit)
  }

  /// The usage that `query` asks for, newest first.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func usage(matching query: UsageQuery) throws(CatalogError) -> [Usage] {
    try fetch(query.page)
  }

  /// How often and how much of each method `query` asks for, most often first, whatever its page.
  ///
  /// - Throws: ``CatalogError``.
  public func summary(of query: UsageQuery) throws(CatalogError) -> [UsageSummary] {
    let request = query.matches
      .select(sql: "method, count(*), sum(amount)").group(UsageRow.Columns.method)
      .order(sql: "2 DESC, 1").asRequest(of: Row.self)
    return try read { db in
      try request.fetchAll(db).map { row in
        UsageSummary(
          method: try row.value(UsageRow.Columns.method, UsageMethod.init(rawValue:)),
          count: row[1], amount: row[2])
      }
    }
  }

  /// Reads a usage, changes it, and writes it, in one transaction.
  ///
  /// - Parameters:
  ///   - id: The usage.
  ///   - change: Changes it; when it throws, nothing is written.
  /// - Returns: The usage as it is now; `nil` if there is none.
  /// - Throws: ``CatalogError``, and what `change` throws.
  public func updateUsage(id: UUID, _ change: (inout Usage) throws -> Void) throws -> Usage? {
    try updateRow(UsageRow.self, id: id, change)
  }

  /// Deletes a usage.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``CatalogError``.
  public func deleteUsage(id: UUID) throws(CatalogError) -> Bool {
    try deleteRow(UsageRow.self, id: id)
  }
}
