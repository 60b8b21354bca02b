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
    /// Whether it is left out where the last column would have too little room.
    var givesWay = false
  }

  /// How many cells the last column wants, if it has so much to say: some five words.
  private static let enoughForLast = 32

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

  /// The columns that are shown: all, but those that give way until there is room for the last one.
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
