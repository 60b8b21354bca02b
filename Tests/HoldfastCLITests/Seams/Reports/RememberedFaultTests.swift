import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faults that a verification found", .temporaryFolder)
struct RememberedFaultTests {
  private let library = LibraryFolder()
  private static let fixtures = ["aac.m4a", "adts.aac", "alac.m4a", "voice.wav", "portrait.mov"]

  /// Imports recordings, and damages four: one is missing, one is a folder, one is too short, and
  /// one cannot be read whole.
  private func spoil() async throws -> [String] {
    try await library.importing("aac.m4a", "adts.aac", "alac.m4a", "voice.wav", "portrait.mov")
    let files = try await library.column("SELECT filePath FROM recording ORDER BY type, id")
      .map { "\(library.path)/\($0)" }
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cp -a "$0/Recordings" "$0/../good"
        rm "$1"; rm "$2"; mkdir -m 700 "$2"; truncate -s -5 "$3"
        printf x | dd of="$4" bs=1 seek=500 conv=notrunc status=none
        """, library.path,
      ] + files)
    return files
  }

  private func faults() async throws -> [String] {
    try await library.column("SELECT fault FROM recording WHERE fault IS NOT NULL ORDER BY fault")
  }

  @Test("Each is remembered, and counted in every sentence, until the file is read whole again")
  func remembered() async throws {
    _ = try await spoil()
    let deep = try await library.holdfast("verify", "--deep")
    #expect(deep.status == 4)
    #expect((deep.output + deep.errorOutput).contains("5 recordings checked, 2 read whole"))
    #expect(try await faults() == ["damaged", "damaged", "missing", "missing"])
    let doctor = try await library.holdfast("doctor")
    #expect(doctor.status == 4)
    #expect(doctor.output.contains("4 recordings are known to be missing or damaged"))
    let stats = try await library.holdfast("stats")
    #expect(
      stats.lines.contains(
        "4 recordings are known to be missing or damaged; holdfast verify shows which."))
    #expect(stats.lines.contains("Every byte of the others was verified within the last 1 day."))
    #expect(!stats.lines.contains { $0.hasPrefix("Every byte was verified") })

    // The files are back, but until they are read, no sentence says that all is well.
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        find "$0/Recordings" -mindepth 1 -maxdepth 1 -type d -name 'audio*' -exec rmdir {} +
        cp -a "$0/../good/." "$0/Recordings"
        """, library.path,
      ])
    let verified = try await library.findings()
    #expect(
      verified.map(\.kind).sorted() == [
        "contentChanged", "contentChanged", "fileMissing", "fileMissing",
      ])
    #expect(try await library.holdfast("doctor").output.contains("4 recordings are known"))
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    #expect(try await faults() == [])
    #expect(try await library.holdfast("doctor").status == 0)
    try await library.expectSound()
  }

  @Test("A verification that decodes files and compares no bytes remembers what it finds, too")
  func decoding() async throws {
    let files = try await spoil()
    #expect(try await library.holdfast("verify", "--decode").status == 4)
    #expect(try await faults() == ["damaged", "missing", "missing"])
    #expect(try await library.holdfast("doctor").output.contains("3 recordings are known"))
    let since = try await library.column(
      "SELECT faultySince FROM recording WHERE fault IS NOT NULL")
    try FileManager.default.removeItem(atPath: files[2])
    #expect(try await library.holdfast("verify", "--decode").status == 4)
    #expect(try await faults() == ["missing", "missing", "missing"])
    #expect(
      try await library.column("SELECT faultySince FROM recording WHERE fault IS NOT NULL")
        == since)
  }

  @Test("A repair from the sources clears them")
  func repaired() async throws {
    _ = try await spoil()
    #expect(try await library.holdfast("verify", "--deep").status == 4)
    let sources = Self.fixtures.flatMap { ["--from", Fixtures.path($0)] }
    let repaired = try await library.holdfast(["verify", "--repair"] + sources)
    #expect(repaired.status == 0, "\(repaired.output)")
    #expect(try await faults() == [])
    #expect(try await library.holdfast("doctor").status == 0)
  }

  @Test(
    "While the disk is missing, no file is noted as missing", arguments: ["--decode", "--deep"])
  func offline(option: String) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    _ = try await Command.output(
      of: "bash",
      ["-c", "mv \"$0/Recordings\" \"$0/../away\"; mkdir -m 700 \"$0/Recordings\"", library.path])
    #expect(try await library.holdfast("verify", option).status == 4)
    #expect(try await faults() == [])
    let imported = try await library.holdfast("import", Fixtures.path("adts.aac"))
    #expect(imported.status == 1 && imported.errorOutput.contains("nothing was imported"))
  }

  @Test(
    "Statistics of a library whose files cannot be read now say so",
    arguments: [
      "mv Recordings away", "mv Recordings away; ln -s away Recordings", "chmod 000 Recordings",
    ])
  func unreadable(change: String) async throws {
    try await library.importing("aac.m4a")
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    _ = try await Command.output(of: "bash", ["-c", "cd \"$0\"; \(change)", library.path])
    // Without the rights of root.
    let stats = try await Command.run(
      "unshare", ["-U", try Command.holdfast, "stats", "--library", library.path])
    #expect(stats.status == 0, "\(stats.errorOutput)")
    #expect(stats.output.contains("None of them can be read now."), "\(stats.output)")
    _ = try await Command.output(of: "bash", ["-c", "chmod -R u+rwX \"$0\"", library.path])
  }

  @Test("A library that cannot be written is verified all the same")
  func readOnly() async throws {
    _ = try await spoil()
    let result = try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c",
        "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" && "
          + "\"$0\" verify --deep --library \"$1\"",
        try Command.holdfast, library.path,
      ])
    #expect(result.status == 4, "\(result.errorOutput)")
    #expect(result.output.contains("fileMissing"))
    #expect(try await faults() == [])
  }
}
