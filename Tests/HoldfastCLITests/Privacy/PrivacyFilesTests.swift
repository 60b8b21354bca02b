import Foundation
import HoldfastTestSupport
import Testing

@Suite("doctor --privacy on stored files", .temporaryFolder)
struct PrivacyFilesTests {
  let library = LibraryFolder()

  @Test("A cached copy of no recording, or of a recording's earlier bytes, is a finding")
  func cache() async throws {
    try await library.importing("aac.m4a")
    let row = try await library.sql("SELECT id, substr(fileSHA256, 1, 16) FROM recording")[0]
    try FileManager.default.createDirectory(
      atPath: library.path + "/.cache", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    func add(_ name: String) {
      let isMade = FileManager.default.createFile(
        atPath: "\(library.path)/.cache/\(name)", contents: Data("x".utf8),
        attributes: [.posixPermissions: 0o600])
      #expect(isMade)
    }
    add("\(row[0])-\(row[1]).m4a")
    let clean = try await library.holdfast("doctor", "--privacy")
    #expect(!clean.output.contains(".cache/"), "\(clean.output)")
    let strays = ["\(row[0])-0000000000000000.m4a", "\(UUID().uuidString)-\(row[1]).m4a", "x.txt"]
    strays.forEach(add)
    let result = try await library.holdfast("doctor", "--privacy")
    #expect(result.status == 4)
    for stray in strays { #expect(result.output.contains(".cache/\(stray)"), "\(result.output)") }
    #expect(!result.output.contains("\(row[0])-\(row[1])"), "\(result.output)")
  }

  /// Personal data that another program adds to a stored file.
  struct Planting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Bash, run with the file as its argument.
    var script: String
    /// The name that the finding must give.
    var names: String

    static func exif(_ arguments: String, names: String) -> Planting {
      Planting(
        testDescription: arguments, script: "exiftool -q -overwrite_original \(arguments) $1",
        names: names)
    }

    /// FFmpeg rewrites the file, with something added.
    static func ffmpeg(_ arguments: String, inputs: String = "", names: String) -> Planting {
      Planting(
        testDescription: arguments,
        script: """
          ffmpeg -v error -i $1 \(inputs) -c copy -fflags +bitexact \(arguments) "$1.new.${1##*.}"
          mv "$1.new.${1##*.}" $1
          """, names: names)
    }

    static let movie = [
      exif("-Keys:GPSCoordinates='59.91, 10.75, 3'", names: "com.apple.quicktime.location.iso6709"),
      exif("-Keys:Make=Apple", names: "com.apple.quicktime.make"),
      exif("-Keys:Author=Anna", names: "com.apple.quicktime.author"),
      exif("-Keys:com.android.version=14 -Keys:AndroidVersion=14", names: "com.android.version"),
      exif("-UserData:GPSCoordinates='59.91, 10.75, 3'", names: "location"),
      exif("-UserData:Model=Phone", names: "model"),
      exif("-UserData:Comment=mine", names: "comment"),
      exif("-XMP:Creator=Anna -XMP:GPSLatitude=59.9", names: "udta/XMP_"),
      exif("-ItemList:Title=mine -ItemList:Artist=Anna", names: "artist, title"),
      exif("-Microsoft:Category=mine", names: "udta/Xtra"),
      ffmpeg("-metadata:s:v handler_name='Phone of Anna'", names: "handler_name"),
      ffmpeg("-metadata:s:v timecode=01:02:03:04", names: "tmcd"),
      ffmpeg("-map 0 -map 0:a", names: "stream 2 (audio, aac)"),
      ffmpeg("-map 0 -map 1 -c:s mov_text", inputs: "-i $SUBTITLES", names: "(subtitle, mov_text)"),
      Planting(
        testDescription: "a uuid box at the end",
        script: #"printf '\0\0\0\054uuid0123456789abcdef the place and more..' >>$1"#,
        names: "root/uuid"),
      Planting(
        testDescription: "words in a free box",
        script: #"printf '\0\0\0\020freethewords' >>$1"#, names: "root/free"),
      Planting(
        testDescription: "words behind the last box", script: "printf 'written behind' >>$1",
        names: "root/ten "),
      Planting(
        testDescription: "a second moov",
        script: #"printf '\0\0\0\030moov\0\0\0\020udta\0\0\0\010name' >>$1"#,
        names: "root/moov (again)"),
      Planting(
        testDescription: "another kind of file in its place",
        script: "ffmpeg -v error -i $1 -c copy -f matroska -y $1.new; mv $1.new $1",
        names: "matroska instead of MP4"),
    ]

    static let sound = [
      exif("-ItemList:Comment=mine", names: "comment"),
      exif("-Keys:GPSCoordinates='59.91, 10.75, 3'", names: "com.apple.quicktime.location.iso6709"),
      exif("-XMP:Creator=Anna", names: "root/uuid, xmp"),
      ffmpeg("-metadata title=mine", names: "title"),
      ffmpeg(
        "-map 0 -map 1 -disposition:v attached_pic", inputs: "-i $COVER", names: "ilst/covr"),
    ]

    static let picture = [
      exif("-GPSLatitude=59.9 -GPSLatitudeRef=N -Make=Apple", names: "APP1"),
      exif("-XMP:Creator=Anna", names: "APP1"),
      exif("-IPTC:By-line=Anna", names: "APP13"),
      exif("-Comment=mine", names: "COM"),
      exif("-Ducky:Comment=mine", names: "APP12"),
      Planting(
        testDescription: "words behind the picture", script: "printf mine >>$1",
        names: "stray bytes"),
      Planting(
        testDescription: "words before the picture's parts",
        script: #"{ head -c 2 $1; printf mine; tail -c +3 $1; } >$1.new; mv $1.new $1"#,
        names: "stray bytes"),
    ]
  }

  /// Plants something into the file of a row of type `type`, and expects it to be found there.
  private func expectFound(_ planting: Planting, column: String, in fixture: String) async throws {
    try await library.importing(fixture)
    try await library.expectPrivate()
    let row = try #require(
      try await library.sql("SELECT \(column), substr(id, 1, 8), id FROM recording").first)
    let subtitles = temporary("words.srt")
    try Data("1\n00:00:00,000 --> 00:00:01,000\nmine\n".utf8).write(
      to: URL(fileURLWithPath: subtitles))
    _ = try await Command.output(
      of: "bash", ["-ec", "\(planting.script); chmod 600 $1", "bash", "\(library.path)/\(row[0])"],
      environment: ["SUBTITLES": subtitles, "COVER": Fixtures.path("photo.jpg")])
    let (status, findings) = try await library.privacy()
    #expect(status == 4)
    #expect(findings.map(\.kind) == ["personalData"])
    let finding = try #require(findings.first)
    #expect(finding.path == row[0] && finding.recording == row[2])
    #expect(finding.detail.contains(planting.names), "\(finding.detail)")
    let text = try await library.doctor([])
    #expect(text.status == 4)
    #expect(
      text.output.hasPrefix("personalData: \(row[0]) (recording \(row[1])): holds more than "))
    #expect(text.errorOutput == "1 recording checked: 1 personalData.\n")
  }

