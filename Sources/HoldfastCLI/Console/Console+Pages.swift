extension Console {
  /// Prints one page of a list, and says whether there is more.
  ///
  /// - Parameters:
  ///   - limit: How many are shown.
  ///   - offset: How many were passed over.
  ///   - noun: What the things are called, for their number.
  ///   - fetch: Fetches the first so many: one more than are shown tells that there are more, and
  ///     costs less than to count them all.
  ///   - json: What a thing is in JSON.
  ///   - table: The things as a table.
  func page<Item, Output: Encodable>(
    limit: Int, offset: Int, noun: (Int) -> String, fetch: (Int) throws -> [Item],
    json: (Item) -> Output, table: (ArraySlice<Item>) -> TextTable
  ) throws {
    let fetched = try fetch(min(limit, Int.max - 1) + 1)
    let shown = fetched.prefix(limit)
    if isJSON { return try self.json(shown.map(json)) }
    if !shown.isEmpty { result(table(shown)) }
    let count = "\(shown.count) \(noun(shown.count))"
    guard fetched.count > shown.count else { return note("\(count).") }
    note("\(count); \(limit > 0 ? "--offset \(offset + limit)" : "--limit 1") shows more.")
  }
}
