import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("Hostile names", .temporaryFolder)
struct HostileNameTests {
  let library = LibraryFolder()

  /// Names that are not only text, as the bytes that the system stores.
  private static let names: [[UInt8]] = text.map { Array($0.utf8) } + notText

  private static let text: [String] = [
    "new\nline", "\u{1B}[2J\u{1B}]0;title\u{7}\u{1B}[31m", "\u{9B}2J\u{85}", "tab\t\rreturn",
    "\u{202E}gpj", "\u{2066}isolate\u{2069}", "\u{2028}line", "\u{FEFF}mark", "-rf", "--json",
    "-", "--", "%s%n%x", "\u{7F}\u{1}\u{2}", "quote\"'\\`id`$(id)", "\\u{1B}[2J",
    String(repeating: "x", count: 251), String(repeating: "я", count: 125),
  ]

  /// Not UTF-8: Latin-1, no beginning, no end, a surrogate, beyond Unicode, a long form of "/".
  private static let notText: [[UInt8]] = [
    [0x63, 0x61, 0x66, 0xE9], [0xFF, 0xFE, 0x1B, 0x5B, 0x33, 0x31, 0x6D], [0xE2, 0x80],
    [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF],
  ]

  /// Makes a folder that holds one file under each of the names.
  @discardableResult
  private func makeFolder(
    _ folder: String, of content: Data, ending: String
  ) throws -> String {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in Self.names {
      let path = Array("\(folder)/".utf8) + name + Array(ending.utf8) + [0]
      let descriptor = open(path.map(CChar.init(bitPattern:)), O_WRONLY | O_CREAT | O_EXCL, 0o600)
      try #require(descriptor >= 0)
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: content)
    }
    return folder
  }

  private func sources() throws -> String {
    let clip = try Data(contentsOf: URL(filePath: Fixtures.path("silent-video.mp4")))
    return try makeFolder(temporary("in"), of: clip, ending: ".mov")
  }

  private static let stored = Set(names.map { String(decoding: $0, as: UTF8.self) + ".mov" })

  @Test("Files of any name are imported, and every command shows their names escaped")
  func taken() async throws {
    let folder = try sources()
    let imported = try await library.holdfast(
      "import", "--json", "--allow-duplicates", "--jobs", "1", folder)
    #expect(imported.status == 0)
    imported.expectHarmless("import --json")
    #expect(try ImportLine.lines(of: imported).last?.imported == Self.names.count)
    #expect(
      try await Set(library.column("SELECT originalFilename FROM recording")) == Self.stored)
    let other = LibraryFolder("other")
    let inWords = try await other.holdfast("import", "--allow-duplicates", "--jobs", "1", folder)
    #expect(inWords.lines.count == Self.names.count + 1)
    inWords.expectHarmless("import")
    try await library.holdfast("import", "--dry-run", folder).expectHarmless("import --dry-run")
    // A title is free text, and may be as hostile.
    let id = try await library.column("SELECT id FROM recording")[0]
    let edited = try await library.holdfast(
      "edit", id, "--title", "\u{1B}[2J\u{202E}\u{9B}x", "--notes", "a\nb\u{2028}\u{FEFF}")
    #expect(edited.status == 0)
    for arguments in [
      ["list"], ["list", "--json", "--limit", "100"], ["list", "--search", "\u{1B}["],
      ["stats"], ["stats", "--json"], ["export", "--format", "json"], ["verify"], ["show", id],
      ["import", folder], ["import", "--json", folder], ["play", id, "--count-only"],
    ] {
      let result = try await library.holdfast(arguments)
      #expect(result.status == 0, "\(arguments)")
      result.expectHarmless("\(arguments)")
    }
    for row in try await library.sql("SELECT id FROM recording") {
      for options in [[], ["--json"]] {
        try await library.holdfast(["show", row[0]] + options).expectHarmless("show")
      }
    }
    try await library.expectSound()
  }

  @Test("A JSON parser reads an escaped name as the original name")
  func json() async throws {
    _ = try await library.holdfast("import", "--allow-duplicates", try sources())
    struct Listed: Decodable { var originalFilename: String }
    let listed: [Listed] = try await library.holdfast("list", "--json", "--limit", "100").json()
    #expect(Set(listed.map(\.originalFilename)) == Self.stored)
    struct Document: Decodable { var recordings: [Listed] }
    let document: Document = try await library.holdfast("export", "--format", "json").json()
    #expect(Set(document.recordings.map(\.originalFilename)) == Self.stored)
    let other = LibraryFolder("other")
    let file = temporary("export.json")
    #expect(
      try await library.holdfast("export", "--format", "json", "--output", file).status == 0)
    try await other.holdfast("import-data", file).expectHarmless("import-data")
  }

  @Test("Each refusal is one line with the escaped name")
  func refused() async throws {
    let folder = try makeFolder(temporary("bad"), of: Data("text".utf8), ending: ".mov")
    let imported = try await library.holdfast("import", "--quiet", folder)
    #expect(imported.status == 3)
    #expect(imported.errorLines.count == Self.names.count)
    #expect(imported.errorLines.allSatisfy { $0.hasSuffix(": is text, not a recording") })
    imported.expectHarmless("import")
    let json = try await library.holdfast("import", "--json", folder)
    #expect(json.status == 3)
    json.expectHarmless("import --json")
    for name in ["/no/\u{1B}[2J\n\u{202E}", "--", "-\n"] {
      for command in [
        ["probe"], ["probe", "--json"], ["import", "--quiet"], ["show"], ["delete"],
      ] {
        let result = try await library.holdfast(command + ["--", name])
        #expect([1, 3].contains(result.status), "\(command) \(name)")
        result.expectHarmless("\(command)")
      }
    }
    for arguments in [
      ["\u{1B}[2J"], ["list", "--\u{1B}[2J"], ["list", "--type", "\u{1B}[2J\u{202E}"],
      ["craving", "log", "--intensity", "\u{1B}[2J"], ["craving", "log", "--at", "\u{9B}\n"],
    ] {
      let result = try await library.holdfast(arguments)
      #expect(result.status == 64, "\(arguments)")
      result.expectHarmless("\(arguments)")
    }
  }

  @Test("Unknown files with hostile names are findings with escaped names, one line each")
  func strangers() async throws {
    try await library.importing("portrait.mov")
    for folder in ["Recordings", "Recordings/Thumbnails", ".staging", ".trash"] {
      try makeFolder("\(library.path)/\(folder)", of: Data("x".utf8), ending: "")
    }
    // Holdfast chooses the names of staging folders and in the trash, and leaves others alone.
    for options in [[], ["--json"]] {
      let result = try await library.holdfast(["verify"] + options)
      #expect(result.status == 4)
      result.expectHarmless("verify")
      // A line for every name: "-", "--" and the rest are all legal.
      #expect(result.lines.count == 4 * Self.names.count)
    }
    let writing = try await library.holdfast("message", "next")
    #expect(writing.status == 0)
    writing.expectHarmless("message next")
  }

  @Test("A library with a hostile name works like any other")
  func libraryName() async throws {
    let library = LibraryFolder("lib\u{1B}[2J\n\u{202E}\u{9B}")
    try await library.importing("portrait.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    for arguments in [
      ["list"], ["verify"], ["show", id], ["show", id, "--json"], ["message", "next"],
      ["import", library.path], ["export", "--format", "json", "--output", "\(library.path)/x"],
    ] { try await library.holdfast(arguments).expectHarmless("\(arguments)") }
    try await library.changeCatalog("PRAGMA application_id = 7")
    let refused = try await library.holdfast("list")
    #expect(refused.status == 1)
    refused.expectHarmless("list")
    let none = LibraryFolder(at: "none\u{1B}[2J\n/\u{202E}")
    for arguments in [["import", Fixtures.path("aac.m4a")], ["delete", "abcd"], ["list"]] {
      try await none.holdfast(arguments).expectHarmless("\(arguments)")
    }
  }
}