  @Test(
    "Data added to a video is found and named",
    arguments: Extent.sample(Planting.movie, every: 5))
  func movie(_ planting: Planting) async throws {
    try await expectFound(planting, column: "filePath", in: "portrait.mov")
  }

  @Test(
    "Data added to a sound is found and named",
    arguments: Extent.sample(Planting.sound, every: 5))
  func sound(_ planting: Planting) async throws {
    try await expectFound(planting, column: "filePath", in: "aac.m4a")
  }

  @Test(
    "Data added to a thumbnail is found and named",
    arguments: Extent.sample(Planting.picture, every: 5))
  func picture(_ planting: Planting) async throws {
    try await expectFound(planting, column: "thumbnailPath", in: "portrait.mov")
  }

  @Test("An imported fixture has no findings", .notInSample, .timeLimit(.minutes(40)))
  func fixtures() async throws {
    let paths = Fixtures.manifest.filter { $0.expect == .accept }.map { Fixtures.path($0.path) }
    for (name, options) in [("copied", []), ("encoded", ["--video", "h264"])] {
      let library = LibraryFolder(name)
      let result = try await library.holdfast(["import"] + options + paths)
      #expect(result.status == 0, "\(result.errorOutput)")
      let before = try await Find.snapshot(library.path)
      try await library.expectPrivate()
      #expect(try await Find.snapshot(library.path) == before)
      let files = try await library.find("-path", "*/Recordings/*", "-type", "f")
      #expect(files.count > paths.count)
    }
  }

