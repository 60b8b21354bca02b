import Foundation
import HoldfastTestSupport
import Testing

/// With another disk at `Recordings`, everything was converted, and then refused because of "a
/// symbolic link".
@Suite(
  "Another filesystem in a library", .temporaryFolder,
  .enabled("user namespaces must be allowed to mount a tmpfs") {
    try await FullDiskTests.canMount()
  })
struct FilesystemTests {
  private static let folders = ["Recordings", "Recordings/Thumbnails", ".staging", ".trash"]

  /// Runs bash in its own mount namespace, in which a filesystem is mounted in the library.
  ///
  /// - Parameter script: `$0` is the command, `$1` the library, `$2` the folder, `$3` a source.
  private func run(
    _ library: LibraryFolder, _ folder: String, _ mount: String, _ script: String
  ) async throws -> CommandResult {
    let holdfast = try Command.holdfast
    let source = try copyFixture("portrait.mov", to: "clip.mov")
    return try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c", "\(mount) \"$1/$2\" || exit 99\n\(script)", holdfast, library.path,
        folder, source,
      ])
  }

  @Test(
    "is refused by its name before anything is converted, and nothing is changed",
    arguments: Extent.sample(folders, every: 6), ["mount -t tmpfs none", "mount --bind \"$1/$2\""])
  func refused(folder: String, mount: String) async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let before = try await Find.snapshot(library.path)
    let result = try await run(
      library, folder, mount, "exec \"$0\" import --library \"$1\" --move \"$3\"")
    #expect((result.status, result.output) == (1, ""))
    #expect(
      result.errorOutput == """
        Error: \(library.path)/\(folder): on another filesystem than the rest of the library, \
        which must be on one; unmount what is mounted there, or move the whole library to that disk

        """)
    #expect(try await Find.snapshot(library.path) == before)
    #expect(
      try await sha256(of: temporary("clip.mov")) == sha256(of: Fixtures.path("portrait.mov")))
    try await library.expectSound()
  }

  @Test("is refused for a new library too")
  func creation() async throws {
    let library = LibraryFolder(at: "library")
    try makeFolder("library/Recordings")
    let result = try await run(
      library, "Recordings", "mount -t tmpfs none", "exec \"$0\" init \"$1\"")
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("/Recordings: on another filesystem than the rest"))
    #expect(try await library.find() == ["Recordings"])
  }

  @Test("does not stop commands that only read")
  func reading() async throws {
    let library = LibraryFolder()
    try await library.importing("hevc10.mov")
    let script = """
      set -e
      for command in list "verify --deep" "message list" "export --format json"; do
        "$0" $command --library "$1"
      done
      """
    let result = try await run(library, "Recordings", "mount --bind \"$1/$2\"", script)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.errorOutput.contains("The catalog will not note when the recordings were verified: "))
    #expect(result.errorOutput.contains("1 recording checked, 1 read whole"))
  }

  @Test("Another filesystem is accepted if the whole library is on it")
  func whole() async throws {
    let library = LibraryFolder(at: "library")
    try makeFolder("library")
    let result = try await run(
      library, "", "mount -t tmpfs none",
      "\"$0\" init \"$1\" && exec \"$0\" import --library \"$1\" \"$3\"")
    #expect(result.status == 0, "\(result.errorOutput)")
  }
}
