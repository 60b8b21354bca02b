import Foundation
import HoldfastTestSupport
import Testing

@Suite("Listing, showing and probing", .temporaryFolder)
struct ReadingTests {
  let library = LibraryFolder()

  private func jsonObject(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  /// A JSON object with another's values, except for those that depend on FFmpeg's version.
  private func expected(_ id: String, created: String) async throws -> NSDictionary {
    let row = try #require(
      try await library.sql("SELECT fileSHA256, fileSize, thumbnailSHA256 FROM recording").first)
    let source = try await sha256(of: Fixtures.path("portrait.mov"))
    return [
      "id": id, "timestamp": "2025-10-25T13:42:00.000Z", "timestampOffset": 120,
      "timestampSource": "quickTime", "type": "video", "purpose": "milestone", "duration": 2,
      "filePath": "Recordings/video_\(id).mov",
      "thumbnailPath": "Recordings/Thumbnails/video_\(id)_thumb.jpg", "title": "Day one",
      "displayTitle": "Day one", "playCount": 0, "createdAt": created,
      "originalFilename": "portrait.mov", "sourceSHA256": source, "part": 1, "partCount": 1,
      "fileSize": try #require(Int(row[1])), "fileSHA256": row[0], "thumbnailSHA256": row[2],
      "width": 320, "height": 180, "videoCodec": "avc1.64000D", "audioCodec": "mp4a.40.2",
    ]
  }

