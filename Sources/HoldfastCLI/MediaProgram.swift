internal import Foundation
internal import Glibc
internal import HoldfastModel

/// The program that runs the commands which read or make media.
///
/// FFmpeg's libraries take longer to load than any other command takes to run.
enum MediaProgram {
  /// Why it cannot run, in one sentence.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private static let name = "holdfast-media"
  private static let variable = "HOLDFAST_MEDIA"

  /// Puts it in the place of the running program: in the same process, with the same arguments.
  ///
  /// The corresponding C function is `execv`.
  static func takeOver() throws(Failure) -> Never {
    let path = try find()
    // The arguments as they came: they need not be text.
    unsafe execv(path, CommandLine.unsafeArgv)
    let reason = unsafe String(cString: strerror(errno))
    throw Failure(description: "\(path.escapedForDisplay) could not be started: \(reason)")
  }

  /// Its path: beside the running program, in the `libexec` beside that folder, or as the
  /// environment says.
  private static func find() throws(Failure) -> String {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: program ?? CommandLine.arguments.first ?? "")
      .deletingLastPathComponent()
    let libexec = folder.deletingLastPathComponent().appending(path: "libexec")
    let installed = [folder, libexec].map { $0.appending(path: name).path(percentEncoded: false) }
    let named = ProcessInfo.processInfo.environment[variable].map { [$0] } ?? []
    let found = (installed + named).first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      throw Failure(
        description: "the part that reads and makes media is missing: neither "
          + installed.joined(separator: " nor ").escapedForDisplay
          + " is a program; install it there, or name it in $\(variable)")
    }
    return found
  }
}
