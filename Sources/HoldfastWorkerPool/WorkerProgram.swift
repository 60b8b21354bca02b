internal import Foundation
internal import HoldfastModel

/// The program in which media are read and made.
public struct WorkerProgram: Hashable, Sendable {
  /// Why it cannot run, in one sentence.
  public struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a person reads.
    public var description: String
  }

  private static let name = "holdfast-worker"
  private static let variable = "HOLDFAST_WORKER"

  /// Where it is.
  public var path: String

  /// Names the program at `path`.
  public init(path: String) { self.path = path }

  /// Finds it beside the running program, in the `libexec` beside that folder, or where the
  /// environment says.
  ///
  /// - Throws: ``Missing`` when it is in none of these places.
  public static func find() throws(Missing) -> WorkerProgram {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: program ?? CommandLine.arguments.first ?? "")
      .deletingLastPathComponent()
    let libexec = folder.deletingLastPathComponent().appending(path: "libexec")
    let installed = [folder, libexec].map { $0.appending(path: name).path(percentEncoded: false) }
    let named = ProcessInfo.processInfo.environment[variable].map { [$0] } ?? []
    let found = (installed + named).first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      throw Missing(
        description: "the part that reads and makes media is missing: neither "
          + installed.joined(separator: " nor ").escapedForDisplay
          + " is a program; install it there, or name it in $\(variable)")
    }
    return WorkerProgram(path: found)
  }
}
