internal import HoldfastModel

/// Rows under headings, in columns that line up on a terminal.
///
/// Text that the user wrote belongs in the last column. It may be long, and is cut at the edge of
/// the terminal. It may also run from right to left. A terminal that reorders such text then keeps
/// it behind the Latin letters of the other columns, which stay in place.
struct TextTable {
  enum Alignment {
    case left, right
  }

  struct Column {
    var heading: String
    var alignment = Alignment.left
    /// Whether the column is left out when the last column would have too little room.
    var givesWay = false
  }

  /// How many cells the last column should have, if its text needs them: some five words.
  private static let enoughForLast = 32

  private let columns: [Column]
  private var rows: [[String]]

  init(_ columns: [Column]) {
    self.columns = columns
    rows = [columns.map(\.heading)]
  }

  /// Adds a row, with a cell for each column. Control characters in cells are escaped.
  mutating func add(_ cells: [String]) { rows.append(cells.map(\.escapedForDisplay)) }

  /// Returns the table's lines, with the headings first.
  ///
  /// - Parameter width: The greatest width of a line in terminal cells; `nil` for no limit.
  func lines(fitting width: Int?) -> [String] {
    let widths = columns.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    let shown = columns(of: widths, fitting: width)
    return rows.map { row in
      let cells = shown.map { column in
        let text = row[column]
        let padding = String(repeating: " ", count: widths[column] - text.displayWidth)
        switch columns[column].alignment {
        case .right: return padding + text
        case .left: return column == columns.count - 1 ? text : text + padding
        }
      }
      let line = cells.joined(separator: "  ")
      return width.map(line.cut(toDisplayWidth:)) ?? line
    }
  }

  /// Returns the columns to show. Columns that give way are dropped, last first, until the last
  /// column has enough room.
  private func columns(of widths: [Int], fitting width: Int?) -> [Int] {
    var shown = Array(columns.indices)
    guard let width, let last = widths.last else { return shown }
    while let dropped = shown.last(where: { columns[$0].givesWay }) {
      let others = shown.dropLast().reduce(0) { $0 + widths[$1] + 2 }
      guard width - others < min(last, Self.enoughForLast) else { break }
      shown.removeAll { $0 == dropped }
    }
    return shown
  }
}
