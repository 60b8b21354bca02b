import Foundation
import HoldfastTestSupport
import Testing

@Suite("Restoring single recordings", .temporaryFolder)
struct RestoreRecordingTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// A line of `restore --recording --json`.
  private struct Line: Decodable {
    var event: String
    var id: String?
    var name: String?
    var detail: String?
    var error: String?
  }

  private func restore(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["restore", backups.path, "--json", "--recording"] + options)
  }

  private func id(of type: String) async throws -> String {
    try #require(
      try await library.column("SELECT id FROM recording WHERE type = '\(type)'").first)
  }

  /// Everything about the recordings, and the links to them.
  private func rows() async throws -> [[String]] {
    try await library.sql("SELECT * FROM recording ORDER BY id")
      + library.sql("SELECT * FROM thumbnail ORDER BY 1")
      + library.sql("SELECT recordingId, loudness, truePeak, hex(peaks) FROM sound ORDER BY 1")
      + library.sql("SELECT id, recordingId, modifiedAt FROM craving ORDER BY 1")
  }

  /// Runs a script in a backup, and lists its files again, as any program can.
  private func change(_ bag: String, _ script: String) async throws {
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cd "$0" && \(script) && cut -c67- manifest-sha256.txt | xargs -d '\\n' sha256sum > new \
        && mv new manifest-sha256.txt \
        && sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt
        """, bag,
      ])
  }

  @Test("A deleted recording is restored under its own names, whatever its row says")
  func oddNames() async throws {
    try await library.importing("portrait.mov")
    let id = try await id(of: "video")
    let own = try await library.recordingFiles()
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        "cd \"$0/Recordings\" && mv *.mov 'Odd name.mov' && mv Thumbnails/*.jpg Thumbnails/odd.jpg",
        library.path,
      ])
    try await library.changeCatalog(
      """
      UPDATE recording SET filePath = 'Recordings/Odd name.mov',
        thumbnailPath = 'Recordings/Thumbnails/odd.jpg', rebuiltAt = '2026-01-02 03:04:05.000'
      """)
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    #expect(try await library.holdfast("delete", id, "--yes").status == 0)
    #expect(try await restore(id).status == 0)
    #expect(try await library.recordingFiles() == own)
    #expect(
      try await library.column("SELECT rebuiltAt FROM recording") == ["2026-01-02 03:04:05.000"])
    try await library.expectSound()
  }

  @Test("A recording is restored from the last good copy in an updated backup")
  func lastGoodCopy() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let id = try await id(of: "audio")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    // It is also reported if the previous backup had it under another name. On a disk that ignores
    // case, its own name may be another file's.
    let name = "data/Recordings/audio_\(id).m4a"
    try await change(
      backups.newest(),
      """
      copy=\(name)~$(sha256sum < \(name) | cut -c-12) && mv \(name) "$copy" \\
      && sed -i "s|\(name)|$copy|" manifest-sha256.txt \\
      && echo other > \(name) && echo "$(printf %064d 0)  \(name)" >> manifest-sha256.txt
      """)
    let merged = LibraryFolder("merged")
    #expect(try await merged.holdfast("merge", backups.path).status == 0)
    #expect(try await merged.column("SELECT id FROM recording WHERE type = 'audio'") == [id])
    try await merged.expectSound()
    try FileManager.default.removeItem(atPath: "\(library.path)/Recordings/audio_\(id).m4a")
    let lost = try await library.holdfast("merge", backups.path)
    #expect(lost.status == 3, "\(lost.output)")
    #expect(lost.errorOutput.contains("brings it back"), "\(lost.errorOutput)")
    #expect(try await library.holdfast("delete", id, "--yes").status == 0)
    #expect(try await restore(id).status == 0)
    try await library.expectSound()
  }

  @Test("A deleted recording is restored with its files, its row and its links")
  func deleted() async throws {
    try await library.importing("portrait.mov", "aac.m4a", options: ["--title", "Day one"])
    let (video, audio) = (try await id(of: "video"), try await id(of: "audio"))
    _ = try await library.holdfast("show", video)
    let linked = try await library.record(
      "craving", "log", "--intensity", "5", "--recording", video)
    let other = try await library.record(
      "craving", "log", "--intensity", "6", "--recording", video)
    _ = try await library.holdfast("backup", backups.path)
    let before = try await rows()
    _ = try await library.holdfast("delete", "--yes", video)
    #expect(try await rows() != before)
    // A craving that now names another recording keeps that link.
    _ = try await library.holdfast("craving", "link", other.id, audio)
    _ = try await library.holdfast("craving", "log", "--intensity", "1")
    let result = try await restore(String(video.prefix(8)).lowercased())
    #expect(result.status == 0, "\(result.errorOutput)")
    let lines = try result.jsonLines(of: Line.self)
    #expect(lines.map(\.event) == ["restored"] && lines.first?.id == video)
    #expect(lines.first?.detail?.contains("1 entry linked") == true, "\(result.output)")
    let links = try await library.sql(
      "SELECT id, recordingId FROM craving WHERE recordingId NOT NULL ORDER BY intensity")
    #expect(links == [[linked.id, video], [other.id, audio]])
    // Everything except those two cravings is as it was.
    let after = try await rows().filter { row in
      !row.contains(other.id) && !(row.count == 3 && row[1].isEmpty)
    }
    #expect(after == before.filter { !$0.contains(other.id) })
    try await library.expectSound()
  }

  @Test("An existing recording stays as it is; its missing or damaged files are repaired")
  func there() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let (video, audio) = (try await id(of: "video"), try await id(of: "audio"))
    _ = try await library.holdfast("backup", backups.path)
    let whole = try await restore(video, audio, video)
    #expect(whole.status == 0, "\(whole.errorOutput)")
    #expect(try whole.jsonLines(of: Line.self).map(\.event) == ["unchanged", "unchanged"])
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cd "$0" && rm video_*.mov Thumbnails/* && printf x | dd of=$(echo audio_*.m4a) bs=1 \
        seek=500 conv=notrunc status=none
        """, "\(library.path)/Recordings",
      ])
    let result = try await restore(video, audio)
    #expect(result.status == 0, "\(result.errorOutput)\(result.output)")
    #expect(try result.jsonLines(of: Line.self).map(\.event) == ["repaired", "repaired"])
    try await library.expectSound()
    #expect(try await library.find("-path", "*/.quarantine/*.m4a").count == 1)
  }

  @Test(
    "An unknown ID is named and does not stop the others; a backup of another library is refused")
  func unknown() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let audio = try await id(of: "audio")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await library.holdfast("delete", "--yes", audio)
    let result = try await restore("00000000-dead", "abc", audio)
    #expect(result.status == 3)
    let lines = try result.jsonLines(of: Line.self)
    #expect(lines.map(\.event) == ["failed", "failed", "restored"], "\(result.output)")
    #expect(lines.first?.error?.contains("\"00000000-dead\", neither in the library") == true)
    try await library.expectSound()
    let other = LibraryFolder("other")
    let refused = try await other.holdfast("restore", backups.path, "--recording", audio)
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("backups of another library"), "\(refused.errorOutput)")
    for options in [
      [], ["--to", "x", "--recording", audio], ["--take-rest", "--recording", audio],
    ] {
      #expect(try await library.holdfast(["restore", backups.path] + options).status == 64)
    }
  }

  @Test(
    "A row that breaks a rule is refused as the backup's fault, and the others are restored",
    arguments: BrokenRow.all)
  func brokenRow(_ row: BrokenRow) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let (video, audio) = (try await id(of: "video"), try await id(of: "audio"))
    _ = try await library.holdfast("backup", backups.path)
    try await change(
      try backups.newest(), "sqlite3 data/catalog.sqlite \"\(row.statement(about: video))\"")
    _ = try await library.holdfast("delete", "--yes", video, audio)
    let result = try await restore(video, audio)
    #expect(result.status == 3)
    let lines = try result.jsonLines(of: Line.self)
    #expect(lines.map(\.event) == ["failed", "restored"], "\(result.output)")
    #expect(lines.first?.error?.hasPrefix("data/catalog.sqlite of the backup") == true)
    #expect(try await library.column("SELECT id FROM recording") == [audio])
    try await library.expectSound()
  }

  @Test("A recording that was imported again is restored; a file in the way is quarantined")
  func duplicate() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    let old = try await library.column("SELECT id FROM recording ORDER BY originalFilename")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await library.holdfast("delete", "--yes", old[0], old[1])
    _ = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    try Data("mine".utf8).write(
      to: URL(filePath: "\(library.path)/Recordings/audio_\(old[1]).m4a"))
    let result = try await restore(old[0], old[1])
    #expect(result.status == 0, "\(result.output)")
    #expect(try result.jsonLines(of: Line.self).map(\.event) == ["restored", "restored"])
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    try await library.expectSound()
    let kept = try await library.find("-path", "*/.quarantine/*.m4a")
    #expect(kept.count == 1 && kept[0].contains(old[1]))
  }

  @Test("A damaged file of the backup is not restored; a thumbnail that it lacks is made again")
  func damaged() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    let video = try await id(of: "video")
    let audio = try await library.column("SELECT id FROM recording WHERE type = 'audio'")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await library.holdfast("delete", "--yes", video, audio[0])
    let bag = try backups.newest()
    let file = "\(bag)/data/Recordings/audio_\(audio[0]).m4a"
    _ = try await Command.output(
      of: "bash", ["-c", "rm \"$0\"/data/Recordings/Thumbnails/*; printf x >> \"$1\"", bag, file])
    let before = try await library.allRows()
    let refused = try await restore(audio[0])
    #expect(refused.status == 3)
    #expect(refused.output.contains("not those that were backed up"), "\(refused.output)")
    #expect(try await library.allRows() == before)
    try await library.expectSound()
    let made = try await restore(video)
    #expect(made.status == 0, "\(made.output)")
    try await library.expectSound()
  }

  @Test("An older Holdfast's backup is migrated in a copy; a changed schema is refused")
  func catalogs() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    let audio = try await id(of: "audio")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await library.holdfast("delete", "--yes", audio)
    let bag = try backups.newest()
    try await change(
      bag,
      """
      sqlite3 data/catalog.sqlite "DROP TABLE transcriptSegment; DROP TABLE transcript;
      DROP TABLE wordGeneration; DROP TABLE appVersion;
      DROP TABLE alias; DROP TABLE replica; DROP TABLE plays; DROP TABLE seenSource;
      ALTER TABLE recording DROP COLUMN rebuiltAt;
      DELETE FROM grdb_migrations WHERE identifier IN ('v9', 'v10', 'v11', 'v12', 'v13', 'v14')"
      """)
    let old = try await Find.snapshot(bag)
    let result = try await restore(audio)
    #expect(result.status == 0, "\(result.errorOutput)\(result.output)")
    #expect(try await Find.snapshot(bag) == old)
    try await library.expectSound()
    // A row that leads nowhere is refused, and so is a changed schema.
    _ = try await library.holdfast("delete", "--yes", audio)
    try await change(
      bag,
      "sqlite3 data/catalog.sqlite \"UPDATE recording SET filePath = 'Recordings/x.m4a' "
        + "WHERE id = '\(audio)'\""
    )
    let elsewhere = try await restore(audio)
    #expect(elsewhere.status == 3)
    #expect(elsewhere.output.contains("does not have its file"), "\(elsewhere.output)")
    try await change(
      bag,
      "sqlite3 data/catalog.sqlite 'CREATE TRIGGER t AFTER INSERT ON usage "
        + "BEGIN DELETE FROM usage; END'"
    )
    let changed = try await restore(audio)
    #expect(changed.status == 1)
    #expect(changed.errorOutput.contains("data/catalog.sqlite of the backup"))
    try await library.expectSound()
  }
}
