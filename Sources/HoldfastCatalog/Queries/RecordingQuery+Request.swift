internal import GRDB
internal import HoldfastModel

extension RecordingQuery {
  /// The rows that match the query, without order or page.
  var matches: QueryInterfaceRequest<RecordingRow> {
    var request = RecordingRow.all()
    // For the order of time there is an index for each type and purpose. For every other order
    // SQLite scans that order's own index and filters on the way. "+" stops SQLite from sorting
    // instead.
    let plus = sort == .recent ? "" : "+"
    for (bound, comparison) in [(since, ">="), (until, "<")] {
      guard let bound else { continue }
      request = request.filter(
        sql: "\(plus)timestamp \(comparison) ?", arguments: [bound.roundedToMillisecond])
    }
    if let type {
      request = request.filter(sql: "\(plus)type = ?", arguments: [type.rawValue])
    }
    if let purpose {
      request = request.filter(sql: "\(plus)purpose = ?", arguments: [purpose.rawValue])
    }
    if let search {
      // As fast as LIKE. A search text needs no escapes and may have any length.
      request = request.filter(
        sql: "instr(searchText, ?) > 0", arguments: [search.foldedForSearch])
    }
    return request
  }

  /// The rows that match the query, in order.
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
    // The folded title is the first line of `searchText`. Recordings without a title come last. The
    // text must be exactly the same as in the index `recording_title`.
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
