import Foundation
import HoldfastTestSupport
import Testing

@Suite("A filesystem that does not report its size", .temporaryFolder)
struct UnknownSizeTests {
  private static func canMount() async throws -> Bool {
    try await Command.run("unshare", ["-Urm", "mount", "-t", "ramfs", "none", "/mnt"]).status == 0
  }

  @Test(
    "does not count as full",
    .enabled("a ramfs must be allowed, which has no size") { try await canMount() })
  func imports() async throws {
    let mount = try makeFolder("disk")
    let script = """
      set -e
      mount -t ramfs none "$1"
      test "$(stat -f -c %b "$1")" = 0
      "$0" init "$1/library"
      "$0" import --library "$1/library" "$2"
      "$0" verify --library "$1/library"
      """
    let result = try await Command.run(
      "unshare",
      ["-Urm", "bash", "-c", script, try Command.holdfast, mount, Fixtures.path("aac.m4a")])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("imported"))
  }
}
