import Foundation
import HoldfastTestSupport
import Testing

@Suite("Backups beside commands that write", .temporaryFolder)
struct BackupBesideTests {
  let library = LibraryFolder()
  let backups = Backups()
  /// The most numbered cravings at a time.
  private static let most = 3

  /// Logs numbered cravings, and deletes them in order.
  private func logAndDelete(until deadline: ContinuousClock.Instant) async throws {
    var ids: [String] = []
    var number = 0
    while ContinuousClock.now < deadline {
      number += 1
      let logged = try await library.holdfast(
        "craving", "log", "--intensity", "5", "--notes", "\(number)", "--json")
      #expect(logged.status == 0, "\(logged.errorOutput)")
      ids += try await library.column("SELECT id FROM craving WHERE notes = '\(number)'")
      guard ids.count == Self.most else { continue }
      let deleted = try await library.holdfast("craving", "delete", "--yes", ids.removeFirst())
      #expect(deleted.status == 0, "\(deleted.errorOutput)")
    }
  }

  private func importAndDelete(until deadline: ContinuousClock.Instant) async throws {
    let sources = try makeFolder("in", holding: ["voice.wav", "hevc8.mp4", "odd.webm"])
    while ContinuousClock.now < deadline {
      let result = try await library.holdfast("import", "--allow-duplicates", sources)
      #expect(result.status == 0, "\(result.errorOutput)")
      let ids = try await library.column("SELECT id FROM recording ORDER BY random() LIMIT 3")
      _ = try await library.holdfast(["delete", "--yes"] + ids)
    }
  }

  @Test(
    "Each backup is valid, and restores to a sound library of one moment", .timeLimit(.minutes(30)))
  func ofOneMoment() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let deadline = ContinuousClock.now + .seconds(Extent.choose(sample: 4, whole: 120))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await importAndDelete(until: deadline) }
      group.addTask { try await logAndDelete(until: deadline) }
      group.addTask {
        while ContinuousClock.now < deadline {
          let result = try await library.holdfast("backup", backups.path, "--keep", "all")
          #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
        }
      }
      try await group.waitForAll()
    }
    try #require(try !backups.names().isEmpty)
    for name in try backups.names() {
      let bag = "\(backups.path)/\(name)"
      try await backups.expectValid(bag, name)
      let restored = try await LibraryFolder.restored(from: bag, to: "restored")
      let verified = try await restored.holdfast("verify", "--deep")
      #expect(verified.status == 0, "\(name): \(verified.output)\(verified.errorOutput)")
      try await restored.expectSound(name)
      #expect(try await restored.export() == backups.export(in: bag), "\(name)")
      // Between any two writes, the numbers are consecutive.
      let numbers = try await restored.column(
        "SELECT notes FROM craving ORDER BY CAST(notes AS INT)"
      )
      .compactMap(Int.init)
      #expect(numbers.count <= Self.most, "\(name): \(numbers)")
      #expect(
        zip(numbers, numbers.dropFirst()).allSatisfy { $0.0 + 1 == $0.1 }, "\(name): \(numbers)")
      try FileManager.default.removeItem(atPath: restored.path)
    }
  }
}
