import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check that this machine has what Holdfast needs and that untrusted files are sandboxed.",
    discussion: """
      Media are read and made by holdfast-worker, a process that can touch only the files of its \
      job. This command tries each door that the worker must keep shut. It also lists what the \
      library needs: recordings that a verification found missing or damaged, a systemd unit that \
      failed, a compaction or a backup that is due. Exit status 4 if a door is open, an encoder is \
      missing, a recording is damaged or a unit failed.

      --privacy checks the library instead, and the places around it, for what they reveal about \
      you: metadata in files, permissions, a catalog that was not compacted since text was \
      deleted, links, and files that Holdfast did not make. Metadata that import --keep-metadata \
      kept is reported, but is not a finding. Nothing is changed. Exit status 4 if anything is \
      found.

      Holdfast only reads a library on a network filesystem, because two computers may not see \
      each other's locks. With --shared-disk you promise that only one computer writes to it at a \
      time, and Holdfast writes to it from then on. Nothing is checked.

      Text that is deleted or replaced may leave traces in the catalog's file until the catalog is \
      compacted. A catalog of up to 8 MB is compacted at once. A larger one takes longer, and no \
      command can read it meanwhile, so only --compact does it. Run --compact every night: if \
      nothing was deleted or replaced, it does nothing.

      The index of spoken words is made by the first search in a small library, and again when \
      words were deleted. In a large one, --reindex makes it, and --compact if it is due; until \
      then a search reads every transcript.
      """)

  @Flag(help: "Check what the library, and the places around it, reveal about you.")
  var privacy = false

  @Flag(
    help: """
      Allow writing to a library on a network filesystem: only one computer will write to it at a \
      time.
      """)
  var sharedDisk = false

  @Flag(
    help: "Compact the library's catalog if anything was deleted or replaced; other commands wait.")
  var compact = false

  @Flag(help: "Make the index of spoken words again.")
  var reindex = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [privacy, sharedDisk, compact, reindex].count(where: \.self) <= 1 else {
      throw ValidationError("Give only one of --privacy, --shared-disk, --compact and --reindex.")
    }
  }

  func run() async throws {
    if sharedDisk { return try allowSharedDisk() }
    if privacy { return try await checkPrivacy() }
    if compact { return try compactCatalog() }
    if reindex { return try reindexWords() }
    let console = common.console
    let worker = try await engine.withEngine { try await $0.describe() }
    var report = DoctorReport(worker)
    do {
      try await SandboxedTranscriber.tryBarriers(with: WorkerProgram.find())
    } catch let error as HoldfastError { report.transcriberObstacle = error.explained }
    if let library = try? common.openLibrary(for: .reading) {
      // A library that cannot be read is for the other commands to report: this one is about the
      // machine.
      report.compactionDue = try? library.compactionDue()
      report.reminders = (try? Reminder.reminders(of: library)) ?? []
    }
    report.reminders += await Reminder.failedUnits(ProcessInfo.processInfo.environment)
    if console.isJSON {
      try console.json(report)
    } else {
      console.result(report.lines(console).joined(separator: "\n"))
    }
    if !report.isWell { throw ExitCode.found }
  }
}

extension DoctorCommand {
  /// `holdfast doctor --shared-disk`
  private func allowSharedDisk() throws {
    let location = try common.location()
    _ = try Library.allowSharedDisk(at: location)
    common.console.note(
      "Holdfast now writes to the library in \(location.path.escapedForDisplay), even on a network "
        + "filesystem. Make sure that only one computer writes to it at a time.")
  }
}

struct DoctorReport: Encodable {
  /// The worker's doors: actions that must be impossible for a sandboxed worker.
  var doors: [Door]
  /// The version of the kernel's Landlock; `nil` if there is none.
  var landlock: Int?
  /// Why a transcriber cannot be sandboxed, and is therefore not run; `nil` if it can be.
  var transcriberObstacle: String?
  var versions: [String: String]
  /// Whether each encoder is available, by FFmpeg's name.
  var encoders: [String: Bool]
  /// The size of the library's catalog in bytes, if compaction is due.
  var compactionDue: Int64?
  var reminders: [Reminder] = []

  init(_ worker: WorkerDescription) {
    doors = worker.doors
    landlock = worker.landlock
    versions = worker.libraries.versions
    versions["sqlite"] = Library.databaseVersion
    encoders = worker.libraries.encoders
  }

  /// Whether every door is shut, every encoder is available, and nothing is known to be wrong.
  var isWell: Bool {
    doors.allSatisfy(\.isShut) && encoders.values.allSatisfy(\.self)
      && !reminders.contains(where: \.isFault)
  }

  func lines(_ console: Console) -> [String] {
    var lines = ["The worker, which reads untrusted files:"]
    for door in doors {
      let state = door.isShut ? console.colored("shut", .green) : console.colored("OPEN", .red)
      let means =
        door.isShut
        ? " (\(door.means.joined(separator: ", ")))"
        : "; outside of a container or a debugger, holdfast doctor must find it shut: import "
          + "nothing here"
      lines.append("  \(state)  \(door.kind.summary)\(means)")
    }
    lines.append(
      landlock.map { "  This kernel's Landlock is version \($0)." }
        ?? "  This kernel has no Landlock, or has it switched off: only a filter on system calls "
        + "confines the worker.")
    lines.append("A transcriber, which gets the sound of recordings:")
    lines.append(
      transcriberObstacle.map { "  \(console.colored("not run", .yellow))  \($0)" }
        ?? "  \(console.colored("shut", .green))  files, networks and other processes (Landlock, a "
        + "filter on system calls)")
    lines.append("Libraries:")
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name) \(version)")
    }
    lines.append("Encoders:")
    for (name, isAvailable) in encoders.sorted(by: { $0.key < $1.key }) {
      let state = isAvailable ? "is available" : console.colored("is missing", .red)
      lines.append(
        "  \(name) \(state)"
          + (isAvailable
            ? ""
            : "; sudo apt install --reinstall ffmpeg brings back Debian's FFmpeg, which has it"))
    }
    if !reminders.isEmpty { lines.append("Library:") }
    for reminder in reminders {
      let state =
        reminder.isFault ? console.colored("fault", .red) : console.colored("due", .yellow)
      lines.append("  \(state)  \(reminder.sentence)")
    }
    return lines
  }
}

extension Door.Kind {
  /// The effect of the door when it is shut.
  fileprivate var summary: String {
    switch self {
    case .files: "no file can be opened"
    case .network: "no socket can be made"
    case .programs: "no program can be started"
    case .processes: "no other process can be reached"
    case .privileges: "no privileges can be gained"
    case .dumps: "no other process can see its memory"
    }
  }
}
