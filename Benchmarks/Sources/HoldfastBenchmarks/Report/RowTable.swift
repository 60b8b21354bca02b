/// The rows, as a table and as JSON.
struct RowTable: Encodable {
  var machine: Machine
  var rows: [RowReport]

  /// The table, below the machine's name.
  var markdown: String {
    let title =
      "\(machine.processor), \(machine.cores) cores, \(machine.system), FFmpeg \(machine.ffmpeg)"
    var lines = [
      "| | holdfast | against | takes | ratio (lowest–highest) | target | | with 3 ms a flush "
        + "| flushes an item | memory, MB |",
      "|" + String(repeating: " --- |", count: 10),
    ]
    var before: String?
    for row in rows {
      lines.append("| \(cells(of: row, isFirst: row.what != before).joined(separator: " | ")) |")
      before = row.what
    }
    return title + "\n\n" + lines.joined(separator: "\n")
  }

  /// The cells of a row; the work, the flushes and the memory are only in the first row of a
  /// contest.
  private func cells(of row: RowReport, isFirst: Bool) -> [String] {
    let unit = row.isFaster ? "x" : " of it"
    let ratio = format(
      "%.2f\(unit) (%.2f–%.2f)", row.ratio, row.spread.lowest, row.spread.highest)
    let reached = row.reached ? "reached" : "**not reached**"
    let slow = shown(seconds: row.slowFlush.holdfastSeconds)
    return [
      isFirst ? row.what : "", shown(seconds: row.holdfastSeconds), row.contestant,
      shown(seconds: row.contestantSeconds), ratio, text(of: row.target),
      row.target == nil ? "" : reached, format("\(slow), %.2f\(unit)", row.slowFlush.ratio),
      isFirst ? limited(row.syncsPerItem, row.mostSyncsPerItem) : "",
      isFirst ? limited(row.peakMemoryMB, row.mostMemoryMB) : "",
    ]
  }

  private func text(of target: RowReport.Target?) -> String {
    if let least = target?.atLeast { return format("at least %gx", least) }
    guard let most = target?.atMost else { return "" }
    let plus = target?.plusSeconds.map { " and " + shown(seconds: $0) } ?? ""
    return format("at most %g of it", most) + plus
  }

  private func limited(_ figure: Double, _ most: Double?) -> String {
    guard let most else { return format("%g", figure) }
    return format("%g (at most %.4g)", figure, most) + (figure <= most ? "" : " **over**")
  }
}
