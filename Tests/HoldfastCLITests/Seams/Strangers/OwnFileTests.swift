import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// A mount can show a library's files without a marker above them.
@Suite("A library's file as a source to move", .temporaryFolder)
struct OwnFileTests {
  let library = LibraryFolder()
  private let named =
    "its name is that of a file in a library; remove it yourself if none needs it"

  @Test(
    "Through a bind mount of a library's Recordings, its files are imported and kept",
    arguments: ["library", "other"])
  func bindMount(source: String) async throws {
    try await library.importing("voice.ogg")
    let owner = source == "library" ? library : LibraryFolder(source)
    try await owner.importing("aac.m4a", "portrait.mov")
    let before = try await Find.snapshot("\(owner.path)/Recordings")
    let mounted = try makeFolder("mounted")
    let script = "mount --bind \"$1/Recordings\" \"$2\" && shift 2 && exec \"$@\""
    let command = ["import", "--move", "--allow-duplicates", "--json", mounted]
    let result = try await Command.run(
      "unshare",
      ["-Urm", "sh", "-c", script, "sh", owner.path, mounted, try Command.holdfast]
        + library.command(command))
    // A container may forbid mounts.
    if result.errorOutput.contains("unshare") || result.errorOutput.contains("mount:") { return }
    let lines = try ImportLine.lines(of: result)
    let imported = lines.filter { $0.event == "imported" }
    #expect(imported.count == (source == "library" ? 3 : 2))
    #expect(imported.allSatisfy { $0.moved == .source(false) && $0.code == "ofLibrary" })
    #expect(Set(imported.compactMap(\.stays)) == [named])
    if source == "other" {
      #expect(try await Find.snapshot("\(owner.path)/Recordings") == before)
    }
    try await owner.expectSound()
    try await library.expectSound()
  }

  @Test("A file of another library is imported and kept", arguments: ["aac.m4a", "portrait.mov"])
  func otherLibrary(fixture: String) async throws {
    let other = LibraryFolder("other")
    try await other.importing(fixture)
    let path = try await other.column("SELECT filePath FROM recording")[0]
    let folder = try makeFolder("in")
    let copy = "\(folder)/\(URL(filePath: path).lastPathComponent)"
    try FileManager.default.copyItem(atPath: "\(other.path)/\(path)", toPath: copy)
    for source in [copy, folder] {
      let lines = try await library.importEvents("--move", "--allow-duplicates", source)
      #expect(lines.first?.event == "imported" && lines.first?.moved == .source(false))
      #expect(lines.first?.stays == named && lines.first?.code == "ofLibrary")
    }
    #expect(FileManager.default.fileExists(atPath: copy))
  }

  @Test("Another name of a file in this library is kept, and so is the file")
  func otherName() async throws {
    try await library.importing("aac.m4a")
    let path = try await library.column("SELECT filePath FROM recording")[0]
    let folder = try makeFolder("in")
    #expect(link("\(library.path)/\(path)", "\(folder)/memo.m4a") == 0)
    let lines = try await library.importEvents("--move", "--allow-duplicates", folder)
    #expect(lines.first?.event == "imported" && lines.first?.moved == .source(false))
    #expect(lines.first?.stays == "it is a file of this library, under another name")
    #expect(try await Find.names(folder, []) == ["memo.m4a"])
    try await library.expectSound()
  }

  @Test(
    "A name that only resembles a library's is moved",
    arguments: [
      "video_1.mov", "VID_20240101_120000.mov",
      "video_4F8E7F0C-8E0B-4A6B-9C53-0F8C7A3B2D11_copy.mov",
      "audio_4F8E7F0C-8E0B-4A6B-9C53-0F8C7A3B2D11.wav",
    ])
  func resembling(name: String) async throws {
    let folder = try makeFolder("in")
    try copyFixture("voice.wav", to: "in/\(name)")
    let lines = try await library.importEvents("--move", folder)
    #expect(lines.first?.moved == .source(true))
    #expect(try await Find.names(folder, []) == [])
  }
}
