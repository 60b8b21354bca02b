import Foundation
import Glibc
import HoldfastModel
@testable import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Sources", .temporaryFolder)
struct SourceTests {
  @Test("A regular file is opened for reading, with the time of its last change")
  func regular() throws {
    try write("clip", to: "clip.MOV")
    let file = try SourceFile.open(SourcePath(temporary("clip.MOV")))
    let before = try file.identity()
    #expect(before.kind == .regular && before.size == 4 && before.modified > 0)
    #expect(write(file.descriptor, "x", 1) == -1 && errno == EBADF)
    #expect(!SourceFile.isRemote(file))
    try write("clip, changed", to: "clip.MOV")
    #expect(try file.identity() != before || before.size != 4)
    let after = try SourceFile.open(SourcePath(temporary("clip.MOV"))).identity()
    #expect(after != before)
  }

  @Test("A FIFO, a folder or a device is refused at once, as what it is")
  func others() throws {
    mkfifo(temporary("fifo"), 0o600)
    let expected: [(String, FileIdentity.Kind)] = [
      (temporary("fifo"), .fifo), (TemporaryFolder.current, .directory), ("/dev/null", .other),
    ]
    for (path, kind) in expected {
      #expect(try SourceFile.open(SourcePath(path)).identity().kind == kind)
    }
    #expect { try SourceFile.open(SourcePath(temporary("none"))) } throws: {
      HoldfastError.Code.missing ~= $0
    }
  }

  @Test("A NUL in a path names no other file")
  func nul() throws {
    try write(to: "clip.mov")
    #expect { try SourceFile.open(SourcePath(temporary("clip.mov\0.txt"))) } throws: {
      HoldfastError.Code.unsafePath ~= $0
    }
  }

  @Test("FUSE, NFS, SMB and 9P are remote; ext4, Btrfs, XFS and tmpfs are not")
  func remote() {
    let remote: [UInt32] = [0x6573_5546, 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997]
    let local: [UInt32] = [0xEF53, 0x9123_683E, 0x5846_5342, 0x0102_1994]
    #expect(remote.allSatisfy(SourceFile.isRemote(filesystemType:)))
    #expect(!local.contains(where: SourceFile.isRemote(filesystemType:)))
  }

  @Test("A name is repaired and its extension lower-cased; what is shown is escaped")
  func names() {
    let path = SourcePath(bytes: Array("/a/b\u{1B}".utf8) + [0xFF] + Array(".MoV".utf8))
    #expect(path.name == "b\u{1B}\u{FFFD}.MoV")
    #expect(path.pathExtension == "mov")
    #expect(path.description == "/a/b\\u{1B}\u{FFFD}.MoV")
    #expect(SourcePath("/a/.mov").pathExtension == "")
    #expect(SourcePath("/a.b/c").pathExtension == "")
    #expect(SourcePath("/a/b/").name == "b")
    #expect(SourcePath("/").appending("a".utf8).appending("b".utf8) == SourcePath("/a/b"))
  }

  @Test("A file inside a library is recognised, through links too")
  func insideLibrary() throws {
    _ = try makeLibrary()
    try write(to: "library/Recordings/Thumbnails/a.jpg")
    try write(to: "outside.mov")
    symlink(temporary("library/Recordings"), temporary("link"))
    let inside = ["library", "library/Recordings", "link/Thumbnails/a.jpg", "link"]
    for name in inside { #expect(SourcePath(temporary(name)).isInsideLibrary, "\(name)") }
    for name in ["outside.mov", "", "none"] {
      #expect(!SourcePath(temporary(name)).isInsideLibrary, "\(name)")
    }
    // A damaged library's files are not sources either.
    for text in ["", "{", #"{"formatVersion": 2, "uuid": "\#(UUID())"}"#] {
      try write(text, to: "library/holdfast.json")
      for name in inside { #expect(SourcePath(temporary(name)).isInsideLibrary, "\(name)") }
    }
  }

  @Test("An error is one sentence: the path, the system's message, the remedy")
  func errors() {
    let full = HoldfastError(.system, operation: "write", path: "/a/b\n", errno: ENOSPC)
    #expect(full.code == .noSpace)
    #expect(
      full.explanation
        == "/a/b\\u{A}: could not write: No space left on device; free some space and try again")
    for number in [EDQUOT, EACCES, EROFS, EIO] {
      #expect(
        HoldfastError(.system, operation: "write", path: "/a", errno: number).remedy != nil)
    }
  }
}
