import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Bring everything from other libraries into this one.",
    discussion: """
      The other libraries are only read, unless you give --take. Recordings are the same if their \
      IDs match, or if they were made from the same part of the same source and one of the two \
      files holds as much as the other in every respect. Then the smaller ID is kept, and the \
      other ID still finds the recording. A file is never replaced by a file that holds less. \
      Other entries match by ID, and the later edit wins. Deletions are not merged: a deleted \
      record comes back from a library that still has it. An interrupted merge goes on where it \
      stopped when you run it again.
      """)

  @Argument(
    help: "The folders of other libraries, or of backups; the newest backup in a folder is merged.",
    completion: .directory)
  var libraries: [String]

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Remove each file from the other library once this library has it for good: linked or copied, \
      flushed to the disk, and in the catalog. A linked file is not read. Files that cannot be \
      merged stay there. Nothing is removed from a backup.
      """)
  var take = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many files to copy at the same time.", valueName: "count"))
  var jobs: Int?

  @OptionGroup var common: CommonOptions

  func validate() throws { try JobCount.validate(jobs) }

  func run() async throws {
    let library = try common.openLibrary(for: dryRun ? .planning : .writing)
    var options = MergeOptions(isDryRun: dryRun, takesFiles: take)
    if let jobs { options.jobs = jobs }
    var failed = 0
    var waiting = libraries[...]
    var begun: [(other: String, run: Result<LibraryRun<MergeEvent>, any Error>)] = []
    var last: LibraryRun<MergeEvent>?
    while true {
      // While one library is merged, the next ones are read.
      while begun.count < 3, let other = waiting.popFirst() {
        let run = begin(other, into: library, options, after: last)
        last = (try? run.get()) ?? last
        begun.append((other, run))
      }
      guard !begun.isEmpty else { break }
      let (other, run) = begun.removeFirst()
      do {
        failed += try await show(run.get(), of: other)
      } catch let error as HoldfastError where libraries.count > 1 {
        failed += 1
        let output = MergeOutput(event: "failed", library: other, error: error.explained)
        let line = "\(other.escapedForDisplay): \(error.explained)"
        common.console.isJSON ? try common.console.json(output) : common.console.error(line)
      } catch {
        let others = begun.compactMap { try? $0.run.get() }
        for run in others { run.cancel() }
        for run in others { await run.end() }
        throw error
      }
    }
    if failed > 0 { throw ExitCode.someFailed }
  }

  private func begin(
    _ other: String, into library: Library, _ options: MergeOptions,
    after previous: LibraryRun<MergeEvent>? = nil
  ) -> Result<LibraryRun<MergeEvent>, any Error> {
    Result {
      if !dryRun { common.console.noteSettled(try Backups(in: other).settle()) }
      return try library.merge(other, options: options, after: previous)
    }
  }

  /// Shows the merge of one library, and returns the number of its records and files that were left
  /// out.
  private func show(_ run: LibraryRun<MergeEvent>, of other: String) async throws -> Int {
    let console = common.console
    var failed = 0
    var finished: MergeReport?
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .compared(let done, let total): lines.progress(done, of: total)
      case .failed(let id, let error):
        failed += 1
        try lines.show(
          MergeOutput(event: "failed", library: other, id: id, error: error.explained),
          "\(console.colored("not merged", .red))  \(id.escapedForDisplay): \(error.explained)",
          isError: true)
      case .different(let id, let reason):
        failed += 1
        let sentence =
          "each library keeps its own file: \(reason); keep the other library, or delete the "
          + "recording here and merge again"
        try lines.show(
          MergeOutput(event: "different", library: other, id: id.uuidString, error: sentence),
          "\(console.colored("different", .yellow))  \(id.uuidString): \(sentence)", isError: true)
      case .stays(let path, let reason):
        // A user who removes the other library after a clean merge would remove this file with it.
        failed += 1
        try lines.show(
          MergeOutput(event: "stays", library: other, path: path, error: reason),
          "\(console.colored("stays", .yellow))  \(path): \(reason)", isError: true)
      case .finished(let report): finished = report
      }
    }
    if let finished {
      failed += finished.records.items.count
      try show(finished, of: other)
    }
    return failed
  }

  private func show(_ report: MergeReport, of other: String) throws {
    let console = common.console
    let printer = DataImportPrinter(console: console)
    if console.isJSON {
      try printer.showItems(report.records)
      return try console.json(MergeOutput(report, of: other, isDryRun: dryRun))
    }
    let done = dryRun ? "would merge" : console.colored("merged", .green)
    console.result("\(done)  \(other.escapedForDisplay)")
    let numbers = [
      (report.added, "added, \(report.bytes.megabytes)"), (report.updated, "updated"),
      (report.joined, "of them known here under another ID"), (report.unchanged, "unchanged"),
      (report.different, "with another file there"), (report.failed, "not merged"),
      (report.taken, "removed from there"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    console.result("recordings: \(numbers.isEmpty ? "none" : numbers.joined(separator: ", "))")
    if report.failedPhotos > 0 { console.result("photos: \(report.failedPhotos) not merged") }
    try printer.show(report.records)
    if report.withoutThumbnail > 0 {
      console.note(
        "\(report.withoutThumbnail.counted("thumbnail")) could not be copied; "
          + "holdfast thumbnails --missing makes them again.")
    }
  }
}

private struct MergeOutput: Encodable {
  var event: String
  var library: String
  var id: String?
  var path: String?
  var error: String?
  var recordings: [String: Int]?
  var bytes: Int64?
  var records: [String: DataImportReport.Counts]?

  init(event: String, library: String, id: String? = nil, path: String? = nil, error: String) {
    self.event = event
    self.library = library
    self.id = id
    self.path = path
    self.error = error
  }

  init(_ report: MergeReport, of other: String, isDryRun: Bool) {
    event = isDryRun ? "planned" : "merged"
    library = other
    bytes = report.bytes
    recordings = [
      "added": report.added, "updated": report.updated, "joined": report.joined,
      "unchanged": report.unchanged, "different": report.different, "failed": report.failed,
      "withoutThumbnail": report.withoutThumbnail, "taken": report.taken,
    ]
    records = Dictionary(
      uniqueKeysWithValues: report.records.counts.map { ($0.key.name, $0.value) })
  }
}
