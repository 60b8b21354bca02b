import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Walking a folder", .temporaryFolder)
struct FolderWalkTests {
  /// The walk of a folder of the test's own, each entry in one line.
  private func walk(_ name: String) -> [String] {
    let root = temporary(name)
    return FolderWalk(SourceRoute(typed: SourcePath(root))).map { entry in
      let text =
        switch entry {
        case .file(let file, .regular): "\(file.path)"
        case .file(let file, let kind): "\(file.path) \(kind)"
        case .folder(let path): "\(path)/"
        case .library(let path): "\(path) library"
        case .unreadable(let path, let error): "\(path) unreadable \(error.errno ?? 0)"
        }
      return text.hasPrefix(root + "/") ? String(text.dropFirst(root.utf8.count + 1)) : text
    }
  }

  @Test("Files come depth first, in the order of their names' bytes")
  func order() throws {
    for name in ["b.mov", "B.mov", "a/2.mov", "a/1/x.mov", "a.mov", "é.mov"] {
      try write(to: "in/\(name)")
    }
    mkfifo(temporary("in/c"), 0o600)
    let expected = ["B.mov", "a/1/x.mov", "a/2.mov", "a.mov", "b.mov", "c fifo", "é.mov"]
    #expect(walk("in") == expected)
  }

  @Test("Hidden names, files that systems leave behind, and links are left out")
  func skipped() throws {
    for name in [
      "._a.mov", ".hidden/x.mov", ".Trashes/x.mov", "Thumbs.db", "desktop.ini", "Desktop.ini",
      "x.mov",
    ] {
      try write(to: "in/\(name)")
    }
    symlink(temporary("in"), temporary("in/loop"))
    symlink(temporary("in/x.mov"), temporary("in/y.mov"))
    #expect(walk("in") == ["x.mov"])
  }

  @Test("A library is reported and not entered, and neither is a folder inside one")
  func library() throws {
    try write(to: "in/a.mov")
    _ = try makeLibrary("in/library")
    try write(to: "in/library/Recordings/b.mov")
    #expect(walk("in") == ["a.mov", "library library"])
    let root = temporary("in/library/Recordings")
    #expect(walk("in/library/Recordings") == ["\(root) library"])
  }

  @Test("Another program's file with a marker's name hides nothing")
  func otherFile() throws {
    for name in ["in/a.mov", "in/b/c.mov"] { try write(to: name) }
    for name in ["in/holdfast.json", "in/b/holdfast.json"] { try write("{}", to: name) }
    #expect(walk("in") == ["a.mov", "b/c.mov", "b/holdfast.json", "holdfast.json"])
    #expect(walk("in/b").count == 2)
  }

  @Test("A file whose name is not UTF-8 is found, and can be opened")
  func rawNames() throws {
    try makeFolder("in")
    let raw = Array(temporary("in/").utf8) + [0xFF, 0xFE]
    close(creat((raw + [0]).map { CChar(bitPattern: $0) }, 0o600))
    let found = Array(FolderWalk(SourceRoute(typed: SourcePath(temporary("in")))))
    #expect(found.count == 1)
    guard case .file(let file, .regular)? = found.first else { return }
    #expect(file.path == SourcePath(bytes: raw))
    #expect(try file.open().identity().size == 0)
  }

  @Test("A folder that is missing is reported")
  func missing() {
    #expect(walk("none") == ["\(temporary("none")) unreadable \(ENOENT)"])
  }

  @Test("A folder that may not be read is reported", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    for name in ["a/1.mov", "b/2.mov", "c/3.mov"] { try write(to: "in/\(name)") }
    chmod(temporary("in/b"), 0)
    defer { chmod(temporary("in/b"), 0o700) }
    #expect(walk("in") == ["a/1.mov", "b unreadable \(EACCES)", "c/3.mov"])
  }

  @Test("A folder too deep for a path is reported, and the walk goes on")
  func deep() throws {
    let root = temporary("in")
    for name in ["a.mov", "z.mov"] { try write(to: "in/\(name)") }
    var folder = open(root, O_RDONLY)
    let name = String(repeating: "d", count: 200)
    for _ in 0..<30 {
      mkdirat(folder, name, 0o700)
      let next = openat(folder, name, O_RDONLY)
      close(folder)
      folder = next
    }
    close(folder)
    // Too deep for Foundation to remove.
    defer {
      _ = try? Process.run(URL(filePath: "/bin/rm"), arguments: ["-rf", root]).waitUntilExit()
    }
    let found = walk("in")
    #expect(found.count == 3 && found.first == "a.mov" && found.last == "z.mov")
    #expect(found[1].hasSuffix("unreadable \(ENAMETOOLONG)"))
  }
}
