import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast thumbnails", .temporaryFolder)
struct ThumbnailsTests {
  let library = LibraryFolder()

  /// One line of `thumbnails --json`.
  private struct Line: Decodable, Equatable {
    var event: String
    var id: String?
    var path: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var time: Double?
    var score: Double?
    var reason: String?
    var code: String?
    var error: String?
    var made: Int?
    var failed: Int?
  }

  private func thumbnails(
    _ options: String..., status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Line] {
    let result = try await library.holdfast(["thumbnails", "--json"] + options)
    #expect(result.status == status, "\(result.errorOutput)", sourceLocation: sourceLocation)
    return try result.jsonLines(of: Line.self)
  }

  private func videos() async throws -> [String] {
    try await library.column("SELECT id FROM recording WHERE type = 'video' ORDER BY id")
  }

  private func picture(of id: String) -> String {
    "\(library.path)/Recordings/Thumbnails/video_\(id)_thumb.jpg"
  }

  /// Width, height and, in exiftool's words, the process of a picture.
  private func look(at id: String) async throws -> [String] {
    let answer = try await Command.output(
      of: "exiftool", ["-s3", "-ImageWidth", "-ImageHeight", "-YCbCrSubSampling", picture(of: id)])
    return answer.lines
  }

  @Test("Only missing thumbnails are made")
  func missing() async throws {
    try await library.importing("portrait.mov", "hevc8.mp4", "aac.m4a", "hevc10.mov")
    #expect(try await library.holdfast("thumbnails").output == "No thumbnail is missing.\n")
    let ids = try await videos()
    let before = try await sha256(of: ids.map(picture))
    try FileManager.default.removeItem(atPath: picture(of: ids[0]))
    try Data().write(to: URL(filePath: picture(of: ids[2])))
    let lines = try await thumbnails()
    #expect(lines.dropLast().map(\.event) == ["made", "made"])
    #expect(Set(lines.compactMap(\.id)) == [ids[0], ids[2]])
    #expect(lines.last == Line(event: "summary", made: 2, failed: 0))
    #expect(try await sha256(of: ids.map(picture)) == before)
    try await library.expectSound()
  }

  @Test("With another size or quality, all are made again, but only once")
  func anotherSize() async throws {
    try await library.importing("portrait.mov", "hevc8.mp4", "silent-video.mp4")
    #expect(try await thumbnails("--missing", "--size", "100", "--jobs", "1").last?.made == 3)
    for id in try await videos() {
      let (width, height) = (try await look(at: id)[0], try await look(at: id)[1])
      let longer: Int = max(try #require(Int(width)), try #require(Int(height)))
      #expect(longer == 100)
      #expect(try await look(at: id)[2].hasPrefix("YCbCr4:2:0"))
    }
    #expect(try await thumbnails("--size", "100").last?.made == 0)
    #expect(try await thumbnails("--size", "100", "--quality", "40").last?.made == 3)
    #expect(try await thumbnails("--size", "100", "--quality", "40").last?.made == 0)
    // Thumbnails made again without options keep their size.
    #expect(try await thumbnails("--all").last?.made == 3)
    #expect(
      try await library.sql("SELECT DISTINCT longSide, quality FROM thumbnail") == [["100", "40"]])
    try await library.expectSound()
  }

  @Test("No picture is larger than its video")
  func neverUp() async throws {
    try await library.importing("portrait.mov")
    let id = try await videos()[0]
    let row = try await library.sql("SELECT width, height FROM recording")[0].compactMap(Int.init)
    let made = try await thumbnails(id, "--size", "4000")
    #expect(made.first?.width.map { max($0, made[0].height ?? 0) } == row.max())
    #expect(try await thumbnails(id, "--size", "4000", "--missing").last?.made == 0)
  }

