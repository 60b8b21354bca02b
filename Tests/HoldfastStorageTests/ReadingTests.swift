import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Reading the library's files", .temporaryFolder)
struct ReadingTests {
  private func path(_ string: String) throws -> RelativePath {
    try #require(RelativePath(string))
  }

  @Test("A file is opened, with its size and status")
  func regular() throws {
    let tree = try makeLibrary()
    try write("media", to: "library/Recordings/a.mov")
    let file = try tree.openForReading(try path("Recordings/a.mov"))
    #expect(file.path == temporary("library/Recordings/a.mov"))
    #expect(try file.identity().size == 5)
    #expect(try tree.status(of: path("Recordings/a.mov")) == .regular(size: 5))
    #expect(try tree.status(of: path("Recordings/b.mov")) == .missing)
    #expect(try tree.status(of: path("Recordings/a.mov/b")) == .missing)
    #expect { try tree.openForReading(path("Recordings/b.mov")) } throws: {
      HoldfastError.Code.missing ~= $0
    }
  }

  @Test("No symbolic link is followed, at the end or on the way")
  func links() throws {
    let tree = try makeLibrary()
    try write("secret", to: "outside/secret")
    try write("media", to: "library/Recordings/a.mov")
    symlink(temporary("outside/secret"), temporary("library/Recordings/absolute.mov"))
    symlink("a.mov", temporary("library/Recordings/inside.mov"))
    symlink(temporary("outside"), temporary("library/Recordings/folder"))
    for name in ["absolute.mov", "inside.mov", "folder/secret"] {
      let path = try path("Recordings/\(name)")
      #expect("\(name)") { try tree.openForReading(path) } throws: {
        HoldfastError.Code.unsafePath ~= $0
      }
      #expect(try tree.status(of: path) == .notRegular, "\(name)")
    }
  }

  @Test("A folder or a FIFO is refused as a file, without waiting")
  func others() throws {
    let tree = try makeLibrary()
    mkfifo(temporary("library/Recordings/fifo.mov"), 0o600)
    for name in ["fifo.mov", "Thumbnails"] {
      let path = try path("Recordings/\(name)")
      #expect { try tree.openForReading(path) } throws: { HoldfastError.Code.notAFile ~= $0 }
      #expect(try tree.status(of: path) == .notRegular)
    }
  }

  @Test("A scan shows every name with its kind and size, and follows nothing")
  func scan() throws {
    let tree = try makeLibrary()
    try write("media", to: "library/Recordings/b.mov")
    try write("12", to: "library/Recordings/Thumbnails/b.jpg")
    try write("x", to: "library/Recordings/Other/hidden.mov")
    symlink("b.mov", temporary("library/Recordings/a.mov"))
    mkfifo(temporary("library/Recordings/c"), 0o600)
    let raw = Array(temporary("library/Recordings/").utf8) + [0x66, 0xFF, 0x0A, 0]
    close(creat(raw.map { CChar(bitPattern: $0) }, 0o600))
    var found: [ScannedEntry] = []
    try tree.contents.scan { found.append($0) }
    #expect(
      found.map { "\($0) \($0.kind)" } == [
        "Recordings/Other directory", "Recordings/a.mov symbolicLink", "Recordings/b.mov regular",
        "Recordings/c fifo", "Recordings/f\u{FFFD}\\u{A} regular",
        "Recordings/Thumbnails/b.jpg regular",
      ])
    #expect(found.map { $0.path?.string }[2] == "Recordings/b.mov" && found[2].identity.size == 5)
    #expect(found[4].path == nil && found[4].bytes.suffix(3) == [0x66, 0xFF, 0x0A])
  }

  @Test("A Thumbnails that is a link is shown and not entered")
  func linkedThumbnails() throws {
    let tree = try makeLibrary()
    try write(to: "outside/secret")
    rmdir(temporary("library/Recordings/Thumbnails"))
    symlink(temporary("outside"), temporary("library/Recordings/Thumbnails"))
    var found: [String] = []
    try tree.contents.scan { found.append("\($0) \($0.kind)") }
    #expect(found == ["Recordings/Thumbnails symbolicLink"])
  }
}
