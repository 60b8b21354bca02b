import Foundation
import HoldfastTestSupport
import Testing

/// An operation that changes a library's files, with the conditions that must hold afterwards,
/// whatever happened during it.
protocol TestedOperation: Sendable, CustomTestStringConvertible {
  /// Makes the library for the operation.
  ///
  /// - Returns: The command, without the library.
  func prepare(_ library: LibraryFolder) async throws -> [String]

  /// The other folders in the test's folder that the command changes, by name.
  var others: [String] { get }

  /// Whether the command is run where no file can have two names.
  var refusesLinks: Bool { get }

  /// Runs another command that writes, which recovers after the command.
  func recover(_ library: LibraryFolder) async throws -> CommandResult

  /// Checks the library after the command and another one that writes.
  ///
  /// - Parameters:
  ///   - moment: What happened to the command.
  ///   - result: Its result.
  ///   - library: The library.
  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws
}

extension TestedOperation {
  var others: [String] { [] }
  var refusesLinks: Bool { false }

  func recover(_ library: LibraryFolder) async throws -> CommandResult {
    try await library.holdfast("craving", "log", "--intensity", "1", "--json")
  }
}

/// The operations of the core's commands.
enum LibraryOperation: String, CaseIterable, TestedOperation {
  case copy = "import of a file that is copied"
  case encode = "import of a file that is encoded"
  case split = "import of a file that is split"
  case delete = "delete"
  case erase = "erase"
  case thumbnails = "thumbnails --all"
  case thumbnail = "verify --repair of a thumbnail"
  case recording = "verify --repair of a recording"
  case stranger = "verify --repair of a stranger's file"
  case merge = "merge of a library with a new recording, and one that gets its ID"
  case take = "merge that takes the files of the other library"
  case restore = "restore --recording"
  case rebuild = "restore --rebuild"
  case backup = "backup"
  case update = "backup to a disk without hard links"
  case newLibrary = "restore --to"

  var testDescription: String { rawValue }

  /// The text that is deleted and erased, and must not be found afterwards.
  static let title = "Zwetschgenknoedel"

