/// A chart of block characters, with one bar on each line, in one or two columns.
package struct BarChart {
  package struct Bar {
    package var label: String
    /// The number that the bar's length shows.
    package var value: Double
    package var text: String

    package init(label: String, value: Double, text: String) {
      self.label = label
      self.value = value
      self.text = text
    }
  }

  /// The greatest width of a line, in terminal cells.
  package static let width = 80
  /// The longest bar, in cells. Short bars are easier to compare.
  private static let longestBar = 40
  /// The most bars in one column. More than these are shown in two columns.
  private static let tallestColumn = 14

  package var bars: [Bar]
  /// The value of a bar of full length; `nil` uses the largest value of the bars.
  package var full: Double?
  /// Whether to use one column only, because a second one would separate bars that belong together.
  package var isOneColumn = false

  package init(bars: [Bar], full: Double? = nil, isOneColumn: Bool = false) {
    self.bars = bars
    self.full = full
    self.isOneColumn = isOneColumn
  }

  package var lines: [String] {
    let columnCount = isOneColumn || bars.count <= Self.tallestColumn ? 1 : 2
    let gap = "    "
    let width = (Self.width - gap.count * (columnCount - 1)) / columnCount
    let lines = lines(fitting: width)
    guard columnCount == 2 else { return lines }
    let height = (lines.count + 1) / 2
    return (0..<height).map { index in
      guard index + height < lines.count else { return lines[index] }
      return lines[index].padded(to: width) + gap + lines[index + height]
    }
  }

  private func lines(fitting width: Int) -> [String] {
    let labelWidth = bars.map(\.label.displayWidth).max() ?? 0
    let textWidth = bars.map(\.text.displayWidth).max() ?? 0
    let barWidth = max(0, min(Self.longestBar, width - labelWidth - textWidth - 4))
    let full = full ?? bars.map(\.value).max() ?? 0
    return bars.map { bar in
      let text = String(repeating: " ", count: textWidth - bar.text.displayWidth) + bar.text
      let line = "\(bar.label.padded(to: labelWidth))  \(text)"
      let blocks = Self.blocks(bar.value, of: full, width: barWidth)
      return blocks.isEmpty ? line : "\(line)  \(blocks)"
    }
  }

  /// Returns a bar in steps of an eighth of a cell. A value above zero is always visible.
  package static func blocks(_ value: Double, of full: Double, width: Int) -> String {
    guard value > 0, full > 0 else { return "" }
    let eighths = max(1, Int((min(value / full, 1) * Double(width * 8)).rounded()))
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + part
  }
}

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}
