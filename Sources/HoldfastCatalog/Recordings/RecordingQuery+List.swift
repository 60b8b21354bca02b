import HoldfastModel

extension RecordingQuery {
  /// Returns the list of the recordings.
  ///
  /// - Parameter spoken: The recordings in which the words of ``search`` were said.
  func list(spoken: [String]) -> RecordList {
    var list = RecordList("recording", by: terms)
    // For the order of time there is an index for each type and purpose. For every other order
    // SQLite scans that order's own index and filters on the way. "+" stops SQLite from sorting
    // instead.
    let plus = sort == .recent ? "" : "+"
    if let since { list.filter("\(plus)timestamp >= ?", .date(since)) }
    if let until { list.filter("\(plus)timestamp < ?", .date(until)) }
    if let type { list.filter("\(plus)type = ?", .text(type.rawValue)) }
    if let purpose { list.filter("\(plus)purpose = ?", .text(purpose.rawValue)) }
    // As fast as LIKE. A search text needs no escapes and may have any length.
    if let search {
      let isInText = "instr(searchText, ?) > 0"
      let text = SQLValue.text(search.foldedForSearch)
      if spoken.isEmpty {
        list.filter(isInText, text)
      } else {
        let ids = "[\(spoken.map { "\"\($0)\"" }.joined(separator: ","))]"
        list.filter("(\(isInText) OR id IN (SELECT value FROM json_each(?)))", text, .text(ids))
      }
    }
    return list
  }

  private var terms: [RecordList.Term] {
    let recent = RecordList.Term("timestamp", isDescending: true)
    return switch sort {
    case .recent: [recent]
    case .played: [.init("playCount", isDescending: true), recent]
    case .longest: [.init("duration", isDescending: true)]
    // The folded title is the first line of `searchText`. Recordings without a title come last. The
    // text must be exactly the same as in the index `recording_title`.
    case .title:
      [
        .init("(title IS NULL)"),
        .init("iif(title IS NULL, NULL, substr(searchText, 1, instr(searchText, char(10))))"),
        recent,
      ]
    }
  }
}
