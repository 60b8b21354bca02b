import Foundation
import HoldfastTestSupport
import Testing

@Suite("Modes after a rebuilding", .temporaryFolder)
struct RebuiltModeTests {
  @Test("restore --rebuild makes files and folders private that were copied with other modes")
  func modes() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a", "portrait.mov")
    _ = try await Command.output(
      of: "bash",
      ["-c", "chmod -R u=rwX,go=rX \"$0\" && rm \"$0/catalog.sqlite\"", library.path])
    let rebuilt = try await Command.run(Command.holdfast, ["restore", "--rebuild", library.path])
    #expect(rebuilt.status == 0, "\(rebuilt.errorOutput)")
    #expect(try await library.find("-perm", "/077") == [])
    #expect(try await library.findings() == [])
    try await library.expectSound()
  }
}
