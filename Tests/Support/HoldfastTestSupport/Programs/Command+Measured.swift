import Foundation

/// A program's use of the machine.
public struct MeasuredResult: Sendable {
  /// Its result.
  public var result: CommandResult
  /// Its peak memory in megabytes, or that of a program that it started and waited for, if larger.
  public var megabytes: Int
  /// How long it took, in seconds; on a machine that others use, an upper bound.
  public var seconds: Double
}

extension Command {
  /// Runs a program, and measures its memory and time.
  ///
  /// The figures are the kernel's own, from `wait4`, as the time program prints them.
  public static func measured(
    _ program: String, _ arguments: [String]
  ) async throws -> MeasuredResult {
    try await withTemporaryFolder { folder in
      let file = folder + "/figures"
      let result = try await run("time", ["-q", "-f", "%e %M", "-o", file, program] + arguments)
      let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
      let words = text.split { $0 == " " || $0 == "\n" }.suffix(2)
      guard let first = words.first, let last = words.last, let seconds = Double(first),
        let kilobytes = Int(last)
      else { throw CommandFailure(command: ["time", program] + arguments, result: result) }
      return MeasuredResult(result: result, megabytes: kilobytes / 1024, seconds: seconds)
    }
  }
}
