import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check the library's files against its catalog, and repair them.",
    discussion: """
      This checks that every recording has its file, of the right size, and every video its \
      thumbnail; that every file belongs to a recording, and only its owner can read it; that \
      nothing is left of interrupted work; and that the catalog is sound. Without --repair no file \
      is changed. --deep notes in the catalog when each recording was found intact. It and \
      --decode note which recordings are missing or damaged.

      A repair removes nothing: it moves misplaced files into .quarantine. While none of the \
      recordings' files is there, a repair only puts back files from the places that --from names. \
      Exit status 4 if anything is found and not repaired.
      """)

  @Flag(help: "Read every byte and compare it with what was written.")
  var deep = false

  @Flag(help: "Decode every recording once.")
  var decode = false

  @Flag(help: "Read every byte, and repair what is found.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      """
      With --repair: look for missing and damaged recordings in this backup, or in the folder that \
      they were imported from. May be given more than once.
      """, valueName: "path"))
  var from: [String] = []

  @Option(
    help: ArgumentHelp(
      "Put back the files that a repair moved into this folder of .quarantine.",
      valueName: "folder"))
  var restore: String?

  @Option(
    help: ArgumentHelp(
      "Skip recordings last found intact less than this long ago, such as 30d. Recordings with a "
        + "known fault are always read.",
      valueName: "time"))
  var olderThan: Stretch?

  @Option(
    help: ArgumentHelp(
      "Begin no further recording after this long, such as 10m. Recordings with a known fault come "
        + "first, then those verified longest ago.",
      valueName: "time"))
  var maxDuration: Stretch?

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !from.isEmpty, !repair { throw ValidationError("--from needs --repair.") }
    if olderThan != nil || maxDuration != nil, !deep, !decode, !repair {
      throw ValidationError("--older-than and --max-duration need --deep, --decode or --repair.")
    }
    if restore != nil, deep || decode || repair {
      throw ValidationError("Give --restore alone.")
    }
  }

  func run() async throws {
    if let restore { return try self.restore(restore) }
    guard deep || decode || repair else { return try await verify(with: nil) }
    try await engine.withEngine { try await verify(with: $0) }
  }

  private func verify(with engine: WorkerPool?) async throws {
    let console = common.console
    var options = VerifyOptions()
    options.isDeep = deep
    options.decodes = decode
    options.repairs = repair
    options.backups = from
    options.olderThan = olderThan?.seconds
    options.longest = maxDuration?.seconds
    let library = try open(engine)
    let run = try library.verify(options: options)
    var counts: [String: Int] = [:]
    var planned = 0
    var summary = VerifySummary()
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .planned(let count): planned = count
      case .progress(let read): lines.progress(read, of: planned)
      case .found(let finding):
        let finding = finding.explained
        counts[finding.kind.rawValue, default: 0] += 1
        try lines.show(finding, finding.line(console))
      case .finished(let result): summary = result
      }
    }
    if let timeout = summary.lockTimeout {
      console.note(
        "note: \(timeout.reason): some findings may be work in progress, and the catalog may not "
          + "note when the recordings were verified."
          + (summary.isCatalogUnchecked
            ? " The catalog's own structure was not checked: verify again when the other command "
              + "is done."
            : ""))
    }
    if let first = summary.firstInFuture {
      console.note(
        "note: \(summary.future.counted("record")) \(summary.future.noun("is", "are")) dated in "
          + "the future, as after a clock was wrong (\(first)); later edits still win a merge.")
    }
    if !console.isJSON { console.note(summary.sentence(counts, options)) }
    if summary.findings > summary.repaired { throw ExitCode.found }
  }

  /// Opens the library for writing if there is something to store and that is possible, else for
  /// reading.
  ///
  /// A deep verification waits a few seconds for another command, to store when recordings were
  /// verified. The results of decoding alone are not worth a wait.
  private func open(_ engine: WorkerPool?) throws -> Library {
    if repair { return try common.openLibrary(for: .writing, engine: engine) }
    let library = try common.openLibrary(for: .reading, engine: engine)
    guard deep || decode else { return library }
    let failure: String
    do {
      let patience = common.patience.atMost(deep ? VerifyOptions.longestWait : 0)
      return try common.openLibrary(for: .writing, engine: engine, patience: patience)
    } catch let error as HoldfastError where Self.cannotWrite.contains(error.code) {
      failure = error.note
    }
    guard deep else { return library }
    common.console.note("The catalog will not note when the recordings were verified: \(failure)")
    return library
  }

  /// Codes for a library that this user can only read now, or that is in a backup.
  private static let cannotWrite: [HoldfastError.Code] = [
    .locked, .notPermitted, .otherFilesystem, .networkFilesystem,
    .insideBag,
  ]

  private func restore(_ folder: String) throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing)
    var left = 0
    try library.restoreQuarantine(named: try name(of: folder, in: library)) { path, failure in
      if failure != nil { left += 1 }
      if console.isJSON {
        try console.json(
          RestoredFile(path: path, restored: failure == nil, reason: failure?.explained))
      } else if let failure {
        console.error("\(path): \(failure.explained)")
      } else {
        console.result("restored  \(path)")
      }
    }
    if left > 0 { throw ExitCode.someFailed }
  }
}

extension VerifyCommand {
  /// Returns the name of a folder of this library's quarantine, which is given alone or with its
  /// path.
  private func name(of folder: String, in library: Library) throws -> String {
    let url = URL(filePath: folder)
    let parent = url.deletingLastPathComponent()
    let own = URL(filePath: library.path).appending(path: ".quarantine")
    guard
      folder.split(separator: "/").count == 1 || folder.hasPrefix(".quarantine/")
        || parent.resolvingSymlinksInPath().path() == own.resolvingSymlinksInPath().path()
    else {
      throw ValidationError(
        "\(folder.escapedForDisplay) is not a folder in \(own.path().escapedForDisplay).")
    }
    return url.lastPathComponent
  }
}

private struct RestoredFile: Encodable {
  var path: String
  var restored: Bool
  var reason: String?
}

extension VerifyFinding {
  fileprivate func line(_ console: Console) -> String {
    let recording = recording.map { " (recording \($0.short))" } ?? ""
    var line = "\(console.colored(kind.rawValue, .red)): \(path)\(recording): \(detail)"
    let (day, today) = (since.map(Self.day), Self.day(Date()))
    if let day, day != today { line += "; known since \(day)" }
    switch repair {
    case .none, .failed(nil): break
    case .possible(let words): line += "; --repair would \(words)"
    case .done(let words): line += "; \(console.colored("repaired", .green)): \(words)"
    case .failed(let words?): line += "; \(words)"
    }
    return line
  }

  private static func day(_ moment: Date) -> String {
    moment.formatted(.iso8601.year().month().day())
  }
}

extension VerifySummary {
  /// The result of the verification, in one sentence.
  fileprivate func sentence(_ counts: [String: Int], _ options: VerifyOptions) -> String {
    let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    var text = "\(recordings.counted("recording")) checked"
    if options.isDeep || options.decodes || options.repairs {
      text += ", \(read) read whole (\(bytes.megabytes))"
      if left > 0 { text += ", \(left) left for next time" }
    }
    text += ": \(kinds.isEmpty ? "nothing found" : kinds.joined(separator: ", "))"
    if options.repairs, findings > 0 { text += "; \(repaired) of \(findings) repaired" }
    return text + "."
  }
}
