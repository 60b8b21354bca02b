internal import HoldfastWorkerPool
internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast doctor`
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say whether this machine has what Holdfast needs, and keeps strangers' files in.",
    discussion: """
      Media are read and made by holdfast-worker, a process that can touch nothing but the files of \
      its job: each door that it shut is tried. Exit status 4 if one is open, or an encoder missing.

      With --privacy the library is looked at instead, and what in it and around it tells more than \
      it must: metadata in its files (what import --keep-metadata kept is told, and no finding), \
      permissions, traces of what was deleted in the catalog's file, links, and files that Holdfast \
      did not make. Nothing is changed. Exit status 4 if anything is found.

      A library on a network filesystem is only read, because the locks of one computer may be unknown \
      to another. With --shared-disk you promise that only one computer writes to it at a time, and \
      writing is allowed from then on. Nothing is checked.

      A deletion may leave traces in the catalog's file until it is compacted. A catalog of up to 8 MB \
      is compacted at once. A larger one takes longer, and nobody can read it meanwhile, so it is left to \
      --compact, which does nothing if nothing was deleted: call it every night.
      """)

  @Flag(help: "Look for what the library, and what lies around it, tells of you.")
  var privacy = false

  @Flag(help: "Allow writing to a library on a network filesystem, from one computer at a time.")
  var sharedDisk = false

  @Flag(help: "Compact the library's catalog if anything was deleted; other commands wait.")
  var compact = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [privacy, sharedDisk, compact].count(where: \.self) <= 1 else {
      throw ValidationError("Give only one of --privacy, --shared-disk and --compact.")
    }
  }

  func run() async throws {
    if sharedDisk { return try allowSharedDisk() }
    if privacy { return try await checkPrivacy() }
    if compact { return try compactCatalog() }
    let console = common.console
    let worker = try await engine.withEngine { try await $0.describe() }
    var report = DoctorReport(worker)
    report.compactionDue = compactionDue()
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
      "The library in \(location.path.escapedForDisplay) may be written on a network filesystem. Make "
        + "sure that only one computer writes to it at a time.")
  }
}

/// What `doctor` found.
struct DoctorReport: Encodable {
  /// The worker's doors: what a sandboxed worker must not be able to do.
  var doors: [Door]
  /// The version of the kernel's Landlock; `nil` if there is none.
  var landlock: Int?
  /// The versions of the libraries, by name.
  var versions: [String: String]
  /// Whether each encoder is available, by FFmpeg's name.
  var encoders: [String: Bool]
  /// The size of the library's catalog in bytes, if compaction is due.
  var compactionDue: Int64?

  init(_ worker: WorkerDescription) {
    doors = worker.doors
    landlock = worker.landlock
    versions = worker.libraries.versions
    versions["sqlite"] = Library.databaseVersion
    encoders = worker.libraries.encoders
  }

  /// Whether every door is shut and every encoder is available.
  var isWell: Bool { doors.allSatisfy(\.isShut) && encoders.values.allSatisfy(\.self) }

  /// The report as text.
  func lines(_ console: Console) -> [String] {
    var lines = ["The worker, in which strangers' files are read:"]
    for door in doors {
      let state = door.isShut ? console.colored("shut", .green) : console.colored("OPEN", .red)
      let means = door.isShut ? " (\(door.means.joined(separator: ", ")))" : ""
      lines.append("  \(state)  \(door.kind.summary)\(means)")
    }
    lines.append(
      landlock.map { "  This kernel's Landlock is version \($0)." }
        ?? "  This kernel has no Landlock, or has it switched off: a filter on system calls alone "
        + "keeps the worker in.")
    lines.append("Libraries:")
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      lines.append("  \(name) \(version)")
    }
    lines.append("Encoders:")
    for (name, isThere) in encoders.sorted(by: { $0.key < $1.key }) {
      let state = isThere ? "is there" : console.colored("is missing", .red)
      lines.append(
        "  \(name) \(state)" + (isThere ? "" : "; install an FFmpeg that has it, as Debian's does"))
    }
    if let compactionDue {
      lines.append("Library:")
      lines.append(
        "  something was deleted, and its catalog (\(compactionDue.megabytes)) was not compacted since; "
          + "holdfast doctor --compact does it")
    }
    return lines
  }
}

extension Door.Kind {
  /// What the worker cannot do when the door is shut.
  fileprivate var summary: String {
    switch self {
    case .files: "no file can be opened"
    case .network: "no socket can be made"
    case .programs: "no program can be started"
    case .processes: "no other process can be reached"
    case .privileges: "no privileges can be gained"
    case .dumps: "its memory is seen by nobody"
    }
  }
}
