import Foundation

extension Workbench {
  private var wrapped: String { "\(folder)/wrapped" }

  /// Puts a copy of the command beside a script that starts the worker and records its memory.
  func wrapPrograms() throws {
    _ = try subfolder("wrapped")
    try FileManager.default.copyItem(atPath: holdfast, toPath: "\(wrapped)/holdfast")
    // The paths are absolute, as a worker does not get the PATH.
    let script = try write(
      """
      #!/bin/sh
      echo started >>'\(folder)/started'
      exec /usr/bin/time -q -f %M -a -o '\(folder)/peaks' '\(worker)' "$@"

      """, to: "wrapped/holdfast-worker")
    try run(["chmod", "0755", script])
  }

  /// The most memory in MB that any process of a contestant held at a time, workers included.
  ///
  /// `time` measures it. `wait4` here would count this program's memory too: the kernel counts what
  /// a process held before it started the program.
  func peakMemory(of contestant: Contestant) throws -> Double {
    _ = try write("", to: "started")
    let peaks = try write("", to: "peaks")
    var contestant = contestant
    if contestant.command.first == holdfast { contestant.command[0] = "\(wrapped)/holdfast" }
    _ = try seconds(contestant, under: ["time", "-q", "-f", "%M", "-a", "-o", peaks])
    // A worker may outlive the command by a moment. A killed worker writes nothing.
    for _ in 0..<100 where lines(of: "peaks").count <= lines(of: "started").count {
      Thread.sleep(forTimeInterval: 0.02)
    }
    let kilobytes = lines(of: "peaks").compactMap(Double.init)
    guard let most = kilobytes.max() else {
      throw BenchError(description: "The memory of \(contestant.name) was not measured.")
    }
    return most / 1024
  }

  private func lines(of file: String) -> [Substring] { text(of: file).split(separator: "\n") }
}
