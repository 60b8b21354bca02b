import Foundation
import HoldfastTestSupport
import Testing

/// `import-app` of a container with a recording and a craving that names it.
struct AppImportOperation: TestedOperation {
  let testDescription = "import-app"

  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importing("hevc10.mov")
    try await library.importing("aac.m4a")
    let app = try AppFolder()
    try app.copy("hevc8.mp4", to: "video_\(LibraryFolder.id(1)).mov")
    try app.makeStore(
      new: """
        INSERT INTO ZRECORDINGMODEL (Z_PK, ZID, ZFILEPATH, ZTITLE, ZCREATEDAT) VALUES
          (1, \(AppFolder.id(1)), 'video_\(LibraryFolder.id(1)).mov', 'Thirty days', 782000000);
        INSERT INTO ZCRAVINGMODEL (Z_PK, ZID, ZTIMESTAMP, ZINTENSITY, ZRECORDING) VALUES
          (1, \(AppFolder.id(11)), 782000000, 8, 1);
        """)
    return ["import-app", "--json", "--jobs", "1", app.path]
  }

  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    try await library.expectSound(moment)
    let recordings = try await library.column("SELECT id FROM recording WHERE title NOT NULL")
    #expect([[], [LibraryFolder.id(1)]].contains(recordings), "\(moment)")
    let cravings = try await library.column("SELECT id FROM craving WHERE intensity = 8")
    if result.status == 0 {
      #expect(recordings.count == 1 && cravings.count == 1, "\(moment)")
    } else if !result.wasKilled {
      #expect([1, 3].contains(result.status), "\(moment): \(result.status)")
    }
    // A second run completes it, with the link.
    let again = try await library.holdfast("import-app", temporary("app"))
    #expect(again.status == 0, "\(moment): \(again.errorOutput)")
    #expect(
      try await library.column("SELECT recordingId FROM craving WHERE intensity = 8")
        == [LibraryFolder.id(1)], "\(moment)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"], "\(moment)")
  }
}

@Suite("Importing an app's data: faults", .temporaryFolder)
struct AppFaultTests {
  private static let isWanted =
    CallFaults.isWhole
    ? CallFaults.names.isEmpty || CallFaults.names.contains("app") : Extent.isWhole

  @Test(
    "When any call that changes a file fails or is killed, a second run completes the import",
    .timeLimit(.minutes(CallFaults.minutes)),
    .enabled(if: isWanted, "only scripts/test --all and scripts/faults have the time"))
  func faults() async throws { try await CallFaults(of: AppImportOperation()).expectReported() }

  @Test("A kill at any moment and a second run give the same library")
  func kills() async throws {
    let whole = LibraryFolder("whole")
    let command = try await AppImportOperation().prepare(whole)
    #expect(try await whole.holdfast(command).status == 0)
    let query = """
      SELECT title, id, timestamp, createdAt, playCount FROM recording WHERE title NOT NULL
      UNION ALL SELECT intensity, id, timestamp, createdAt, recordingId FROM craving ORDER BY 1
      """
    let expected = try await whole.sql(query)
    #expect(expected.count == 2)
    for number in 0..<(Extent.isWhole ? 20 : 4) {
      let library = LibraryFolder("killed-\(number)")
      try await library.importing("hevc10.mov")
      try await library.importing("aac.m4a")
      let wait = Double.random(in: 0.02...1.2)
      _ = try await Command.run(
        "timeout", ["-s", "KILL", "\(wait)", Command.holdfast] + library.command(command))
      let again = try await library.holdfast(command)
      #expect(again.status == 0, "killed after \(wait) s: \(again.errorOutput)")
      #expect(try await library.sql(query) == expected, "killed after \(wait) s")
      try await library.expectSound("killed after \(wait) s")
    }
  }
}