  @Test("list --json, show --json and the import's event describe a recording identically")
  func json() async throws {
    let event = try jsonObject(
      try #require(
        try await library.holdfast(
          "import", "--json", "--title", "Day one", "--purpose", "milestone",
          Fixtures.path("portrait.mov")
        ).lines.first))
    let recordings = try #require(event["recordings"] as? [NSDictionary])
    let imported = try #require(recordings.first)
    #expect(Set(event.allKeys as? [String] ?? []) == ["event", "source", "recordings", "warnings"])
    let list = try await library.holdfast("list", "--json").output
    let listed = try #require(
      try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [NSDictionary])
    #expect(listed == recordings)
    let id = try #require(imported["id"] as? String)
    let shown = try jsonObject(try await library.holdfast("show", id, "--json").output)
    let alone = try #require(shown.mutableCopy() as? NSMutableDictionary)
    #expect((alone["cravings"] as? [Any])?.isEmpty == true)
    alone.removeObject(forKey: "cravings")
    let thumbnail = try #require(alone["thumbnail"] as? NSDictionary)
    #expect(thumbnail["longSide"] as? Int == 480 && thumbnail["quality"] as? Int == 80)
    alone.removeObject(forKey: "thumbnail")
    let sound = try #require(alone["sound"] as? NSDictionary)
    #expect(sound["loudness"] is Double && sound["truePeak"] is Double)
    alone.removeObject(forKey: "sound")
    #expect(alone == imported)
    let plain = try #require(imported.mutableCopy() as? NSMutableDictionary)
    #expect(plain["conversion"] is NSDictionary)
    plain.removeObject(forKey: "conversion")
    let created = try #require(imported["createdAt"] as? String)
    #expect(try await plain == expected(id, created: created))
  }

  @Test("list shows a table on stdout, and on stderr how many it shows and whether there are more")
  func list() async throws {
    try await library.importing(
      "portrait.mov", options: ["--title", "A\u{1B}[31m b", "--purpose", "milestone"])
    try await library.importing("len-119.9.m4a")
    let ids = try await library.column("SELECT substr(id, 1, 8) FROM recording ORDER BY type")
    // The audio has no time zone of its own, so its time is shown in that of the computer.
    let all = try await Command.run(
      Command.holdfast, library.command(["list", "--sort", "longest", "--no-color"]),
      environment: ["TZ": "UTC"])
    #expect(
      all.lines.map { $0.prefix(62).trimmingCharacters(in: .whitespaces) } == [
        "ID        RECORDED          TYPE   LENGTH  PLAYS  PURPOSE",
        "\(ids[0])  2025-10-25 13:42  audio    2:00      0  motivational",
        "\(ids[1])  2025-10-25 15:42  video    0:02      0  milestone",
      ])
    #expect(all.lines.last?.hasSuffix("  A\\u{1B}[31m b") == true)
    #expect(all.errorOutput == "2 recordings.\n")
    for (options, count) in [
      (["--type", "audio"], "1 recording.\n"), (["--purpose", "reflection"], "0 recordings.\n"),
      (["--search", "PORTRAIT"], "1 recording.\n"),
      (
        ["--search", "%"],
        "0 recordings.\n2 recordings have no transcript: holdfast transcribe writes down what is "
          + "said.\n"
      ),
      (["--limit", "1"], "1 recording; --offset 1 shows more.\n"),
      (["--limit", "1", "--offset", "1"], "1 recording.\n"), (["--limit", "2"], "2 recordings.\n"),
      (["--limit", "\(Int.max)"], "2 recordings.\n"), (["--offset", "2"], "0 recordings.\n"),
      (["--limit", "0"], "0 recordings; --limit 1 shows more.\n"),
    ] {
      #expect(try await library.holdfast(["list"] + options).errorOutput == count)
    }
    #expect(try await library.holdfast("list", "--quiet").errorOutput.isEmpty)
    let first = try await library.holdfast("list", "--json", "--limit", "1").output
    #expect(try (JSONSerialization.jsonObject(with: Data(first.utf8)) as? [Any])?.count == 1)
  }

  @Test("On a terminal the purpose gives way to a long title, which is cut to the width")
  func terminal() async throws {
    let title = "Why I stopped, and what the thirtieth day was like: 为什么我戒烟了"
    try await library.importing("aac.m4a", options: ["--title", title])
    let list = library.command(["list"]).map { "'\($0)'" }.joined(separator: " ")
    let result = try await Command.output(
      of: "script",
      ["-qec", "stty columns 76; \(try Command.holdfast) \(list)", "/dev/null"])
    // A terminal's lines also end with a carriage return.
    let shown = result.output.split(whereSeparator: \.isNewline)
    try #require(shown.count == 3)
    #expect(shown[0].hasSuffix("PLAYS  TITLE"))
    #expect(shown[1].hasSuffix("  0  Why I stopped, and what t…"))
    #expect(shown[1].count == 76)
    #expect(shown[2] == "1 recording.")
    #expect(try await library.holdfast("list").output.contains("  motivational  \(title)\n"))
  }

  @Test("show shows everything known about a recording")
  func show() async throws {
    try await library.importing("portrait.mov")
    let row = try #require(
      try await library.sql("SELECT id, fileSize, fileSHA256 FROM recording").first)
    let result = try await library.holdfast("show", row[0])
    #expect(result.status == 0)
    let packets = try await FFprobe.packets(Fixtures.path("portrait.mov")).count
    // Measured values come last.
    #expect(
      result.lines.last?.wholeMatch(of: /loudness    -[0-9.]+ LUFS, true peak -[0-9.]+ dBTP/) != nil
    )
    let lines = result.lines.dropLast()
    let by = lines.dropLast().last
    #expect(by?.wholeMatch(of: /by          libavcodec [0-9.]+, libavformat [0-9.]+/) != nil)
    #expect(
      lines.last
        == "checked     2 s, 60 pictures, \(packets) packets equal the source's")
    #expect(
      lines.dropLast(2) == [
        "title       portrait", "id          \(row[0])",
        "type        video", "purpose     motivational", "length      2 s",
        "recorded    2025-10-25 15:42 (from the phone)",
        "file        \(library.path)/Recordings/video_\(row[0]).mov",
        "thumbnail   \(library.path)/Recordings/Thumbnails/video_\(row[0])_thumb.jpg",
        "            at 1 s (the keyframe at or before 1 s), score 1.0",
        "picture     320 × 180", "codecs      avc1.64000D, mp4a.40.2",
        "size        \(row[1]) bytes", "sha256      \(row[2])",
        "source      portrait.mov", "played      0 times", "verified    not since its import",
        "done        picture copied, sound copied",
      ])
  }

  @Test("A recording is named by any unambiguous beginning of its id, of either case")
  func prefixes() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    let ids = try await library.column("SELECT id FROM recording ORDER BY id")
    // Two ids with the same beginning hardly occur by chance.
    let twin = ids[0].prefix(4) + ids[1].dropFirst(4)
    try await library.changeCatalog("UPDATE recording SET id = '\(twin)' WHERE id = '\(ids[1])'")
    let first = try await library.holdfast("show", "--json", ids[0].lowercased())
    #expect(try jsonObject(first.output)["id"] as? String == ids[0])
    for (name, sentence) in [
      (
        String(ids[0].prefix(4)),
        "more than one recording's id begins with \"\(ids[0].prefix(4))\"; give more of it"
      ),
      (
        String(ids[0].prefix(3)),
        "\"\(ids[0].prefix(3))\" has less than 4 characters of an id; give more of it"
      ),
      ("%%%%", "no recording's id begins with \"%%%%\"; holdfast list shows them"),
    ] {
      let result = try await library.holdfast("show", name)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorOutput == "Error: \(sentence)\n")
    }
  }

  @Test("probe says what a file holds, in text and as JSON, and what an import would do")
  func probe() async throws {
    let (clip, text) = (Fixtures.path("portrait.mov"), Fixtures.path("text.mp4"))
    let result = try await library.holdfast("probe", clip, text)
    #expect(result.status == 3)
    #expect(result.errorOutput == "\(text): is text, not a recording\n")
    #expect(
      result.lines == [
        clip, "  video, 2 s, mov", "  recorded 2025-10-25 15:42 (from the phone)",
        "  made by Apple iPhone 15 Pro",
        "  holds the place where it was made (left out without --keep-metadata)",
        "  stream 0: video, h264, High, 320 × 180, turned 90°, 30.0 fps",
        "  stream 1: audio, aac, LC, 44100 Hz, 2 ch",
        "  an import would accept it: picture copied, sound copied",
      ])
    let lines = try await library.holdfast("probe", "--json", clip, text).lines
    try #require(lines.count == 2)
    #expect(try jsonObject(lines[0])["info"] is NSDictionary)
    #expect(
      try jsonObject(lines[1]) == [
        "file": text, "code": "notAccepted", "error": "is text, not a recording",
      ] as NSDictionary)
  }

  @Test("A file whose last change is implausible is not said to have changed now")
  func noClock() async throws {
    let path = temporary("memo.wav")
    let files = FileManager.default
    try files.copyItem(atPath: Fixtures.path("voice.wav"), toPath: path)
    // A card without a clock: 1904-01-01.
    let change = Date(timeIntervalSince1970: -2_082_844_800)
    try files.setAttributes([.modificationDate: change], ofItemAtPath: path)
    let line = try #require(
      try await library.holdfast("probe", path).lines.first { $0.hasPrefix("  recorded ") })
    #expect(line.hasSuffix(" (from the file's last change, else from the import)"))
  }
}
