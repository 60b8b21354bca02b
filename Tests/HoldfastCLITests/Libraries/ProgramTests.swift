import Foundation
import HoldfastTestSupport
import Testing

@Suite("The two programs", .temporaryFolder)
struct ProgramTests {
  private static let mediaLibraries = ["libav", "libswscale", "libswresample", "libx264"]

  /// The file names of the shared libraries that a program loads.
  private func libraries(of program: String) async throws -> [String] {
    try await Command.output(of: "ldd", [program]).output.split(separator: "\n").compactMap {
      $0.split(separator: " ").first.map { URL(filePath: $0.trimmingCharacters(in: .whitespaces)) }
    }.map(\.lastPathComponent)
  }

  @Test("holdfast loads none of FFmpeg's libraries; holdfast-worker does")
  func linkedLibraries() async throws {
    let plain = try await libraries(of: Command.holdfast)
    #expect(plain.contains { $0.hasPrefix("libsqlite3") })
    #expect(plain.filter { name in Self.mediaLibraries.contains { name.hasPrefix($0) } } == [])
    let media = try await libraries(of: Command.holdfastWorker)
    #expect(media.contains { $0.hasPrefix("libavcodec") })
    #expect(!media.contains { $0.hasPrefix("libsqlite3") })
  }

  @Test("holdfast-worker is found in libexec, through a link, and where the environment says")
  func places() async throws {
    let program = try loneProgram("prefix")
    let media = try Command.holdfastWorker
    let arguments = LibraryFolder().command(["import", Fixtures.path("aac.m4a")])
    let named = try await Command.run(
      program, arguments, environment: ["HOLDFAST_WORKER": media])
    #expect(named.status == 0, "\(named.errorOutput)")
    let link = temporary("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
    try FileManager.default.createSymbolicLink(
      atPath: try makeFolder("prefix/libexec") + "/holdfast-worker", withDestinationPath: media)
    for start in [program, link] {
      let found = try await Command.run(
        start, arguments, environment: ["HOLDFAST_WORKER": "/nowhere"])
      #expect(found.status == 0, "\(found.errorOutput)")
      #expect(found.output == "Nothing new: 1 already in the library.\n")
    }
  }

  @Test(
    "Without holdfast-worker, commands without media work, and the others say what is missing",
    arguments: [["import"], ["probe"]])
  func missing(command: [String]) async throws {
    let program = try loneProgram("prefix")
    let environment = ["HOLDFAST_WORKER": "", "HOLDFAST_LIBRARY": LibraryFolder().path]
    let list = try await Command.run(program, ["list"], environment: environment)
    #expect(list.status == 0)
    let help = try await Command.run(program, command + ["--help"], environment: environment)
    #expect(help.status == 0)
    let usage = try await Command.run(program, command, environment: environment)
    #expect(usage.status == 64)
    let result = try await Command.run(
      program, command + [Fixtures.path("aac.m4a")], environment: environment)
    #expect((result.status, result.output) == (1, ""))
    let prefix = temporary("prefix")
    #expect(
      result.errorOutput == """
        Error: the part that reads and makes media is missing: neither \
        \(prefix)/bin/holdfast-worker nor \(prefix)/libexec/holdfast-worker is a program; install \
        it there, or name it in $HOLDFAST_WORKER

        """)
  }
}
