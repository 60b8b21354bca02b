import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("What lies beside a file", .temporaryFolder)
struct FolderNamesTests {
  private func path(_ name: String) -> SourcePath { SourcePath(temporary(name)) }

  @Test("A file of the same stem and one of the extensions is found, however that is written")
  func found() throws {
    for name in ["a.HEIC", "b.b.JpEg", "c.png", "d.jpg.txt", ".heic", "noext"] {
      try write(to: "in/\(name)")
    }
    try write(to: "in/e.heic/x")
    let names = try #require(
      FolderNames(beside: path("in/a.MOV"), withExtensions: ["heic", "jpeg", "jpg"]))
    #expect(names.folder == path("in"))
    #expect(names.companion(of: path("in/a.MOV")) == "a.HEIC")
    #expect(names.companion(of: path("in/b.b.mov")) == "b.b.JpEg")
    for name in ["A.mov", "b.mov", "c.mov", "d.mov", "e.mov", ".mov", "noext"] {
      #expect(names.companion(of: path("in/\(name)")) == nil, "\(name)")
    }
    #expect(names.companion(of: path("other/a.MOV")) == nil)
  }

  @Test("A folder that cannot be listed holds nothing, and a path that ends with a slash no file")
  func none() throws {
    let names = FolderNames(beside: path("nowhere/a.mov"), withExtensions: ["heic"])
    #expect(names?.companion(of: path("nowhere/a.mov")) == nil)
    #expect(FolderNames(beside: SourcePath("in/"), withExtensions: ["heic"]) == nil)
  }

  @Test("A name without a folder lies in the working folder")
  func bare() {
    let names = FolderNames(beside: SourcePath("a.mov"), withExtensions: ["heic"])
    #expect(names?.folder == SourcePath("."))
  }
}
