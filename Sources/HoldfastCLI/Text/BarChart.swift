/// Numbers as bars of block characters, one a line, in one or two columns.
struct BarChart {
  struct Bar {
    var label: String
    /// What the bar is as long as.
    var value: Double
    /// The value in words.
    var text: String
  }

  /// How many cells of a terminal a line takes at most.
  static let width = 80
  /// A bar is no longer than this: what is short is seen at a glance.
  private static let longestBar = 40
  /// From here on the bars stand in two columns.
  private static let tallestColumn = 14

  var bars: [Bar]
  /// The value of the longest bar there could be; without it that of the longest there is.
  var full: Double?
  /// Whether bars that belong together would be torn apart by a second column.
  var isOneColumn = false

  /// The chart's lines: labels, values, and the bars.
  var lines: [String] {
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

  /// A bar in eighths of a cell; what is more than nothing is seen.
  static func blocks(_ value: Double, of full: Double, width: Int) -> String {
    guard value > 0, full > 0 else { return "" }
    let eighths = max(1, Int((min(value / full, 1) * Double(width * 8)).rounded()))
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + part
  }
}

extension String {
  /// The text with spaces after it, so that it takes that many cells of a terminal.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}
