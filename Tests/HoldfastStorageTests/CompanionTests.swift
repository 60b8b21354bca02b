import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Files beside a file", .temporaryFolder)
struct CompanionTests {
  private func companion(of name: String) -> String? {
    let stem = name.dropFirst(3).prefix { $0 != "." }
    return SourceRoute(typed: SourcePath(temporary(name)))
      .companion(named: ["heic", "jpg", "jpeg"].map { "\(stem).\($0)" }, listsFolder: true)
  }

  @Test("A file with one of the names in any case is found")
  func found() throws {
    for name in ["a.HEIC", "b.JpEg", "c.png", "d.jpg.txt", "f.jpg", "f.HEIC"] {
      try write(to: "in/\(name)")
    }
    try write(to: "in/e.heic/x")
    #expect(companion(of: "in/a.MOV") == "a.HEIC")
    #expect(companion(of: "in/A.MOV") == "a.HEIC")
    #expect(companion(of: "in/b.mov") == "b.JpEg")
    // A name as it is given comes before one in another case.
    #expect(companion(of: "in/f.mov") == "f.jpg")
    for name in ["c.mov", "d.mov", "e.mov"] {
      #expect(companion(of: "in/\(name)") == nil, "\(name)")
    }
    #expect(companion(of: "other/a.MOV") == nil)
  }
}
