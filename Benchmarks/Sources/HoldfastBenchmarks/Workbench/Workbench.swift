import Foundation

/// The programs, a folder for inputs and outputs, and how much is measured.
struct Workbench {
  /// The checkout.
  let root: String
  /// The folder for all outputs; it is removed at the end.
  let folder: String
  /// A folder on another filesystem: that of `$HOLDFAST_OTHER_DISK`, or of `/dev/shm`. It is
  /// removed at the end.
  var otherFolder: String { Self.otherFolder(of: folder) }
  /// The command that is measured.
  let holdfast: String
  /// How much is measured.
  let options: MeasuringOptions
  /// The number of processor cores.
  let cores = ProcessInfo.processInfo.activeProcessorCount

  /// The worker beside the command.
  var worker: String {
    URL(filePath: holdfast).deletingLastPathComponent().path(percentEncoded: false)
      + "holdfast-worker"
  }

  private static func otherFolder(of folder: String) -> String {
    let disk = ProcessInfo.processInfo.environment["HOLDFAST_OTHER_DISK"] ?? "/dev/shm"
    return "\(disk)/\(URL(filePath: folder).lastPathComponent)"
  }

  /// Makes a workbench, and removes its folder after `body` or when a signal ends the program.
  static func with<Result>(
    _ options: MeasuringOptions, _ body: (Workbench) throws -> Result
  ) throws -> Result {
    let environment = ProcessInfo.processInfo.environment
    guard let root = environment["HOLDFAST_ROOT"] else {
      throw BenchError(description: "Run scripts/bench, which says where the checkout is.")
    }
    let folder = temporary("holdfast-bench")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let folders = [folder, otherFolder(of: folder)]
    defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
    endAtSignals(removing: folders)

    let holdfast: String
    if let named = environment["HOLDFAST_PROGRAM"] {
      holdfast = URL(filePath: named).absoluteURL.path(percentEncoded: false)
    } else {
      holdfast = try build(["holdfast", "holdfast-worker"], root: root) + "/holdfast"
    }
    // scripts/make-catalog uses this.
    setenv("HOLDFAST_PROGRAM", holdfast, 1)
    unsetenv("HOLDFAST_LIBRARY")
    let bench = Workbench(root: root, folder: folder, holdfast: holdfast, options: options)
    try bench.wrapPrograms()
    return try body(bench)
  }

  /// A new path in `$TMPDIR`.
  static func temporary(_ name: String) -> String {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    return "\(folder)/\(name).\(UUID().uuidString.prefix(8))"
  }

  /// Waits for SIGINT and SIGTERM in a separate thread, because no signal handler may remove a
  /// folder.
  private static func endAtSignals(removing folders: [String]) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Thread.detachNewThread { [signals] in
      var signals = signals
      var caught: CInt = 0
      sigwait(&signals, &caught)
      for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
      _exit(130)
    }
  }
}

/// A sentence about a failed measurement.
struct BenchError: Error, CustomStringConvertible {
  /// The sentence.
  var description: String
}

/// Prints a line to standard error: progress, or a failure.
func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
