import Foundation
import HoldfastTestSupport
import Testing

@Suite("The library's folder", .temporaryFolder)
struct TreeTests {
  @Test(
    "Folders are 0700 and files 0600, named after the recordings, whatever the umask",
    arguments: Extent.sample(["000", "077", "777"], every: 3))
  func tree(umask: String) async throws {
    let library = LibraryFolder(at: "library")
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "bash",
      [
        "-ec", "umask \(umask); \"$0\" init \"$1\" >&2; exec \"$0\" import --library \"$@\"",
        holdfast,
        library.path,
        Fixtures.path("portrait.mov"), Fixtures.path("voice.wav"),
      ])
    try #require(result.status == 0, "\(result.errorOutput)")
    let rows = try await library.sql(
      "SELECT type, id, filePath, thumbnailPath FROM recording ORDER BY type DESC")
    let (video, audio) = (rows[0][1], rows[1][1])
    #expect(rows[0][2] == "Recordings/video_\(video).mov")
    #expect(rows[0][3] == "Recordings/Thumbnails/video_\(video)_thumb.jpg")
    #expect(rows[1][2] == "Recordings/audio_\(audio).m4a")
    #expect(rows[1][3].isEmpty)
    for id in [video, audio] { #expect(UUID(uuidString: id)?.uuidString == id) }
    let seen = try await Command.output(
      of: "find", [library.path, "-printf", "%y %m %P\\n"]
    ).lines.sorted()
    #expect(
      seen
        == [
          "d 700 ", "d 700 .staging", "d 700 .trash", "d 700 Recordings",
          "d 700 Recordings/Thumbnails", "f 600 .lock", "f 600 catalog.sqlite",
          "f 600 holdfast.json", "f 600 \(rows[0][2])", "f 600 \(rows[0][3])",
          "f 600 \(rows[1][2])",
        ].sorted())
    try await library.expectSound()
  }

  @Test("The catalog is a rollback-journal database of Holdfast's own with strict tables")
  func catalog() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    #expect(try await library.column("PRAGMA journal_mode") == ["delete"])
    #expect(try await library.column("PRAGMA integrity_check") == ["ok"])
    let application = try await library.column("PRAGMA application_id")
    #expect(application != ["0"])
    // Bytes 68 to 71 of a database's header: https://sqlite.org/fileformat.html
    let header = try await Command.output(
      of: "od", ["-An", "-j68", "-N4", "-tu4", "--endian=big", "\(library.path)/catalog.sqlite"])
    #expect([header.output.trimmingCharacters(in: .whitespacesAndNewlines)] == application)
    let tables = try await library.sql(
      """
      SELECT name, strict FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name IN ('recording', 'library')
      """)
    #expect(Set(tables) == [["recording", "1"], ["library", "1"]])
    let marker = try await Command.output(of: "cat", ["\(library.path)/holdfast.json"])
    let uuid = try #require(try await library.column("SELECT uuid FROM library").first)
    #expect(marker.output.contains(uuid))
  }

  @Test("A row agrees with ffprobe and sha256sum about its files, and holds no other path")
  func rows() async throws {
    let library = LibraryFolder()
    try await library.importing("portrait.mov", "odd.webm", "voice.ogg", "aac.m4a")
    for row in try await library.sql(
      "SELECT filePath, duration, width, height, originalFilename, sourceSHA256 FROM recording")
    {
      let measured = try await FFprobe.presentedDuration("\(library.path)/\(row[0])")
      // ffprobe does not know how long a reordered last picture is: one of odd.webm's is 0.067 s.
      #expect(abs(measured - (Double(row[1]) ?? 0)) < 0.07, "\(row[4])")
      let picture = try await FFprobe.streams("\(library.path)/\(row[0])").first {
        $0.codecType == "video"
      }
      #expect(picture?.width.map(String.init) ?? "" == row[2], "\(row[4])")
      #expect(picture?.height.map(String.init) ?? "" == row[3], "\(row[4])")
      #expect(try await sha256(of: Fixtures.path(row[4])) == row[5], "\(row[4])")
    }
    // Nothing in the library reveals its path or the sources' paths.
    let telling = try await Command.run(
      "grep",
      [
        "-rlaF", "-e", TemporaryFolder.current, "-e", Repository.root, "--",
        "\(library.path)/catalog.sqlite", "\(library.path)/holdfast.json",
        "\(library.path)/Recordings",
      ])
    #expect((telling.status, telling.output) == (1, ""))
    try await library.expectSound()
  }

  @Test("A library can be moved, and is the same at another place")
  func moved() async throws {
    let library = LibraryFolder()
    try await library.importing("portrait.mov", "aac.m4a")
    let moved = LibraryFolder(at: "moved")
    try FileManager.default.moveItem(atPath: library.path, toPath: moved.path)
    try await moved.expectSound()
    #expect(
      try await moved.importEvents(Fixtures.path("aac.m4a")).first?.reason == "duplicate")
  }
}
