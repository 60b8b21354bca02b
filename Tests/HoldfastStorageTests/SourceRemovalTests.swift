import Foundation
import Glibc
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Removing a source", .temporaryFolder)
struct SourceRemovalTests {
  private let path = SourcePath(temporary("in/clip.mov"))

  /// The identity of a new file at the path.
  private func makeSource() throws -> FileIdentity {
    try write("clip", to: "in/clip.mov")
    return try SourceFile.open(path).identity()
  }

  @Test("The file that was read is removed, and nothing beside it")
  func removed() throws {
    let identity = try makeSource()
    try write(to: "in/other.mov")
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .removed)
    #expect(try listing("in") == ["other.mov"])
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .isMissing)
  }

  @Test("A name without a folder is one in the working folder")
  func bare() throws {
    let identity = try makeSource()
    let (missing, folder) = (SourcePath("nowhere.mov"), SourcePath("in/"))
    #expect(try SourceRoute(typed: missing).remove(ifStill: identity) == .isMissing)
    #expect(try SourceRoute(typed: folder).remove(ifStill: identity) == .hasChanged)
  }

  @Test("A file that was written to stays, even if its size and time are unchanged")
  func changed() throws {
    let identity = try makeSource()
    let handle = try FileHandle(forWritingTo: URL(filePath: temporary("in/clip.mov")))
    try handle.write(contentsOf: Data("CLIP".utf8))
    try handle.close()
    var times = [
      timespec(),
      timespec(
        tv_sec: Int(identity.modified / 1_000_000_000),
        tv_nsec: Int(identity.modified % 1_000_000_000)),
    ]
    times[0].tv_nsec = omitted
    #expect(utimensat(AT_FDCWD, temporary("in/clip.mov"), times, 0) == 0)
    let now = try SourceFile.open(path).identity()
    #expect(now.size == identity.size && now.modified == identity.modified)
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .hasChanged)
    #expect(read("in/clip.mov") == "CLIP")
  }

  /// The value of `UTIME_OMIT`, which Swift cannot import.
  private let omitted = (1 << 30) - 2

  @Test("Another file of that name stays, and so does a folder, a link, or what a link points to")
  func replaced() throws {
    let identity = try makeSource()
    #expect(rename(temporary("in/clip.mov"), temporary("in/original.mov")) == 0)
    try write("another", to: "in/clip.mov")
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .hasChanged)
    #expect(read("in/clip.mov") == "another")

    unlink(temporary("in/clip.mov"))
    symlink(temporary("in/original.mov"), temporary("in/clip.mov"))
    let linked = try SourceFile.open(path).identity()
    #expect(try SourceRoute(typed: path).remove(ifStill: linked) == .isLink)
    #expect(try listing("in") == ["clip.mov", "original.mov"])

    unlink(temporary("in/clip.mov"))
    try makeFolder("in/clip.mov")
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .hasChanged)
    #expect(try listing("in") == ["clip.mov", "original.mov"])
  }

  @Test("The other name of a file with two names stays")
  func hardLink() throws {
    _ = try makeSource()
    link(temporary("in/clip.mov"), temporary("in/second.mov"))
    let identity = try SourceFile.open(path).identity()
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .removed)
    #expect(read("in/second.mov") == "clip")
  }

  @Test("A folder reached through a link holds the file as well")
  func linkedFolder() throws {
    let identity = try makeSource()
    symlink(temporary("in"), temporary("link"))
    let path = SourcePath(temporary("link/clip.mov"))
    #expect(try SourceRoute(typed: path).remove(ifStill: identity) == .removed)
    #expect(try listing("in") == [])
  }
}
