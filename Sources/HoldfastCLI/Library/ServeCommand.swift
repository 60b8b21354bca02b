import ArgumentParser
import Foundation
import Glibc
import Holdfast
import HoldfastConsole
import HoldfastSupport

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show the library as pages in a browser on this computer.",
    discussion: """
      Prints a link that opens the library, once. Only this computer can open it. If the library \
      is served already, the link leads there. Ctrl-C ends the server.
      """)

  @Option(help: ArgumentHelp("The port (default: one that is free).", valueName: "port"))
  var port: Int?

  @Flag(
    help: """
      Open the link in the browser. Without a library at the usual place, the page offers to make \
      one.
      """)
  var open = false

  @Option(
    help: ArgumentHelp(
      "End when it has not been used for this long, such as 30m or 2h (default: never).",
      valueName: "time"))
  var idle: IdleTime?

  @Flag(
    help: """
      Use 127.0.0.1 in the link, for a browser that does not know names below localhost. The \
      browser then gives the cookie to every server on 127.0.0.1.
      """)
  var plainHost = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard port.map((0...65_535).contains) ?? true else {
      throw ValidationError("--port must be from 0 to 65535.")
    }
  }

  func run() throws {
    var arguments: [String] = []
    do {
      // A user without a library should read this program's error, and not another one's.
      arguments = ["--library", try common.openLibrary(for: .reading).path]
    } catch is HoldfastError where open {
      // The desktop's icon has no terminal: a page says what is wrong.
      if let path = common.libraryPath { arguments = ["--library", path] }
    }
    let program = try Self.program()
    arguments = [program, "--port", "\(port ?? 0)"] + arguments
    if let idle { arguments += ["--idle", "\(idle.seconds)"] }
    if open { arguments.append("--open") }
    if plainHost { arguments.append("--plain-host") }
    if common.quiet { arguments.append("--quiet") }
    // SAFETY: the strings live until the process becomes the other program, or that fails.
    var words = unsafe arguments.map { unsafe strdup($0) }
    unsafe words.append(nil)
    _ = unsafe execv(program, words)
    throw CommandFailure("\(program.escapedForDisplay) could not be started")
  }

  /// The program of the pages, which is beside this one.
  private static func program() throws -> String {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: own ?? "").deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["HOLDFAST_WEB"]
      ?? folder.appending(path: "holdfast-web").path(percentEncoded: false)
    guard FileManager.default.isProgram(atPath: path) else {
      throw CommandFailure(
        "the part that shows pages is missing: \(path.escapedForDisplay) is not a program; "
          + "scripts/build --web builds it, or name it in $HOLDFAST_WEB")
    }
    return path
  }
}

/// A time as people write it: `90s`, `30m`, `2h`.
struct IdleTime: ExpressibleByArgument {
  let seconds: Int

  init?(argument: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()),
      (1...100_000).contains(count)
    else { return nil }
    seconds = count * unit
  }
}
