import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("New files", .temporaryFolder)
struct NewFileTests {
  private func path(_ name: String) -> SourcePath { SourcePath(temporary(name)) }

  private func bytes(_ text: String) -> ArraySlice<UInt8> { ArraySlice(text.utf8) }

  @Test("A file gets its name when it is whole, and only its owner may read it")
  func commit() throws {
    let file = try NewFile(at: path("out.json"))
    try file.write(bytes("one "))
    try file.write(bytes("two"))
    let hidden = try #require(try listing("").first)
    #expect(try listing("").count == 1 && hidden.hasPrefix(".holdfast-"))
    #expect(mode(temporary(hidden)) == 0o600)
    try file.commit()
    try file.commit()
    file.discard()
    #expect(try listing("") == ["out.json"])
    #expect(read("out.json") == "one two" && mode(temporary("out.json")) == 0o600)
  }

  @Test("An abandoned file leaves no trace", arguments: [true, false])
  func discard(explicitly: Bool) throws {
    do {
      let file = try NewFile(at: path("out.json"))
      try file.write(bytes("half"))
      if explicitly {
        file.discard()
        #expect { try file.commit() } throws: { HoldfastError.Code.missing ~= $0 }
      }
    }
    #expect(try listing("") == [])
  }

  @Test("Nothing is replaced, whatever it is and whenever it came")
  func exists() throws {
    try write("mine", to: "out.json")
    try makeFolder("folder")
    symlink("nowhere", temporary("dangling"))
    let before = try listing("")
    for name in ["out.json", "folder", "dangling", "folder/..", "folder/."] {
      #expect("\(name)") { try NewFile(at: path(name)) } throws: { error in
        let expected = "could not make: File exists; move it away or give another name"
        return (error as? HoldfastError)?.explanation == "\(temporary(name)): \(expected)"
      }
    }
    let file = try NewFile(at: path("late.json"))
    try write("mine", to: "late.json")
    #expect { try file.commit() } throws: {
      guard let error = $0 as? HoldfastError else { return false }
      return error.code == .exists && error.path == temporary("late.json")
    }
    #expect(read("out.json") == "mine" && read("late.json") == "mine")
    #expect(try listing("") == (before + ["late.json"]).sorted())
  }

  @Test("A missing folder, or a path of a folder, is refused in a sentence")
  func noFolder() throws {
    try write(to: "file")
    for name in ["none/out.json", "file/out.json"] {
      #expect("\(name)") { try NewFile(at: path(name)) } throws: {
        HoldfastError.Code.folderMissing ~= $0
          && ($0 as? HoldfastError)?.remedy == "make it first, or name another"
      }
    }
    for path in [path("new/"), SourcePath("/"), SourcePath("")] {
      #expect("\(path)") { try NewFile(at: path) } throws: { HoldfastError.Code.notAFile ~= $0 }
    }
    #expect(try listing("") == ["file"])
  }

  @Test("A path in a library is refused, through a link too")
  func insideLibrary() throws {
    _ = try makeLibrary()
    symlink(temporary("library/Recordings"), temporary("link"))
    let before = try listing("")
    for name in ["library/a.json", "library/Recordings/a.json", "link/Thumbnails/a.json"] {
      let refused: (any Error) -> Bool = {
        ($0 as? HoldfastError)?.code == .insideLibrary
          && ($0 as? HoldfastError)?.remedy == "name a place outside of it"
      }
      #expect("\(name)", performing: { try NewFile(at: path(name)) }, throws: refused)
      #expect("\(name)", performing: { try NewFolder(at: path(name)) }, throws: refused)
    }
    for name in ["library", "library/", "library/Recordings/Thumbnails", "link"] {
      #expect("\(name)") { try NewFolder(at: path(name)) } throws: {
        HoldfastError.Code.insideLibrary ~= $0
      }
    }
    #expect(try listing("") == before)
    try NewFile(at: path("library/../out.json")).commit()
    #expect(read("out.json") == "")
  }

  @Test("A name need not be UTF-8, and one with a NUL names no other file")
  func rawNames() throws {
    let raw = SourcePath(bytes: Array(temporary("a").utf8) + [0xFF])
    try NewFile(at: raw).commit()
    #expect(try SourceFile.open(raw).identity().kind == .regular)
    #expect { try NewFile(at: path("b\0.json")) } throws: { HoldfastError.Code.unsafePath ~= $0 }
  }

  @Test("A full disk is reported with the file's own name")
  func full() throws {
    try #require(access("/dev/full", W_OK) == 0)
    let file = try NewFile(at: path("out.json"))
    let hidden = try #require(try listing("").first)
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let target = temporary(hidden)
    let number = try #require(
      descriptors.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
          == target
      }.flatMap(CInt.init))
    let full = open("/dev/full", O_RDWR)
    dup2(full, number)
    close(full)
    #expect { try file.write(bytes("x")) } throws: {
      ($0 as? HoldfastError)?.explanation
        == "\(temporary("out.json")): could not write: No space left on device; free some space "
        + "and try again"
    }
  }

  // MARK: Folders

  @Test("A new folder and its files are for their owner alone, under any umask")
  func folder() async throws {
    await #expect(processExitsWith: .success) { [path = temporary("out") as String] in
      umask(0o777)
      let folder = try NewFolder(at: SourcePath(path + "/"))
      let file = try folder.makeFile(named: "a.csv")
      try file.write(ArraySlice("a,b\n".utf8))
      try file.commit()
      #expect(mode(path) == 0o700 && mode("\(path)/a.csv") == 0o600)
    }
    #expect(try listing("") == ["out", "out/a.csv"] && read("out/a.csv") == "a,b\n")
  }

  @Test("An empty folder is used as it is, and stays")
  func emptyFolder() throws {
    try makeFolder("out")
    symlink("out", temporary("link"))
    chmod(temporary("out"), 0o750)
    do { _ = try NewFolder(at: path("link")).makeFile(named: "a.csv") }
    #expect(try listing("") == ["link", "out"] && mode(temporary("out")) == 0o750)
    do { try NewFolder(at: path("link")).makeFile(named: "a.csv").commit() }
    #expect(try listing("out") == ["a.csv"])
  }

  @Test("A folder without a committed file is removed again")
  func givenUp() throws {
    do {
      let file = try NewFolder(at: path("out")).makeFile(named: "a.csv")
      try file.write(bytes("half"))
      #expect(try listing("out").count == 1)
    }
    #expect(try listing("") == [])
  }

  @Test("A folder with something in it, and a path that is not a folder's, are refused")
  func notEmpty() throws {
    try write("mine", to: "out/.hidden")
    try write("mine", to: "file")
    for name in ["out", "file"] {
      #expect("\(name)") { try NewFolder(at: path(name)) } throws: {
        ($0 as? HoldfastError)?.explanation
          == "\(temporary(name)): not an empty folder; name a new one or an empty one"
      }
    }
    #expect { try NewFolder(at: path("none/out")) } throws: {
      HoldfastError.Code.folderMissing ~= $0
    }
    #expect(try listing("") == ["file", "out", "out/.hidden"])
  }

  @Test("A file in the folder must have one plain name", arguments: ["", ".", "..", "a/b", "a\0"])
  func names(name: String) throws {
    let folder = try NewFolder(at: path("out"))
    #expect { try folder.makeFile(named: name) } throws: { HoldfastError.Code.unsafePath ~= $0 }
  }
}
