import Foundation
import HoldfastTestSupport
import Testing

@Suite("Plays are counted for each replica of a library", .temporaryFolder)
struct ReplicaTests {
  private let library = LibraryFolder()

  /// The counts of the replicas in order, and their sum in the recording's row.
  private func counts(in library: LibraryFolder) async throws -> [String] {
    try await library.column(
      "SELECT * FROM (SELECT count FROM plays ORDER BY count)"
        + " UNION ALL SELECT sum(playCount) FROM recording")
  }

  private func play(_ id: String, times: Int, in library: LibraryFolder) async throws {
    for _ in 1...times { _ = try await library.holdfast("play", id, "--count-only") }
  }

  @Test("A copy of the folder, and a restored library, count for themselves")
  func copies() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    try await play(id, times: 2, in: library)
    #expect(try await counts(in: library) == ["2", "2"])

    _ = try await Command.output(of: "cp", ["-a", library.path, temporary("copy")])
    let copy = LibraryFolder(at: "copy")
    try await play(id, times: 1, in: copy)
    #expect(try await counts(in: copy) == ["1", "2", "3"])

    // The same folder by another name is the same replica.
    let moved = LibraryFolder(at: "moved")
    try FileManager.default.moveItem(atPath: copy.path, toPath: moved.path)
    try await play(id, times: 3, in: moved)
    #expect(try await counts(in: moved) == ["2", "4", "6"])

    _ = try await library.holdfast("backup", temporary("backups"))
    let restored = LibraryFolder(at: "restored")
    _ = try await Command.output(
      of: Command.holdfast, ["restore", temporary("backups"), "--to", restored.path])
    #expect(try await restored.column("SELECT count(*) FROM replica") == ["0"])
    try await play(id, times: 1, in: restored)
    #expect(try await counts(in: restored) == ["1", "2", "3"])
  }
}
