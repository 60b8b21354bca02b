internal import HoldfastModel

/// Rows under headings, in columns that line up on a terminal.
///
/// What a person wrote belongs in the last column: it may be long, and is cut where the terminal
/// ends; and it may run from right to left. A terminal that reorders such text keeps it together
/// behind the Latin letters of the columns before it, which stay where they are.
struct TextTable {
  enum Alignment {
    case left, right
  }

  struct Column {
    var heading: String
    var alignment = Alignment.left
  }

  private let columns: [Column]
  private var rows: [[String]]

  init(_ columns: [Column]) {
    self.columns = columns
    rows = [columns.map(\.heading)]
  }

  /// Adds a row, with a cell for each column. Cells are shown, never obeyed.
  mutating func add(_ cells: [String]) { rows.append(cells.map(\.escapedForDisplay)) }

  /// The table's lines, the headings first.
  ///
  /// - Parameter width: How many cells of a terminal a line may take; `nil` for any number.
  func lines(fitting width: Int?) -> [String] {
    let widths = columns.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
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
}
