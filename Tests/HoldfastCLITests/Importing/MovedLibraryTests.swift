import Foundation
import Glibc
import HoldfastTestSupport
import Synchronization
import Testing

@Suite("A library that is moved while an import is at work", .temporaryFolder)
struct MovedLibraryTests {
  let library = LibraryFolder()

  @Test("Moving a library during an import is reported, removes no source, and harms nothing")
  func moved() async throws {
    try await library.importing("aac.m4a")
    let clip = try await makeSlowClip("slow.avi")
    let after = try copyFixture("voice.wav", to: "voice.wav")
    let moved = LibraryFolder(at: "moved")
    let result = try await library.holdfast(
      sending: SIGSTOP, toGroup: true, whileImporting: ["--move", "--jobs", "1", clip, after]
    ) { _ in
      #expect(rename(library.path, moved.path) == 0)
    }
    #expect(result.status == 3)
    #expect(result.output == "Nothing new: 2 refused.\n")
    #expect(
      result.errorLines
        == [clip, after].map {
          "refused   \($0): \(library.path): the library is no longer here, because its folder was "
            + "renamed or moved, or its disk unmounted, while this command ran; run it again "
            + "where the library is now"
        })
    #expect(!FileManager.default.fileExists(atPath: library.path))
    for source in [clip, after] { #expect(FileManager.default.fileExists(atPath: source)) }
    try await moved.expectSound()
    #expect(try await moved.column("SELECT count(*) FROM recording") == ["1"])
  }

  @Test("Another library in the moved one's place stays as it is", .notInSample)
  func replaced() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a")
    let clip = try await makeSlowClip("slow.avi")
    let snapshot = Mutex<[String]>([])
    let result = try await library.holdfast(
      sending: SIGSTOP, toGroup: true, whileImporting: ["--move", clip]
    ) { _ in
      #expect(rename(library.path, temporary("moved")) == 0)
      #expect(rename(other.path, library.path) == 0)
      let before = try await Find.snapshot(library.path)
      snapshot.withLock { $0 = before }
    }
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("the library is no longer here"))
    #expect(try await Find.snapshot(library.path) == snapshot.withLock { $0 })
    try await library.expectSound()
    try await LibraryFolder(at: "moved").expectSound()
  }
}
