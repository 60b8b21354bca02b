import Foundation
import HoldfastModel
import HoldfastSupport

/// The program that reads and makes media.
public struct WorkerProgram: Hashable, Sendable {
  /// The error when the program cannot be found.
  public struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence for a person to read.
    public var description: String
  }

  private static let name = "holdfast-worker"
  private static let variable = "HOLDFAST_WORKER"

  /// The program's path.
  public var path: String

  /// Uses the program at `path`.
  public init(path: String) { self.path = path }

  /// Finds the program.
  ///
  /// It may be beside the running program, in the `libexec` beside that folder, or at the path in
  /// the environment variable `HOLDFAST_WORKER`, in this order.
  ///
  /// - Throws: ``Missing`` if it is in none of these places.
  public static func find() throws(Missing) -> WorkerProgram {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: program ?? CommandLine.arguments.first ?? "")
      .deletingLastPathComponent()
    let libexec = folder.deletingLastPathComponent().appending(path: "libexec")
    let installed = [folder, libexec].map { $0.appending(path: name).path(percentEncoded: false) }
    let named = ProcessInfo.processInfo.environment[variable].map { [$0] } ?? []
    let found = (installed + named).first { FileManager.default.isProgram(atPath: $0) }
    guard let found else {
      throw Missing(
        description: "the part that reads and makes media is missing: neither "
          + installed.joined(separator: " nor ").escapedForDisplay
          + " is a program; install it there, or name it in $\(variable)")
    }
    return WorkerProgram(path: found)
  }
}
