import Foundation
import HoldfastTestSupport
import Testing

@Suite("doctor --privacy", .temporaryFolder)
struct PrivacyTests {
  let library = LibraryFolder()

  @Test("An untouched library has no findings, in any format")
  func well() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let before = try await Find.snapshot(library.path)
    let text = try await library.doctor([])
    #expect((text.status, text.output) == (0, ""))
    #expect(text.errorOutput == "2 recordings checked: nothing found.\n")
    let json = try await library.doctor(["--json"])
    #expect((json.status, json.output, json.errorOutput) == (0, "", ""))
    #expect(try await Find.snapshot(library.path) == before)
  }

  @Test(
    "A file that others may read, or its owner may not, is found by its mode",
    arguments: Extent.sample(
      [
        (".", "755"), ("Recordings", "711"), ("Recordings/Thumbnails", "750"), (".staging", "770"),
        (".trash", "705"), (".quarantine", "755"), ("catalog.sqlite", "644"),
        ("holdfast.json", "640"), (".lock", "604"), ("Recordings/*.mov", "660"),
        ("Recordings/Thumbnails/*.jpg", "606"), ("Recordings/*.m4a", "400"),
      ], every: 6))
  func modes(_ name: String, _ mode: String) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await Command.output(
      of: "bash", ["-c", "mkdir -p -m 700 .quarantine; chmod \(mode) \(name)"],
      workingDirectory: library.path)
    // The expected findings are those of find, which gives the folder itself no name.
    let wrong = try await Find.snapshot(library.path).filter { entry in
      !["d 700 ", "f 600 "].contains { entry.hasPrefix($0) }
    }
    #expect(wrong.count == 1)
    let result = try await library.privacy()
    #expect(result.status == 4)
    #expect(result.findings.map(\.kind) == ["wrongMode"])
    let path = try #require(result.findings.first?.path)
    #expect(path == "." ? name == "." : wrong.first?.hasSuffix(" \(path)") == true)
    let detail = try #require(result.findings.first?.detail)
    #expect(detail.hasPrefix("has mode \(mode) instead of \(wrong[0].first == "d" ? 700 : 600)"))
  }

  /// A file that Holdfast would not have made, or not there.
  struct Stray: Sendable, CustomTestStringConvertible {
    /// Bash, run in the library's folder.
    var script: String
    var kind: String
    var path: String

    var testDescription: String { script }

    static let all = [
      Stray(script: "echo x >holdfast.log", kind: "unknownFile", path: "holdfast.log"),
      Stray(script: "mkdir -m 700 logs", kind: "unknownFile", path: "logs"),
      Stray(script: "echo x >.trace", kind: "unknownFile", path: ".trace"),
      Stray(
        script: "cp catalog.sqlite catalog.sqlite~", kind: "unknownFile", path: "catalog.sqlite~"),
      Stray(script: "rmdir .staging; echo x >.staging", kind: "unknownFile", path: ".staging"),
      Stray(
        script: "echo x >Recordings/notes.txt", kind: "unknownFile", path: "Recordings/notes.txt"),
      Stray(
        script: "ln -s /etc/passwd Recordings/x.mov", kind: "link", path: "Recordings/x.mov"),
      Stray(script: "mkdir ../far; ln -s ../far log", kind: "link", path: "log"),
      Stray(script: "ln -s / .quarantine", kind: "link", path: ".quarantine"),
      Stray(
        script: "mkdir -p .quarantine/a/b; chmod -R 700 .quarantine; ln -s /etc .quarantine/a/b/c",
        kind: "link", path: ".quarantine/a/b/c"),
      Stray(
        script: "printf '\\0 words' >catalog.sqlite-journal", kind: "deletedText",
        path: "catalog.sqlite-journal"),
      Stray(
        script: "echo 'the words of a note' >>catalog.sqlite", kind: "deletedText",
        path: "catalog.sqlite"),
    ]
  }

  @Test(
    "Anything that Holdfast did not make is found, with its path",
    arguments: Extent.sample(Stray.all, every: 5))
  func strays(_ stray: Stray) async throws {
    try await library.importing("portrait.mov")
    _ = try await Command.output(
      of: "bash", ["-ec", "umask 077; \(stray.script)"], workingDirectory: library.path)
    let (status, findings) = try await library.privacy()
    #expect(status == 4)
    #expect(findings.map(\.kind) == [stray.kind] && findings.map(\.path) == [stray.path])
  }

  @Test("A link in a file's place is not followed, and a path that leads out is named")
  func outOfTree() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let path = try #require(
      try await library.column("SELECT filePath FROM recording WHERE type = 'video'").first)
    _ = try await Command.output(
      of: "bash", ["-ec", "mv $1 ../moved.mov; ln -s ../../moved.mov $1", "bash", path],
      workingDirectory: library.path)
    let linked = try await library.privacy()
    #expect(linked.status == 4)
    #expect(Set(linked.findings.map(\.kind)) == ["link", "unreadable"])
    #expect(linked.findings.allSatisfy { $0.path == path })

    try await library.changeCatalog(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE recording SET filePath = '../moved.mov' WHERE type = 'video'
      """)
    let led = try await library.privacy()
    #expect(led.status == 4)
    #expect(led.findings.contains { $0.kind == "badPath" && $0.path == "../moved.mov" })
  }

  @Test(
    "Something with Holdfast's name where programs leave settings, logs and caches is found",
    arguments: Extent.sample(
      [
        ("XDG_CACHE_HOME", "elsewhere"), ("XDG_STATE_HOME", "elsewhere"),
        ("XDG_CONFIG_HOME", "elsewhere"), ("", "home/.cache"), ("", "home/.local/state"),
        ("", "home/.config"),
      ], every: 6))
  func outside(_ variable: String, _ folder: String) async throws {
    try await library.importing("voice.wav")
    let environment = variable.isEmpty ? [:] : [variable: temporary(folder)]
    try makeFolder(folder)
    #expect(try await library.privacy(environment: environment).status == 0)
    try Data("words".utf8).write(to: URL(fileURLWithPath: temporary("\(folder)/holdfast")))
    let (status, findings) = try await library.privacy(environment: environment)
    #expect(status == 4)
    #expect(findings.map(\.kind) == ["outside"])
    #expect(findings.map(\.path) == [temporary("\(folder)/holdfast")])
    // A library may be anywhere.
    try FileManager.default.removeItem(atPath: temporary("\(folder)/holdfast"))
    try await LibraryFolder("\(folder)/holdfast").importing("voice.wav")
    #expect(try await library.privacy(environment: environment).status == 0)
  }
}
