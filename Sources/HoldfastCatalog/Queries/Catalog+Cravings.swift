public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts a craving.
  ///
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when it breaks a rule, or links
  ///   to a recording that does not exist.
  public func insert(_ craving: Craving) throws(CatalogError) {
    try insertRow(CravingRow(craving))
  }

  /// Returns the craving with this ID, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func craving(id: UUID) throws(CatalogError) -> Craving? {
    try row(CravingRow.self, id: id)
  }

  /// Returns the cravings whose ID begins with `prefix`, in the order of their IDs.
  ///
  /// - SeeAlso: ``recordings(idPrefix:limit:)``
  public func cravings(idPrefix prefix: String, limit: Int) throws(CatalogError) -> [Craving] {
    try rows(CravingRow.self, idPrefix: prefix, limit: limit)
  }

  /// Returns the cravings that match `query`, newest first.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  /// - SeeAlso: ``recordings(matching:)`` for what a long list may miss.
  public func cravings(matching query: CravingQuery) throws(CatalogError) -> [Craving] {
    try list(query.list, limit: query.limit, offset: query.offset)
  }

  /// Returns how many cravings match `query`, and their average intensity. Limit and offset are
  /// ignored.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func summary(of query: CravingQuery) throws(CatalogError) -> CravingSummary {
    var (count, total) = (0, 0)
    let periods = query.periods()
    for period in try read({ try periods?.all($0) }) ?? [.always] {
      let request = query.matches.filter(literal: period.condition)
        .select(sql: "count(*), total(intensity)").asRequest(of: Row.self)
      guard let row = try read(request.fetchOne) else { continue }
      count += row[0]
      total += row[1]
    }
    return CravingSummary(
      count: count, averageIntensity: count > 0 ? Double(total) / Double(count) : nil)
  }

  /// Reads a craving, changes it, and writes it, in one transaction.
  ///
  /// - Parameters:
  ///   - id: The craving.
  ///   - change: Changes it. If this throws, nothing is written.
  /// - Returns: The changed craving, or `nil` if there is none.
  /// - Throws: ``CatalogError``, and what `change` throws.
  public func updateCraving(
    id: UUID, _ change: (inout Craving) throws -> Void
  ) throws -> Craving? {
    try updateRow(CravingRow.self, id: id, change)
  }

  /// Deletes a craving. The recording that helped stays.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func deleteCraving(id: UUID) throws(CatalogError) -> Bool {
    try deleteRow(CravingRow.self, id: id)
  }
}