  @Test("Metadata that --keep-metadata kept is only noted; what was added later is a finding")
  func kept() async throws {
    try await library.importing("portrait.mov", "voice.wav", options: ["--keep-metadata"])
    let path = try #require(
      try await library.column("SELECT filePath FROM recording WHERE type = 'video'").first)
    let (status, findings) = try await library.privacy()
    #expect(status == 0)
    #expect(findings.map(\.kind) == ["keptMetadata"] && findings.first?.path == path)
    #expect(findings.first?.detail.contains("com.apple.quicktime.location.ISO6709") == true)
    #expect(findings.first?.detail.contains("59.9") == false)
    let text = try await library.doctor([])
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("keptMetadata: \(path) (recording "))
    #expect(text.errorOutput == "2 recordings checked: nothing found.\n")

    _ = try await Command.output(
      of: "exiftool",
      ["-q", "-overwrite_original", "-UserData:Comment=mine", "\(library.path)/\(path)"])
    let later = try await library.privacy()
    #expect(later.status == 4)
    #expect(Set(later.findings.map(\.kind)) == ["keptMetadata", "personalData"])
    let added = try #require(later.findings.first { $0.kind == "personalData" })
    #expect(added.detail.contains(": comment, ") || added.detail.contains(", comment; "))
    #expect(!added.detail.contains("location"))
  }

  @Test("An unreadable file is a finding; a missing one is left to verify")
  func unreadable() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let row = try #require(
      try await library.sql("SELECT filePath, thumbnailPath FROM recording WHERE type = 'video'")
        .first)
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: "\(library.path)/\(row[1])"))
    try FileManager.default.removeItem(atPath: "\(library.path)/\(row[0])")
    _ = try await Command.output(of: "chmod", ["600", "\(library.path)/\(row[1])"])
    let (status, findings) = try await library.privacy()
    #expect(status == 4)
    #expect(findings.map(\.kind) == ["unreadable"] && findings.first?.path == row[1])
  }
}

extension LibraryFolder {
  /// Runs `doctor --privacy`, with an empty home folder unless `home` names one.
  func doctor(
    _ options: [String], environment: [String: String] = [:]
  ) async throws -> CommandResult {
    let own = [
      "HOME": temporary("home"), "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
    ]
    return try await Command.run(
      Command.holdfast, command(["doctor", "--privacy"] + options),
      environment: own.merging(environment) { $1 })
  }

  /// The findings of `doctor --privacy --json`.
  func privacy(
    environment: [String: String] = [:]
  ) async throws -> (status: Int, findings: [Finding]) {
    let result = try await doctor(["--json"], environment: environment)
    #expect(result.errorOutput.isEmpty)
    return (Int(result.status), try result.jsonLines(of: Finding.self))
  }

  /// The text in the catalog's file that is in no row.
  var foreignText: [String] {
    get throws { try ForeignText.find(inCatalog: "\(path)/catalog.sqlite") }
  }

  /// Expects that `doctor --privacy` finds nothing, and notes nothing, and that the catalog's file
  /// has no text but that of its rows.
  func expectPrivate(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let (status, findings) = try await privacy()
    #expect(status == 0 && findings.isEmpty, "\(findings)", sourceLocation: sourceLocation)
    #expect(try foreignText == [], sourceLocation: sourceLocation)
  }
}
