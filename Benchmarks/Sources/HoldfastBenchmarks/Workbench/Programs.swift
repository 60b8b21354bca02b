import Foundation

extension Workbench {
  /// Builds products in release, and returns their folder.
  static func build(_ arguments: [String], root: String) throws -> String {
    let answer = temporary("holdfast-build")
    defer { try? FileManager.default.removeItem(atPath: answer) }
    let end = try Child.run(["\(root)/scripts/build"] + arguments, output: answer, errors: nil)
    guard end.status == 0 else { throw BenchError(description: "The programs could not be built.") }
    return try String(contentsOfFile: answer, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Builds the program with an in-process engine, and returns its path.
  func inProcessProgram() throws -> String {
    try Self.build(["--benchmarks", "bench-in-process"], root: root) + "/bench-in-process"
  }

  /// Compiles the C loop, and returns its path.
  func limitProgram() throws -> String {
    let program = "\(folder)/bench-limit"
    guard !FileManager.default.fileExists(atPath: program) else { return program }
    let libraries = "libavformat libavcodec libswscale libavutil libjpeg"
    try run([
      "bash", "-ec", "cc -O2 \"$0\" -o \"$1\" $(pkg-config --cflags --libs \(libraries))",
      "\(root)/Benchmarks/bench-limit.c", program,
    ])
    return program
  }

  /// Runs a command, and ignores its output.
  ///
  /// - Throws: ``BenchError`` with the command's own words if its status is not one of `allowed`.
  @discardableResult
  func run(
    _ command: [String], allowing allowed: Set<CInt> = [0], output: String = "/dev/null"
  ) throws -> ChildEnd {
    let errors = "\(folder)/errors"
    let end = try Child.run(command, output: output, errors: errors)
    guard allowed.contains(end.status) else {
      let words = command.prefix(9).joined(separator: " ")
      throw BenchError(
        description: "\(words) ended with status \(end.status): \(text(of: "errors"))")
    }
    return end
  }

  /// Runs a command, and returns what it prints.
  func output(of command: [String]) throws -> String {
    try run(command, output: "\(folder)/output")
    return text(of: "output")
  }

  /// The text of a file in the folder; nothing if there is none.
  func text(of file: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
  }

  /// Writes a file into the folder, and returns its path.
  func write(_ text: String, to file: String) throws -> String {
    let path = "\(folder)/\(file)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  /// Makes a folder in the folder unless it is there, and returns its path.
  func subfolder(_ name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
