import Foundation
import HoldfastTestSupport
import Testing

@Suite("A journal that is enabled while another command has the library open", .temporaryFolder)
struct EnabledJournalTests {
  @Test("A merge brings its records")
  func merge() async throws {
    let (library, other) = (LibraryFolder(), LibraryFolder("other"))
    #expect(try await other.holdfast("journal", "enable", "habits").status == 0)
    _ = try await other.holdfast("habit", "add", "Read")
    // The merge has opened this library, and waits for the other one's lock.
    let script = """
      exec 9< "$2/.lock" && flock 9 || exit 9
      "$0" merge --library "$1" "$2" 9<&- &
      until ls "$1"/.staging/*/catalog > "$1/../staged" 2>&1; do
        kill -0 $! || exit 8
      done
      "$0" journal enable habits --library "$1" 9<&- || exit 7
      exec 9<&-
      wait $!
      """
    let result = try await Command.run(
      "bash", ["-c", script, try Command.holdfast, library.path, other.path])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("habits: 1 added"), "\(result.output)")
    try await library.expectSound()
  }
}
