import Foundation
import Testing

/// The answer of the `sqlite3` command: an independent view of the schema and the rows.
public struct SQLite3Command {
  /// The exit status.
  public var status: Int32
  /// Standard output and standard error, without the last line break.
  public var output: String

  /// Feeds `script` (SQL and dot commands) to `sqlite3` on the database at `path`.
  public init(_ path: String, _ script: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", "-init", "/dev/null", path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    self.status = process.terminationStatus
    self.output = String(decoding: answer, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }
}

/// The answer of `sqlite3` to `script`, which must succeed.
@discardableResult
public func sqlite3(_ path: String, _ script: String) throws -> String {
  let command = try SQLite3Command(path, script)
  try #require(command.status == 0, "\(script): \(command.output)")
  return command.output
}