  @Test("A requested time stays until an automatic choice is requested")
  func asked() async throws {
    try await library.importing("vfr.mp4", "portrait.mov")
    let id = try await library.column(
      "SELECT id FROM recording WHERE originalFilename = 'vfr.mp4'")[0]
    let chosen = try await sha256(of: [picture(of: id)])
    let asked = try await thumbnails(id, "--at", "2.25")[0]
    #expect(asked.reason == "asked")
    #expect(try #require(asked.time) <= 2.25)
    let picture = try await sha256(of: [picture(of: id)])
    #expect(picture != chosen)
    #expect(try await thumbnails("--all").last?.made == 2)
    #expect(try await sha256(of: [self.picture(of: id)]) == picture)
    let shown = try await library.holdfast("show", id, "--json")
    #expect(shown.output.contains("\"asked\":2.25"))
    #expect(
      try await library.holdfast("show", id).output.contains("(asked for), score"))
    #expect(try await thumbnails(id, "--at", "auto")[0].reason == "usual")
    #expect(try await sha256(of: [self.picture(of: id)]) == chosen)
    #expect(try await library.column("SELECT count(*) FROM thumbnail WHERE asked NOTNULL") == ["0"])
    let late = try await thumbnails(id, "--at", "200", status: 3)[0]
    #expect(late.event == "failed")
    #expect(late.error?.contains("200 s") == true)
    #expect(try await sha256(of: [self.picture(of: id)]) == chosen)
    try await library.expectSound()
  }

  @Test("A failure keeps the old picture, and the others are made")
  func failure() async throws {
    try await library.importing("portrait.mov", "hevc8.mp4", "aac.m4a")
    let ids = try await videos()
    let before = try await sha256(of: [picture(of: ids[0])])
    _ = try await Command.output(
      of: "bash", ["-c", ": > \(library.path)/Recordings/video_\(ids[0]).mov"])
    let lines = try await thumbnails("--all", "--size", "90", status: 3)
    #expect(Set(lines.map(\.event)) == ["failed", "made", "summary"])
    let failed = try #require(lines.first { $0.event == "failed" })
    #expect(failed.id == ids[0] && failed.error != nil && failed.code != nil)
    #expect(try await sha256(of: [picture(of: ids[0])]) == before)
    let audio = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    let line = try await thumbnails(audio, status: 3)[0]
    #expect(line.error == "the recording \(audio.prefix(8)) is not a video, so it has no picture")
  }

  @Test("A contact sheet is a new file; nothing is replaced")
  func sheet() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let id = try await videos()[0]
    let file = temporary("sheet.jpg")
    let options = ["thumbnails", id, "--sheet", file, "--columns", "3", "--rows", "2"]
    let result = try await library.holdfast(options)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasPrefix("made  \(file): "))
    let size = try await Command.output(
      of: "exiftool", ["-s3", "-ImageWidth", "-ImageHeight", "-FilePermissions", file]
    ).lines
    #expect(try #require(Int(size[0])) > 3 * 180)
    #expect(size[2] == "-rw-------")
    let again = try await library.holdfast(options)
    #expect((again.status, again.errorLines.count) == (1, 1))
    let audio = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    let drawn = try await library.holdfast("thumbnails", audio, "--sheet", temporary("sound.jpg"))
    #expect(drawn.status == 0, "\(drawn.errorOutput)")
    let over = try await library.holdfast("thumbnails", audio, "--sheet", file)
    #expect((over.status, over.errorLines.count) == (1, 1))
    try await library.expectSound()
  }

  @Test(
    "Figures and combinations that make no sense are refused",
    arguments: [
      ["--all", "--missing"], ["--at", "1"], ["--at", "x", "abcd"], ["--columns", "3"],
      ["--sheet", "x.jpg"], ["abcd", "--sheet", "x.jpg", "--rows", "11"], ["--jobs", "0"],
      ["abcd", "--all"],
    ])
  func usage(_ options: [String]) async throws {
    #expect(try await library.holdfast(["thumbnails"] + options).status == 64)
  }

  @Test("An interrupted run keeps its finished thumbnails, and the next makes the rest")
  func interrupted() async throws {
    try await library.importing("hevc10.mov")
    // The same clip many times gives enough work to interrupt.
    for _ in 1...24 { try await library.importing("hevc10.mov", options: ["--allow-duplicates"]) }
    // Once the first few pictures are made in staging.
    let result = try await Command.run(
      "bash",
      [
        "-c",
        """
        "$@" & until [ "$(find "$0/.staging" -name '*.jpg' | wc -l)" -ge 4 ]; do :; done
        kill -TERM $!; wait $!
        """, library.path, Command.holdfast,
      ] + library.command(["thumbnails", "--size", "50", "--jobs", "1", "--json"]))
    #expect(result.status == 130, "\(result.output) \(result.errorOutput)")
    let lines = try result.jsonLines(of: Line.self)
    let made = lines.filter { $0.event == "made" }.compactMap(\.id)
    #expect(!made.isEmpty && made.count < 25)
    #expect(
      try await Set(library.column("SELECT recordingId FROM thumbnail WHERE longSide = 50"))
        == Set(made))
    try await library.expectSound()
    #expect(try await thumbnails("--size", "50").last?.made == 25 - made.count)
    try await library.expectSound()
  }

  @Test("More than one batch needs hardly a flush beside each picture's own", .notInSample)
  func flushes() async throws {
    try await library.importing("silent-video.mp4")
    for _ in 1...3 {
      try await library.importing("silent-video.mp4", options: ["--allow-duplicates"])
    }
    // Slightly more rows and files than two batches.
    try await library.multiply(to: 140)
    let trace = try await Command.run(
      "strace",
      ["-f", "-c", "-U", "calls,name", "-e", "trace=fsync,fdatasync", Command.holdfast]
        + library.command(["thumbnails", "--all", "--size", "60", "--quiet"]))
    #expect(trace.status == 0, "\(trace.errorOutput)")
    let counts = trace.errorLines.compactMap { line -> Int? in
      let words = line.split(separator: " ")
      return words.last == "fsync" || words.last == "fdatasync" ? Int(words[0]) : nil
    }
    let total = counts.reduce(0, +)
    #expect(total >= 140 && total <= 2 * 140, "\(total)")
    #expect(
      try await library.column("SELECT count(*) FROM thumbnail WHERE longSide = 60") == ["140"])
    try await library.expectSound()
  }
}

extension LibraryFolder {
  /// Copies the existing recordings, rows and files, up to this many.
  fileprivate func multiply(to count: Int) async throws {
    _ = try await Command.output(
      of: "bash",
      [
        "-ec",
        """
        old=$(sqlite3 catalog.sqlite "SELECT id FROM recording LIMIT 1")
        for i in $(seq $(sqlite3 catalog.sqlite "SELECT count(*) FROM recording") \(count - 1)); do
          new=$(tr a-z A-Z </proc/sys/kernel/random/uuid)
          cp -p Recordings/video_$old.mov Recordings/video_$new.mov
          cp -p Recordings/Thumbnails/video_${old}_thumb.jpg \\
            Recordings/Thumbnails/video_${new}_thumb.jpg
          echo "CREATE TEMP TABLE copy AS SELECT * FROM recording WHERE id = '$old';
            UPDATE copy SET id = '$new', filePath = 'Recordings/video_$new.mov',
              thumbnailPath = 'Recordings/Thumbnails/video_${new}_thumb.jpg';
            INSERT INTO recording SELECT * FROM copy; DROP TABLE copy;"
        done | sqlite3 catalog.sqlite
        """,
      ], workingDirectory: path)
  }
}
