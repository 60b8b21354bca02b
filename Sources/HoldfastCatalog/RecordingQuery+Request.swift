internal import GRDB
internal import HoldfastModel

extension RecordingQuery {
  /// The rows that are asked for, without order or page.
  var matches: QueryInterfaceRequest<RecordingRow> {
    var request = RecordingRow.all()
    // In the order of time there is an index for each type and purpose; every other order is
    // walked by its own index, and filtered on the way: "+" keeps SQLite from sorting instead.
    let plus = sort == .recent ? "" : "+"
    if let type {
      request = request.filter(sql: "\(plus)type = ?", arguments: [type.rawValue])
    }
    if let purpose {
      request = request.filter(sql: "\(plus)purpose = ?", arguments: [purpose.rawValue])
    }
    if let search {
      // As fast as LIKE, and nothing in a search text needs an escape or is too long.
      request = request.filter(
        sql: "instr(searchText, ?) > 0", arguments: [search.foldedForSearch])
    }
    return request
  }

  /// The rows that are asked for, in order, and the page of them.
  var page: QueryInterfaceRequest<RecordingRow> {
    matches.order(order).page(limit: limit, offset: offset)
  }

  private var order: [any SQLOrderingTerm] {
    typealias Columns = RecordingRow.Columns
    return switch sort {
    case .recent: [Columns.timestamp.desc, Columns.id]
    case .played: [Columns.playCount.desc, Columns.timestamp.desc, Columns.id]
    case .longest: [Columns.duration.desc, Columns.id]
    case .title: [SQL(sql: Self.titleOrder).sqlExpression, Columns.timestamp.desc, Columns.id]
    }
  }

  /// The folded title, which is the first line of `searchText`; without one last. Word for word what
  /// the index `recording_title` holds.
  private static let titleOrder = """
    title IS NULL, iif(title IS NULL, NULL, substr(searchText, 1, instr(searchText, char(10))))
    """
}

extension QueryInterfaceRequest {
  /// One page of the rows; SQLite has no OFFSET without LIMIT.
  func page(limit: Int?, offset: Int) -> Self {
    self.limit(max(limit ?? Int.max, 0), offset: max(offset, 0))
  }
}