  /// The library has two recordings, which must stay or be removed.
  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importing("hevc10.mov", options: ["--title", Self.title])
    try await library.importing("aac.m4a")
    switch self {
    case .copy: return ["import", "--json", Fixtures.path("hevc8.mp4")]
    case .encode: return ["import", "--json", Fixtures.path("odd.webm")]
    case .split:
      let clip = try await makeLongClip("long.mp4")
      return ["import", "--json", "--jobs", "1", "--over-limit", "split", clip]
    case .delete:
      let id = try await library.column("SELECT id FROM recording WHERE title NOT NULL")[0]
      return ["delete", "--json", "--yes", id]
    case .erase:
      let uuid = try await library.column("SELECT uuid FROM library")[0]
      return ["erase", "--json", "--everything", "--yes", uuid]
    case .thumbnails:
      return ["thumbnails", "--json", "--all", "--size", "\(Self.newSide)"]
    case .thumbnail:
      try await remove("*_thumb.jpg", from: library)
      // As if another version of Holdfast had made it: the row changes with the file.
      try await library.changeCatalog(
        """
        UPDATE recording SET thumbnailSHA256 = '\(String(repeating: "0", count: 64))'
        WHERE type = 'video'
        """)
      return Self.repair
    case .recording:
      try await remove("*.m4a", from: library)
      return Self.repair + ["--from", try makeFolder("backup", holding: ["aac.m4a"])]
    case .stranger:
      let isMade = FileManager.default.createFile(
        atPath: "\(library.path)/Recordings/\(Self.strangerName)", contents: Data("mine".utf8),
        attributes: [.posixPermissions: 0o600])
      try #require(isMade)
      return Self.repair
    case .merge: return ["merge", "--json", try await MergedPair.prepare(library).path]
    case .take: return ["merge", "--take", "--json", try await MergedPair.prepare(library).path]
    case .restore:
      let id = try await library.column("SELECT id FROM recording WHERE title NOT NULL")[0]
      _ = try await library.holdfast("craving", "log", "--intensity", "5", "--recording", id)
      _ = try await library.holdfast("backup", Backups().path)
      _ = try await library.holdfast("delete", "--yes", id)
      return ["restore", Backups().path, "--json", "--recording", id]
    case .rebuild:
      _ = try await library.holdfast("craving", "log", "--intensity", "5")
      _ = try await Command.output(
        of: "dd",
        [
          "if=/dev/urandom", "of=\(library.path)/catalog.sqlite", "bs=100", "count=1",
          "conv=notrunc", "status=none",
        ])
      return ["restore", "--rebuild", "--json"]
    case .backup, .update, .newLibrary: return try await prepareBackup(library)
    }
  }

  /// The operations that change the catalog by SQLite's transactions.
  static let transactions = allCases.filter {
    ![.rebuild, .backup, .update, .newLibrary].contains($0)
  }

  func recover(_ library: LibraryFolder) async throws -> CommandResult {
    switch self {
    case .rebuild:
      let again = try await library.holdfast("restore", "--rebuild")
      guard again.status == 0 || again.errorOutput.contains("is not rebuilt") else { return again }
    case .backup, .update:
      // This finishes or undoes an update.
      let list = try await library.holdfast("backup", "list", Backups().path)
      guard list.status == 0 else { return list }
    default: break
    }
    return try await library.holdfast("craving", "log", "--intensity", "1", "--json")
  }

  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    switch self {
    case .copy, .encode: try await judgeImport(moment, result, library, parts: 1)
    case .split: try await judgeImport(moment, result, library, parts: 2)
    case .delete: try await judgeDelete(moment, result, library)
    case .erase: try await judgeErase(moment, result, library)
    case .thumbnails: try await judgeThumbnails(moment, result, library)
    case .thumbnail, .recording, .stranger: try await judgeRepair(moment, result, library)
    case .merge: try await MergedPair.judge(moment, result, library)
    case .take: try await MergedPair.judge(moment, result, library, taking: true)
    case .restore: try await judgeRestore(moment, result, library)
    case .rebuild: try await judgeRebuild(moment, result, library)
    case .backup, .update: try await judgeBackup(moment, result, library)
    case .newLibrary: try await judgeNewLibrary(moment, result, library)
    }
  }

  private func judgeImport(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder, parts: Int
  ) async throws {
    try await library.expectSound(moment)
    let ids = Set(try await library.column("SELECT id FROM recording"))
    let old = try await library.column("SELECT count(*) FROM recording WHERE title NOT NULL")
    #expect(old == ["1"], "\(moment)")
    let lines = try result.jsonLines(of: ImportLine.self)
    if let event = lines.first(where: { $0.event == "imported" }) {
      let imported = Set((event.recordings ?? []).map(\.id))
      #expect(imported.count == parts && imported.isSubset(of: ids), "\(moment)")
      #expect(ids.count == 2 + parts, "\(moment)")
    } else if result.wasKilled {
      #expect([2, 2 + parts].contains(ids.count), "\(moment)")
    } else {
      #expect([1, 3].contains(result.status), "\(moment): \(result.status)")
      #expect(ids.count == 2, "\(moment): said \(result.errorOutput) \(result.output)")
    }
  }

  private func judgeDelete(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    let count = try await library.column("SELECT count(*) FROM recording")
    let isThere = try await library.column("SELECT id FROM recording WHERE title NOT NULL") != []
    #expect(count == [isThere ? "2" : "1"], "\(moment)")
    // The next command that writes has also rewritten the catalog.
    #expect(try await library.grep(Self.title).isEmpty == !isThere, "\(moment)")
    if result.output.contains("\"event\":\"deleted\"") {
      #expect(!isThere, "\(moment)")
    } else if !result.wasKilled {
      #expect([1, 3].contains(result.status), "\(moment): \(result.status)")
      #expect(isThere, "\(moment): said \(result.errorOutput) \(result.output)")
    }
  }

  private func judgeErase(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    let count = try await library.column("SELECT count(*) FROM recording")
    #expect(count == ["0"] || count == ["2"], "\(moment)")
    #expect(try await library.grep(Self.title).isEmpty == (count == ["0"]), "\(moment)")
    let marks = try await library.column("SELECT count(*) FROM library WHERE erasing NOT NULL")
    #expect(marks == ["0"], "\(moment)")
    if result.status == 0 || result.errorOutput.contains("everything is deleted") {
      #expect(count == ["0"], "\(moment)")
    } else if !result.wasKilled {
      #expect(result.status == 1, "\(moment): \(result.status)")
      #expect(count == ["2"], "\(moment): said \(result.errorOutput)")
    }
  }

  private func judgeThumbnails(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    // The picture and its row are both old or both new.
    try await library.expectSound(moment)
    let known = try await library.column("SELECT longSide FROM thumbnail")
    let picture = try #require(try await library.find("-name", "*_thumb.jpg").first, "\(moment)")
    let sides = try await Command.output(
      of: "exiftool", ["-s3", "-ImageWidth", "-ImageHeight", "\(library.path)/\(picture)"])
    let isNew = sides.lines.contains("\(Self.newSide)")
    #expect((known == ["\(Self.newSide)"]) == isNew, "\(moment): \(known) \(sides.lines)")
    if result.output.contains("\"event\":\"made\"") {
      #expect(isNew, "\(moment)")
    } else if result.status == 3 {
      #expect(!isNew, "\(moment)")
    } else if !result.wasKilled {
      // The whole run ended: recovery may have had to finish it.
      #expect(result.status == 1, "\(moment): \(result.status)")
    }
  }

  private func judgeRepair(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    // Findings reported as repaired are repaired, and the rest is found again.
    let lines = try result.jsonLines(of: Finding.self)
    let said = Set(lines.filter { $0.repaired == true }.map { "\($0.kind) \($0.path)" })
    let found = try await library.findings().map { "\($0.kind) \($0.path)" }
    #expect(said.isDisjoint(with: found), "\(moment)")
    if result.status == 0 {
      #expect(said.count == 1 && found.isEmpty, "\(moment): \(found)")
    } else if !result.wasKilled {
      #expect([1, 4].contains(result.status), "\(moment): \(result.status)")
    }
    // Nothing is lost, and a second run completes it.
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"], "\(moment)")
    let backup = self == .recording ? ["--from", temporary("backup")] : []
    let again = try await library.holdfast(Self.repair + backup)
    #expect(again.status == 0, "\(moment): \(again.output)\(again.errorOutput)")
    if self == .stranger {
      #expect(try await library.find("-name", Self.strangerName).count == 1, "\(moment)")
    }
    try await library.expectSound(moment)
  }

  private func judgeRebuild(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    // One of the runs rebuilt it, and everything is there.
    try await library.expectSound(moment)
    #expect(
      try await library.sql("SELECT count(title), count(*) FROM recording") == [["1", "2"]],
      "\(moment)")
    #expect(
      try await library.column("SELECT intensity FROM craving ORDER BY 1") == ["1", "5"],
      "\(moment)")
    let old = try await library.find("-path", "*/.quarantine/*/catalog.sqlite")
    #expect(!old.isEmpty, "\(moment)")
    #expect([0, 1].contains(result.status) || result.wasKilled, "\(moment): \(result.status)")
  }

  private func judgeRestore(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    // The recording and the link to it are there, or neither is.
    let back = try await library.column("SELECT id FROM recording WHERE title NOT NULL")
    let links = try await library.column(
      "SELECT recordingId FROM craving WHERE recordingId NOT NULL")
    #expect(links == back, "\(moment)")
    #expect(
      try await library.column("SELECT count(*) FROM recording") == ["\(1 + back.count)"],
      "\(moment)")
    if result.output.contains("\"event\":\"restored\"") {
      #expect(back.count == 1, "\(moment)")
    } else if !result.wasKilled {
      #expect([1, 3].contains(result.status), "\(moment): \(result.status)")
      #expect(back.isEmpty, "\(moment): said \(result.errorOutput) \(result.output)")
    }
    let bag = try Backups().newest()
    let old = try await Command.run(
      "bash", ["-c", "cd \"$0\" && exec sha256sum -c --quiet manifest-sha256.txt", bag])
    #expect(old.status == 0, "\(moment): \(old.output)")
  }

  /// No picture of the fixtures is as small.
  private static let newSide = 48
  private static let strangerName = "stranger.txt"
  private static let repair = ["verify", "--repair", "--json"]

  private func remove(_ name: String, from library: LibraryFolder) async throws {
    for file in try await library.find("-name", name) {
      try FileManager.default.removeItem(atPath: "\(library.path)/\(file)")
    }
  }

  /// A clip of 121 s that encodes quickly: one small picture a second.
  private func makeLongClip(_ name: String) async throws -> String {
    let path = temporary(name)
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=1:duration=121", "-c:v",
        "libx264", "-pix_fmt", "yuv420p", "-g", "10", "-bf", "0", path,
      ])
    return path
  }
}

extension CommandResult {
  /// Whether the program was killed, without further output.
  var wasKilled: Bool { status == 128 + 9 }
}
