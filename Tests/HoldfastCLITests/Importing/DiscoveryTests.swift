import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("Finding sources", .temporaryFolder)
struct DiscoveryTests {
  let library = LibraryFolder()

  @Test("In a folder, files that are plainly not recordings are skipped silently")
  func passedOver() async throws {
    let folder = try makeFolder("in", holding: ["aac.m4a", "notes.txt", "photo.jpg", "photo.heic"])
    for name in ["in/.Trashes", "in/.hidden", "in/deep/er"] { try makeFolder(name) }
    for name in [
      ".hidden.mov", "._portrait.mov", ".Trashes/x.mov", ".hidden/x.mov", "Thumbs.db",
      "desktop.ini",
    ] {
      try copyFixture("portrait.mov", to: "in/\(name)")
    }
    try copyFixture("voice.ogg", to: "in/deep/er/voice.ogg")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: "\(folder)/link.mov", withDestinationPath: Fixtures.path("portrait.mov"))
    try files.createSymbolicLink(atPath: "\(folder)/loop", withDestinationPath: folder)
    try files.createSymbolicLink(atPath: "\(folder)/gone.mov", withDestinationPath: "gone")
    try #require(mkfifo("\(folder)/fifo.mov", 0o600) == 0)
    let result = try await library.holdfast("import", "--json", folder)
    let lines = try ImportLine.lines(of: result)
    #expect(result.status == 0)
    #expect(
      Set(lines.compactMap(\.source)) == ["\(folder)/aac.m4a", "\(folder)/deep/er/voice.ogg"])
    #expect(lines.last?.imported == 2 && lines.last?.failed == 0)
  }

  @Test(
    "A file that is plainly not a recording is refused when it is named",
    arguments: [
      ("photo.jpg", "is a .jpg file, not a recording; give a video or a sound file"),
      ("photo.heic", "is a .heic file, not a recording; give a video or a sound file"),
      ("notes.txt", "is a .txt file, not a recording; give a video or a sound file"),
    ])
  func named(fixture: String, reason: String) async throws {
    let result = try await library.holdfast("import", "--quiet", Fixtures.path(fixture))
    #expect(result.status == 3)
    #expect(result.errorOutput == "refused   \(Fixtures.path(fixture)): \(reason)\n")
  }

  @Test("A symbolic link that is named is followed")
  func namedLink() async throws {
    let link = temporary("link.mov")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: Fixtures.path("portrait.mov"))
    #expect(try await library.holdfast("import", link).status == 0)
    try await library.expectSound()
  }

  @Test("A folder without recordings is not an error, and a missing file is one")
  func nothingFound() async throws {
    let empty = try makeFolder("empty", holding: ["notes.txt"])
    let result = try await library.holdfast("import", empty)
    #expect((result.status, result.output) == (0, "No recordings found.\n"))
    let missing = try await library.holdfast("import", "--quiet", temporary("gone.mov"))
    #expect(missing.status == 3)
    #expect(
      missing.errorOutput
        == "refused   \(temporary("gone.mov")): could not open: No such file or directory\n")
  }

  @Test("A FIFO, a device and a socket are refused at once", .timeLimit(.minutes(40)))
  func specialFiles() async throws {
    let fifo = temporary("fifo.mov")
    try #require(mkfifo(fifo, 0o600) == 0)
    for path in [fifo, "/dev/null", "/dev/zero"] {
      let result = try await library.holdfast("import", "--quiet", path)
      #expect(result.status == 3)
      #expect(result.errorLines.count == 1)
      #expect(result.errorOutput.hasPrefix("refused   \(path): "))
      #expect(try await library.holdfast("probe", path).status == 3)
    }
  }

  static let strangeNames = [
    "-rf.mov", "--json", "it's \"quoted\" `id` $(id).mov", "new\nline.mov", "tab\t.mov",
    "\u{1B}[2J\u{1B}]0;x\u{7}.mov", "rtl\u{202E}vom.4pm", " leading and trailing ", "[0-9]*?.mov",
    "percent%s%n.mov", "Привет 🙂.mov", "e\u{301}.mov", String(repeating: "x", count: 251) + ".mov",
    String(repeating: "я", count: 125) + ".mov",
  ]

  @Test(
    "Sources with strange names are imported, and their names are shown escaped",
    arguments: Extent.sample(strangeNames, every: 3))
  func strange(name: String) async throws {
    let folder = try makeFolder("in")
    try copyFixture("silent-video.mp4", to: "in/\(name)")
    let walked = try await library.holdfast("import", folder)
    #expect(walked.status == 0)
    #expect(walked.lines.count == 2)
    let shown = (walked.output + walked.errorOutput).unicodeScalars
    #expect(!shown.contains { $0.value != 10 && ($0.value < 32 || $0.value == 0x202E) })
    let probed = try await library.holdfast("probe", "\(folder)/\(name)")
    #expect(probed.status == 0)
    #expect(!probed.output.contains("\u{1B}") && !probed.output.contains("\u{202E}"))
    #expect(try await library.column("SELECT originalFilename FROM recording") == [name])
    let id = try #require(try await library.column("SELECT id FROM recording").first)
    let show = try await library.holdfast("show", id)
    #expect(show.lines.contains { $0.hasPrefix("source      ") })
    #expect(!show.output.contains("\u{1B}") && !show.output.contains("\u{202E}"))
  }

  @Test("A source whose name is not UTF-8 is imported like any other")
  func notText() async throws {
    let folder = try makeFolder("in")
    _ = try await Command.output(
      of: "bash",
      ["-c", "cp \"$0\" \"$1\"/$'caf\\xE9.mov'", Fixtures.path("portrait.mov"), folder])
    let result = try await library.holdfast("import", folder)
    #expect(result.status == 0)
    let names = try await library.column("SELECT originalFilename FROM recording")
    #expect(names == ["caf\u{FFFD}.mov"])
    try await library.expectSound()
  }

  @Test("An unreadable source is refused with the system's reason, and the rest is imported")
  func unreadable() async throws {
    let folder = try makeFolder("in", holding: ["aac.m4a", "portrait.mov"])
    try makeFolder("in/closed")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder)/portrait.mov")
    try files.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder)/closed")
    // Root may read everything, unless it gives up its capabilities.
    let holdfast = try Command.holdfast
    let arguments = [holdfast] + library.command(["import", "--quiet", "--jobs", "1", folder])
    let result =
      geteuid() == 0
      ? try await Command.run("setpriv", ["--bounding-set=-all", "--inh-caps=-all"] + arguments)
      : try await Command.run("env", arguments)
    #expect(result.status == 3)
    #expect(
      result.errorLines
        == ["closed", "portrait.mov"].map {
          "refused   \(folder)/\($0): could not open: Permission denied; "
            + "check who owns it and what its permissions are"
        })
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
  }
}
