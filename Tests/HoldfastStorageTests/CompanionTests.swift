import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Files beside a file", .temporaryFolder)
struct CompanionTests {
  private func companion(of name: String) -> String? {
    SourceRoute(typed: SourcePath(temporary(name)))
      .companion(withExtensions: ["heic", "jpg", "jpeg"])
  }

  @Test("A file with the same stem and a given extension in any case is found")
  func found() throws {
    for name in ["a.HEIC", "b.b.JpEg", "c.png", "d.jpg.txt", ".heic", "noext", "f.jpg", "f.HEIC"] {
      try write(to: "in/\(name)")
    }
    try write(to: "in/e.heic/x")
    #expect(companion(of: "in/a.MOV") == "a.HEIC")
    #expect(companion(of: "in/b.b.mov") == "b.b.JpEg")
    #expect(companion(of: "in/f.mov") == "f.HEIC")
    for name in ["A.mov", "b.mov", "c.mov", "d.mov", "e.mov", ".mov", "noext", "a.mov/"] {
      #expect(companion(of: "in/\(name)") == nil, "\(name)")
    }
    #expect(companion(of: "other/a.MOV") == nil)
  }

  @Test("A name that is not UTF-8, or holds a NUL, has no companion")
  func rawNames() throws {
    try write(to: "in/a.jpg")
    let folder = SourcePath(temporary("in"))
    for name in [[0x61, 0xE9, 0x2E, 0x6D], [0x61, 0x00, 0x2E, 0x6D]] as [[UInt8]] {
      let route = SourceRoute(typed: folder.appending(name))
      #expect(route.companion(withExtensions: ["jpg"]) == nil)
    }
  }
}
