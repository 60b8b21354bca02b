import Foundation
public import Holdfast

extension Library {
  /// Returns the cravings that match a query, newest first.
  public func cravings(matching query: CravingQuery) throws -> [Craving] {
    try read { db in
      try db.records(Craving.self, of: query.list, limit: query.limit, offset: query.offset)
    }
  }

  /// Returns how many cravings match a query, and their average intensity. The query's page is
  /// ignored.
  public func summary(of query: CravingQuery) throws -> CravingSummary {
    let rows = try read { db in
      try query.list.rows(
        selecting: "count(*) AS count, total(intensity) AS total", in: db)
    }
    let count = rows.reduce(0) { $0 + ($1["count"].integer ?? 0) }
    let total = rows.reduce(0) { $0 + ($1["total"].number ?? 0) }
    return CravingSummary(
      count: count, averageIntensity: count > 0 ? total / Double(count) : nil)
  }

  /// Returns the usage that matches a query, newest first.
  public func usage(matching query: UsageQuery) throws -> [Usage] {
    try read { db in
      try db.records(Usage.self, of: query.list, limit: query.limit, offset: query.offset)
    }
  }

  /// Returns how often each method was used, and how much, in a query's matches, the most frequent
  /// first. The query's page is ignored.
  public func summary(of query: UsageQuery) throws -> [UsageSummary] {
    let sums = try read { db in
      var sums: [UsageMethod: (count: Int, amount: Double)] = [:]
      let rows = try query.list.rows(
        selecting: "method, count(*) AS count, sum(amount) AS amount", "GROUP BY method", in: db)
      for row in rows {
        let method: UsageMethod = try row.word("method")
        sums[method, default: (0, 0)].count += try row.required("count", \.integer)
        sums[method, default: (0, 0)].amount += try row.required("amount", \.number)
      }
      return sums
    }
    return sums.map { UsageSummary(method: $0.key, count: $0.value.count, amount: $0.value.amount) }
      .sorted { ($1.count, $0.method.rawValue) < ($0.count, $1.method.rawValue) }
  }
}

extension CravingQuery {
  /// The rows that match the query, newest first.
  var list: RecordList {
    var list = RecordList("craving", since: since, until: until)
    if let minimum { list.filter("+intensity >= ?", .integer(Int64(minimum.value))) }
    if let trigger { list.filter(trigger) }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    return list
  }
}

extension UsageQuery {
  var list: RecordList {
    var list = RecordList("usage", since: since, until: until)
    if let method { list.filter("method = ?", .text(method.rawValue)) }
    if let trigger { list.filter(trigger) }
    return list
  }
}

extension RecordList {
  /// Keeps only entries with a trigger. Another index gives the rows in order, and each row's
  /// trigger is looked up.
  fileprivate mutating func filter(_ trigger: Trigger) {
    filterRarely(
      "EXISTS (SELECT 1 FROM \(table)Trigger WHERE trigger = ? AND \(table)Id = \(table).id)",
      .text(trigger.rawValue))
  }
}
