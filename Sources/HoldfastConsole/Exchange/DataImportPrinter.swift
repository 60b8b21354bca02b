import Foundation
import Holdfast
package import HoldfastModel

/// Prints the result of an import of data: a line for each record that was not imported, and the
/// totals.
package struct DataImportPrinter {
  private struct ItemOutput: Encodable {
    var event: String
    var kind: RecordKind
    var index: Int?
    var id: String?
    var name: String?
    var error: String?
    var note: String?

    init(_ change: DataImportReport.Change) {
      event = change.isNew ? "added" : "updated"
      kind = change.kind
      id = change.id
    }

    init(_ remark: DataImportReport.Remark) {
      event = "noted"
      kind = remark.kind
      index = remark.index
      id = remark.id
      note = remark.text
    }

    init(_ item: DataImportReport.Item) {
      switch item {
      case .noFile(let id, let name):
        event = "noFile"
        kind = .recordings
        self.id = id.uuidString
        self.name = name
      case .refused(let kind, let index, let id, let reason):
        event = "refused"
        self.kind = kind
        self.index = index
        self.id = id
        error = reason
      }
    }
  }

  /// The totals, as the last line of JSON.
  private struct SummaryOutput: Encodable {
    var report: DataImportReport

    private enum Key: String, CodingKey { case event }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("summary", forKey: .event)
      let counts = report.counts.map { ($0.key.name, $0.value) }
      try Dictionary(uniqueKeysWithValues: counts).encode(to: encoder)
    }
  }

  let console: Console

  package init(console: Console) { self.console = console }

  /// Prints a report.
  ///
  /// - Parameter nothing: The sentence for a report without records; `nil` for none.
  package func show(_ report: DataImportReport, orElse nothing: String? = nil) throws {
    for note in report.notes + report.repetitions {
      if console.isJSON {
        try console.json(["event": "note", "note": note])
      } else {
        console.error("note: \(note)")
      }
    }
    if console.isJSON {
      try showItems(report)
      return try console.json(SummaryOutput(report: report))
    }
    for item in report.items { console.error(line(item, in: report)) }
    for remark in report.remarks {
      let name = name(remark.kind, at: report.hasPlaces ? remark.index : nil, remark.id)
      console.error("note: \(name): \(remark.text.escapedForDisplay)")
    }
    let totals = report.kinds.compactMap { kind in
      report.counts[kind].flatMap { Self.sentence(kind, $0) }
    }
    for total in totals { console.result(total) }
    if totals.isEmpty, let nothing { console.result(nothing) }
  }

  /// Prints everything but the totals, as lines of JSON.
  package func showItems(_ report: DataImportReport) throws {
    for change in report.changes { try console.json(ItemOutput(change)) }
    for item in report.items { try console.json(ItemOutput(item)) }
    for remark in report.remarks { try console.json(ItemOutput(remark)) }
  }

  private func line(_ item: DataImportReport.Item, in report: DataImportReport) -> String {
    switch item {
    case .noFile(let id, let name):
      "\(console.colored("no file", .yellow))   \(name.escapedForDisplay) (\(id.uuidString)): not "
        + "in the library; import the file, then the data again"
    case .refused(let kind, let index, let id, let reason):
      "\(console.colored("refused", .red))   "
        + "\(name(kind, at: report.hasPlaces ? index : nil, id)): \(reason.escapedForDisplay)"
    }
  }

  private func name(_ kind: RecordKind, at index: Int?, _ id: String?) -> String {
    let id = id?.escapedForDisplay
    guard let index else { return "\(kind.singular) \(id ?? "without an ID")" }
    return "\(kind.name)[\(index)]\(id.map { " (\($0))" } ?? "")"
  }

  /// Returns the totals of a kind; `nil` if the document has none of it.
  private static func sentence(_ kind: RecordKind, _ counts: DataImportReport.Counts) -> String? {
    let numbers = [
      (counts.added, "added"), (counts.updated, "updated"), (counts.unchanged, "unchanged"),
      (counts.noFile, "no file"), (counts.refused, "refused"),
    ]
    let words = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? nil : "\(kind.plural): \(words.joined(separator: ", "))"
  }
}
