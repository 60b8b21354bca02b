internal import GRDB
internal import HoldfastModel

extension RecordingQuery {
  /// The rows that are asked for, without order or page.
  var matches: QueryInterfaceRequest<RecordingRow> {
    var request = RecordingRow.all()
    if let type { request = request.filter(RecordingRow.Columns.type == type.rawValue) }
    if let purpose { request = request.filter(RecordingRow.Columns.purpose == purpose.rawValue) }
    if let search {
      // As fast as LIKE, and nothing in a search text needs an escape or is too long.
      request = request.filter(
        sql: "instr(searchText, ?) > 0", arguments: [search.foldedForSearch])
    }
    return request
  }

  /// The rows that are asked for, in order, and the page of them.
  var page: QueryInterfaceRequest<RecordingRow> {
    // SQLite has no OFFSET without LIMIT.
    matches.order(order).limit(max(limit ?? Int.max, 0), offset: max(offset, 0))
  }

  private var order: [any SQLOrderingTerm] {
    typealias Columns = RecordingRow.Columns
    return switch sort {
    case .recent: [Columns.timestamp.desc, Columns.id]
    case .played: [Columns.playCount.desc, Columns.timestamp.desc, Columns.id]
    case .longest: [Columns.duration.desc, Columns.id]
    case .title: [Columns.title == nil, Columns.searchText, Columns.id]
    }
  }
}
