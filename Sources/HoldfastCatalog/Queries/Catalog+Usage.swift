public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts a usage entry.
  ///
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when it breaks a rule.
  public func insert(_ usage: Usage) throws(CatalogError) { try insertRow(UsageRow(usage)) }

  /// Returns the usage with this ID, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func usage(id: UUID) throws(CatalogError) -> Usage? { try row(UsageRow.self, id: id) }

  /// Returns the usage whose ID begins with `prefix`, in the order of the IDs.
  ///
  /// - SeeAlso: ``recordings(idPrefix:limit:)``
  public func usage(idPrefix prefix: String, limit: Int) throws(CatalogError) -> [Usage] {
    try rows(UsageRow.self, idPrefix: prefix, limit: limit)
  }

  /// Returns the usage that matches `query`, newest first.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  /// - SeeAlso: ``recordings(matching:)`` for what a long list may miss.
  public func usage(matching query: UsageQuery) throws(CatalogError) -> [Usage] {
    try list(query.list, limit: query.limit, offset: query.offset)
  }

  /// Returns the count and the amount of each method that match `query`, the most frequent first.
  ///
  /// Limit and offset are ignored.
  ///
  /// - Throws: ``CatalogError``, also when a row cannot be read.
  public func summary(of query: UsageQuery) throws(CatalogError) -> [UsageSummary] {
    var sums: [UsageMethod: (count: Int, amount: Double)] = [:]
    // Without a trigger, an index holds everything that is counted.
    var periods: [EntryPeriod?] = [nil]
    if let all = query.periods() { periods = try read(all.all) }
    for period in periods {
      let request = query.matches.filter(literal: period?.condition ?? "1")
        .select(sql: "method, count(*), sum(amount)").group(UsageRow.Columns.method)
        .asRequest(of: Row.self)
      try read { db in
        for row in try request.fetchAll(db) {
          let method = try row.value(UsageRow.Columns.method, UsageMethod.init(rawValue:))
          sums[method, default: (0, 0)].count += row[1]
          sums[method, default: (0, 0)].amount += row[2]
        }
      }
    }
    return sums.map { UsageSummary(method: $0.key, count: $0.value.count, amount: $0.value.amount) }
      .sorted { ($1.count, $0.method.rawValue) < ($0.count, $1.method.rawValue) }
  }

  /// Reads a usage, changes it, and writes it, in one transaction.
  ///
  /// - Parameters:
  ///   - id: The usage.
  ///   - change: Changes it. If this throws, nothing is written.
  /// - Returns: The changed usage, or `nil` if there is none.
  /// - Throws: ``CatalogError``, and what `change` throws.
  public func updateUsage(id: UUID, _ change: (inout Usage) throws -> Void) throws -> Usage? {
    try updateRow(UsageRow.self, id: id, change)
  }

  /// Deletes a usage.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func deleteUsage(id: UUID) throws(CatalogError) -> Bool {
    try deleteRow(UsageRow.self, id: id)
  }
}
