import Foundation
import HoldfastTestSupport
import Testing

/// What changes a library's files, each with what must have come of it whatever happened on the way.
enum LibraryOperation: String, CaseIterable, CustomTestStringConvertible {
  case copy = "import of a file that is copied"
  case encode = "import of a file that is encoded"
  case split = "import of a file that is split"
  case log = "food log --record"
  case delete = "delete"
  case erase = "erase"
  case thumbnails = "thumbnails --all"
  case thumbnail = "verify --repair of a thumbnail"
  case recording = "verify --repair of a recording"
  case stranger = "verify --repair of a stranger's file"

  var testDescription: String { rawValue }

  /// The text that is deleted and erased, and must not be found afterwards.
  private static let title = "Zwetschgenknoedel"

  /// Makes the library that it is done to, with something in it that must stay or go.
  ///
  /// - Returns: The command, without the library.
  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importing("hevc10.mov", options: ["--title", Self.title])
    try await library.importing("aac.m4a")
    switch self {
    case .copy: return ["import", "--json", Fixtures.path("hevc8.mp4")]
    case .encode: return ["import", "--json", Fixtures.path("odd.webm")]
    case .split:
      let clip = try await makeLongClip("long.mp4")
      return ["import", "--json", "--jobs", "1", "--over-limit", "split", clip]
    case .log:
      _ = try await library.holdfast("journal", "enable", "food")
      return [
        "food", "log", "--json", "--name", "Soup", "--quantity", "1", "--unit", "cup", "--calories",
        "1", "--protein", "1", "--carbohydrates", "1", "--fat", "1", "--record",
        Fixtures.path("hevc8.mp4"),
      ]
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
      // As another version of Holdfast may have made it: the row changes with the file.
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
    }
  }

  /// Looks at what the command left, after another that writes.
  ///
  /// - Parameters:
  ///   - moment: What happened to the command.
  ///   - result: What it said.
  ///   - library: The library, in which two recordings were before.
  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    switch self {
    case .copy, .encode: try await judgeImport(moment, result, library, parts: 1)
    case .split: try await judgeImport(moment, result, library, parts: 2)
    case .log: try await judgeLog(moment, result, library)
    case .delete: try await judgeDelete(moment, result, library)
    case .erase: try await judgeErase(moment, result, library)
    case .thumbnails: try await judgeThumbnails(moment, result, library)
    case .thumbnail, .recording, .stranger: try await judgeRepair(moment, result, library)
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

  private func judgeLog(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    // The entry and its recording are there, or neither is.
    let recordings = try await library.column(
      "SELECT id FROM recording WHERE purpose = 'reflection'")
    #expect(
      try await library.column("SELECT recordingId FROM foodEntry") == recordings, "\(moment)")
    #expect(
      try await library.column("SELECT day FROM foodDay").count == recordings.count, "\(moment)")
    #expect(
      try await library.column("SELECT count(*) FROM recording") == ["\(2 + recordings.count)"],
      "\(moment)")
    if result.status == 0 || result.output.contains("\"foodName\"") {
      #expect(recordings.count == 1, "\(moment)")
    } else if !result.wasKilled {
      #expect(result.status == 1, "\(moment): \(result.status)")
      #expect(recordings.isEmpty, "\(moment): said \(result.errorOutput)")
    }
  }

  private func judgeDelete(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    let count = try await library.column("SELECT count(*) FROM recording")
    let isThere = try await library.column("SELECT id FROM recording WHERE title NOT NULL") != []
    #expect(count == [isThere ? "2" : "1"], "\(moment)")
    // The next command that writes has also written the catalog anew.
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
    // The picture and what is known of it are the old ones or the new ones, and go together.
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
      // The run as a whole ended: recovery may have had to finish it.
      #expect(result.status == 1, "\(moment): \(result.status)")
    }
  }

  private func judgeRepair(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    // What was said to be put right is, and the rest is found again.
    let lines = try result.jsonLines(of: Finding.self)
    let said = Set(lines.filter { $0.repaired == true }.map { "\($0.kind) \($0.path)" })
    let found = try await library.findings().map { "\($0.kind) \($0.path)" }
    #expect(said.isDisjoint(with: found), "\(moment)")
    if result.status == 0 {
      #expect(said.count == 1 && found.isEmpty, "\(moment): \(found)")
    } else if !result.wasKilled {
      #expect([1, 4].contains(result.status), "\(moment): \(result.status)")
    }
    // Nothing is lost, and once more makes it whole.
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"], "\(moment)")
    let backup = self == .recording ? ["--from", temporary("backup")] : []
    let again = try await library.holdfast(Self.repair + backup)
    #expect(again.status == 0, "\(moment): \(again.output)\(again.errorOutput)")
    if self == .stranger {
      #expect(try await library.find("-name", Self.strangerName).count == 1, "\(moment)")
    }
    try await library.expectSound(moment)
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

  /// A clip of 121 s that is little work: one small picture a second.
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
  /// Whether the program was killed, and said nothing more.
  var wasKilled: Bool { status == 128 + 9 }
}
