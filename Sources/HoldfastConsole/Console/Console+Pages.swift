extension Console {
  /// Prints one page of a list, and whether there is more.
  ///
  /// - Parameter fetch: Fetches up to this many items. It is asked for one more than are shown,
  ///   which costs less than counting all of them.
  package func page<Item, Output: Encodable>(
    _ page: PageOptions, noun: (Int) -> String, fetch: (Int) throws -> [Item],
    json: (Item) throws -> Output, table: (ArraySlice<Item>) throws -> TextTable
  ) throws {
    let (limit, offset) = (page.limit, page.offset)
    let fetched = try fetch(min(limit, Int.max - 1) + 1)
    let shown = fetched.prefix(limit)
    if isJSON { return try self.json(shown.map(json)) }
    if !shown.isEmpty { result(try table(shown)) }
    let count = "\(shown.count) \(noun(shown.count))"
    guard fetched.count > shown.count else { return note("\(count).") }
    note("\(count); \(limit > 0 ? "--offset \(offset + limit)" : "--limit 1") shows more.")
  }
}
