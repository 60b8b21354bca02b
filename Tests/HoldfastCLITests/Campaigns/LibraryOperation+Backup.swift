import Foundation
import HoldfastTestSupport
import Testing

// The operations that make a backup, and a library from one.
extension LibraryOperation {
  var others: [String] {
    switch self {
    case .backup, .update: ["backups"]
    case .newLibrary: ["backups", "target"]
    case .take: ["other"]
    default: []
    }
  }

  var refusesLinks: Bool { self == .update }

  private static let names = "SELECT originalFilename FROM recording ORDER BY 1"
  private static let oldNames = ["aac.m4a", "hevc10.mov"]
  private static let newNames = ["aac.m4a", "hevc8.mp4"]

  /// Makes a backup. Before another one, a recording is added and one removed.
  func prepareBackup(_ library: LibraryFolder) async throws -> [String] {
    let backups = Backups()
    _ = try await library.holdfast("backup", backups.path)
    if self == .newLibrary {
      _ = try makeFolder("target", holding: [])
      return ["restore", backups.path, "--json", "--to", temporary("target/library")]
    }
    let id = try await library.column("SELECT id FROM recording WHERE title NOT NULL")[0]
    _ = try await library.holdfast("delete", "--yes", id)
    try await library.importing("hevc8.mp4")
    return ["backup", backups.path, "--json", "--keep", "1"]
  }

  func judgeBackup(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    #expect(try await library.column(Self.names) == Self.newNames, "\(moment)")
    let backups = Backups()
    // A disk without hard links has one backup. Other disks have two until the older one is
    // removed.
    let names = try backups.names()
    #expect(names.count == 1 || (self == .backup && names.count == 2), "\(moment): \(names)")
    for name in names { try await backups.expectValid("\(backups.path)/\(name)", moment) }
    let newest = try await recordings(in: backups)
    #expect([Self.oldNames, Self.newNames].contains(newest), "\(moment): \(newest)")
    if [0, 3].contains(result.status) {
      #expect(newest == Self.newNames, "\(moment): \(result.output)")
    } else if !result.wasKilled {
      #expect(result.status == 1, "\(moment): \(result.status)")
      #expect(!result.errorOutput.isEmpty, "\(moment)")
    }
    // The next backup succeeds, and leaves nothing else.
    let next = try await library.holdfast("backup", backups.path, "--keep", "1")
    #expect(next.status == 0, "\(moment): \(next.errorOutput)")
    try await backups.expectValid(try backups.newest(), moment)
    #expect(try await recordings(in: backups) == Self.newNames, "\(moment)")
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
    #expect(left == [".lock"] + (try backups.names()) && left.count == 2, "\(moment): \(left)")
  }

  /// The newest backup's rows by sqlite3.
  private func recordings(in backups: Backups) async throws -> [String] {
    let name = try #require(try backups.names().last)
    return try await LibraryFolder(at: "backups/\(name)/data").column(Self.names)
  }

  func judgeNewLibrary(
    _ moment: String, _ result: CommandResult, _ library: LibraryFolder
  ) async throws {
    try await library.expectSound(moment)
    let backups = Backups()
    try await backups.expectValid(try backups.newest(), moment)
    // There is a complete library or none.
    let restored = LibraryFolder(at: "target/library")
    let isThere = FileManager.default.fileExists(atPath: restored.path)
    if result.status == 0 {
      #expect(isThere, "\(moment)")
    } else if !result.wasKilled {
      #expect(result.status == 1, "\(moment): \(result.status)")
    }
    if !isThere {
      let again = try await library.holdfast("restore", backups.path, "--to", restored.path)
      #expect(again.status == 0, "\(moment): \(again.errorOutput)")
    }
    #expect(try await restored.column(Self.names) == Self.oldNames, "\(moment)")
    try await restored.expectSound(moment)
    #expect(try await restored.export() == backups.export(in: backups.newest()), "\(moment)")
    let left = try FileManager.default.contentsOfDirectory(atPath: temporary("target"))
    #expect(left == ["library"], "\(moment): \(left)")
  }
}
