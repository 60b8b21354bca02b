import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

extension RestoreCommand {
  func restoreRecordings(with engine: WorkerPool) async throws {
    let console = common.console
    let run = try common.openLibrary(for: .writing, engine: engine).restore(
      recordings: recording, from: folder ?? "", taking: at?.choice ?? .newest)
    var failed = 0
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      func show(
        _ event: String, in color: Console.Color, of recording: Recording, _ detail: String
      ) throws {
        try lines.show(
          RecordingRestoreOutput(event: event, recording: recording, detail: detail),
          "\(console.colored(event, color))  \(recording.id.short)  "
            + "\(recording.displayTitle.escapedForDisplay): \(detail)")
      }
      switch event {
      case .began(let backup):
        console.note("Restoring from the backup of \(backup.moment.localText).")
      case .restored(let recording, let links):
        try show("restored", in: .green, of: recording, "it is back\(Self.words(links))")
      case .repaired(let recording, let files, let links, let oldID):
        let files = files.map { ", and its file \($0)" } ?? ""
        try show(
          "repaired", in: .green, of: recording,
          "it was in the library\(Self.words(oldID))\(files)\(Self.words(links))")
      case .unchanged(let recording, let oldID):
        try show(
          "unchanged", in: .yellow, of: recording,
          "it is in the library\(Self.words(oldID)), and whole")
      case .failed(let name, let error):
        failed += 1
        try lines.show(
          RecordingRestoreOutput(event: "failed", name: name, error: error.explained),
          "\(console.colored("not restored", .red))  \(name): \(error.explained)", isError: true)
      case .finished: break
      }
    }
    if failed > 0 { throw ExitCode.someFailed }
  }

  private static func words(_ links: Int) -> String {
    links == 0 ? "" : ", and \(links.counted("entry", "entries")) linked to it again"
  }

  private static func words(_ oldID: RecordingID?) -> String {
    oldID.map { ", where a merge gave \($0.short) this id" } ?? ""
  }
}

private struct RecordingRestoreOutput: Encodable {
  var event: String
  var name: String?
  var id: RecordingID?
  var detail: String?
  var error: String?

  init(
    event: String, recording: Recording? = nil, name: String? = nil, detail: String? = nil,
    error: String? = nil
  ) {
    self.event = event
    self.name = name
    id = recording?.id
    self.detail = detail
    self.error = error
  }
}
