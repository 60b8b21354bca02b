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

  /// The rows that are asked for, in order.
  var list: RowList<RecordingRow> { RowList(matches: matches, terms: terms) }

  private var terms: [RowList<RecordingRow>.Term] {
    let (recent, id) = (
      RowList<RecordingRow>.Term(sql: "timestamp", isDescending: true),
      RowList<RecordingRow>.Term(sql: "id")
    )
    return switch sort {
    case .recent: [recent, id]
    case .played: [.init(sql: "playCount", isDescending: true), recent, id]
    case .longest: [.init(sql: "duration", isDescending: true), id]
    // The folded title, which is the first line of `searchText`; without one last. Word for word what the
    // index `recording_title` holds.
    case .title:
      [
        .init(sql: "(title IS NULL)"),
        .init(
          sql: "iif(title IS NULL, NULL, substr(searchText, 1, instr(searchText, char(10))))"),
        recent, id,
      ]
    }
  }
}
