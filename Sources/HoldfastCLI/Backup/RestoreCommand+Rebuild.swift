import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

extension RestoreCommand {
  func rebuild(_ location: LibraryLocation, with engine: WorkerPool) async throws {
    let console = common.console
    let run = try Library.rebuild(
      at: location, engine: engine, journals: KnownJournals.all,
      patience: common.patience)
    var failed = 0
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .began(let reason): console.note("Rebuilding the catalog: \(reason).")
      case .kept(let kind, let count):
        try lines.show(
          RebuildOutput(event: "kept", kind: kind, count: count),
          "\(console.colored("kept", .green))  \(kind.text(count))")
      case .leftOut(let kind, let id, let reason):
        failed += 1
        try lines.show(
          RebuildOutput(event: "leftOut", kind: kind, name: id, detail: reason),
          "\(console.colored("left out", .red))  \(kind.singular) \(id): \(reason)", isError: true)
      case .examined(let done, let total): lines.progress(done, of: total)
      case .made(let recording):
        try lines.show(
          RebuildOutput(event: "rebuilt", id: recording.id, path: recording.filePath.string),
          "\(console.colored("rebuilt", .green))  \(recording.id.short)  "
            + "\(recording.duration.clockDuration), recorded \(recording.recorded.explained)")
      case .left(let path, let error):
        failed += 1
        try lines.show(
          RebuildOutput(event: "left", path: path, detail: error.explained),
          "\(console.colored("left", .yellow))  \(path): \(error.explained)", isError: true)
      case .finished(let recordings, let quarantine):
        let old = quarantine.map { "; the old one is in .quarantine/\($0)" } ?? ""
        try lines.show(
          RebuildOutput(
            event: "finished", path: location.path, count: recordings, quarantine: quarantine),
          "\(console.colored("rebuilt", .green))  \(location.path.escapedForDisplay)  the catalog "
            + "has \(recordings.counted("recording"))\(old)")
      }
    }
    if failed > 0 { throw ExitCode.someFailed }
  }
}

private struct RebuildOutput: Encodable {
  var event: String
  var kind: RecordKind?
  var name: String?
  var id: RecordingID?
  var path: String?
  var count: Int?
  var quarantine: String?
  var detail: String?
}
