import HoldfastModel

/// Rows under headings, in columns that line up on a terminal.
///
/// Text that the user wrote belongs in the last column. It may be long, and is cut at the edge of
/// the terminal. It may also run from right to left. A terminal that reorders such text then keeps
/// it behind the Latin letters of the other columns, which stay in place.
package struct TextTable {
  package enum Alignment {
    case left, right
  }

  package struct Column {
    package var heading: String
    package var alignment = Alignment.left
    /// Whether the column is left out when the last column would have too little room.
    package var givesWay = false
    /// Whether this column has the colour of the row.
    package var isColored = false

    package init(
      heading: String, alignment: Alignment = .left, givesWay: Bool = false, isColored: Bool = false
    ) {
      self.heading = heading
      self.alignment = alignment
      self.givesWay = givesWay
      self.isColored = isColored
    }
  }

  /// A part of the line below a row.
  package typealias Piece = (text: String, isBold: Bool)

  /// The number of cells that the last column should have, if its text needs them: some five words.
  private static let enoughForLast = 32

  private let columns: [Column]
  private var rows: [(cells: [String], color: Console.Color?, below: [Piece])]

  package init(_ columns: [Column]) {
    self.columns = columns
    rows = [(columns.map(\.heading), nil, [])]
  }

  /// Adds a row, with a cell for each column. Control characters in cells are escaped.
  ///
  /// - Parameter below: A line below the row, which may be empty.
  package mutating func add(
    _ cells: [String], color: Console.Color? = nil, below: [Piece] = []
  ) {
    rows.append(
      (
        cells.map(\.escapedForDisplay), color,
        below.map { ($0.text.escapedForDisplay, $0.isBold) }
      ))
  }

  /// Returns the table's lines, with the headings first.
  ///
  /// - Parameter width: The greatest width of a line in terminal cells; `nil` for no limit.
  package func lines(
    fitting width: Int?,
    coloring: (String, Console.Color) -> String = { text, _ in text }
  ) -> [String] {
    let widths = columns.indices.map { column in
      rows.map { $0.cells[column].displayWidth }.max() ?? 0
    }
    let shown = columns(of: widths, fitting: width)
    func line(_ row: (cells: [String], color: Console.Color?, below: [Piece])) -> String {
      let cells = shown.map { column in
        let text = row.cells[column]
        let padding = String(repeating: " ", count: widths[column] - text.displayWidth)
        switch columns[column].alignment {
        case .right: return padding + text
        case .left: return column == columns.count - 1 ? text : text + padding
        }
      }
      let line = cells.joined(separator: "  ")
      let cut = width.map(line.cut(toDisplayWidth:)) ?? line
      guard let color = row.color, let place = shown.firstIndex(where: { columns[$0].isColored })
      else { return cut }
      // After the cut, which would count the colour's characters. A text that was cut stays plain.
      let padded = cells[place].drop { $0 == " " }
      let before =
        cells[..<place].map { $0 + "  " }.joined()
        + String(repeating: " ", count: cells[place].count - padded.count)
      let text = row.cells[shown[place]]
      guard cut.hasPrefix(before + text) else { return cut }
      return before + coloring(text, color) + cut.dropFirst(before.count + text.count)
    }
    return rows.flatMap { row in
      let below = Self.cut(row.below, to: width).map {
        $0.isBold ? coloring($0.text, .bold) : $0.text
      }
      return [line(row)] + (below.isEmpty ? [] : [below.joined()])
    }
  }

  private static func cut(_ pieces: [Piece], to width: Int?) -> [Piece] {
    guard var left = width else { return pieces }
    return pieces.compactMap { piece in
      guard left > 0 else { return nil }
      let text = piece.text.cut(toDisplayWidth: left)
      left -= text == piece.text ? text.displayWidth : left
      return (text, piece.isBold)
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
