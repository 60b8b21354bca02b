import Holdfast
import HoldfastConsole

extension DoctorCommand {
  /// `holdfast doctor --compact`
  func compactCatalog() throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing)
    var before: Int64 = 0
    let after = try library.compact { bytes in
      before = bytes
      console.note("Compacting the catalog (\(bytes.megabytes)); other commands wait meanwhile.")
    }
    if try library.isWordIndexDue() { try library.reindexWords() }
    if console.isJSON {
      return try console.json(
        CompactionOutput(event: after == nil ? "notDue" : "compacted", bytes: after))
    }
    guard let after else {
      return console.note("Nothing was deleted or replaced since the catalog was last compacted.")
    }
    console.result(
      "\(console.colored("compacted", .green))  \(library.path.escapedForDisplay): "
        + "\(after.megabytes), was \(before.megabytes)")
  }
}

extension DoctorCommand {
  /// `holdfast doctor --reindex`
  func reindexWords() throws {
    let console = common.console
    let count = try common.openLibrary(for: .writing).reindexWords()
    if console.isJSON { return try console.json(ReindexOutput(transcripts: count)) }
    console.result(
      "\(console.colored("indexed", .green))  the words of \(count.counted("recording"))")
  }
}

private struct ReindexOutput: Encodable {
  var event = "indexed"
  var transcripts: Int
}

private struct CompactionOutput: Encodable {
  var event: String
  /// The catalog's new size in bytes.
  var bytes: Int64?
}
