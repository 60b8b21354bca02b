import ArgumentParser
import Foundation

/// `scripts/bench worker`
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Measure what it costs to read and make media in another process.",
    discussion: """
      Makes the same imports and thumbnails with the engine in a worker and in one process, in turn.
      """)

  @Argument(
    help: "Files and folders to import; the folder $HOLDFAST_CORPUS unless said, or fixtures/.")
  var paths: [String] = []

  func run() throws {
    try Workbench.with(MeasuringOptions.parse([])) { bench in
      let inProcess = try bench.inProcessProgram()
      try compareImports(on: bench, inProcess)
      print(
        try bench.output(of: [
          inProcess, "thumbnails", bench.worker, "\(bench.root)/fixtures/portrait.mov",
          bench.folder,
        ]), terminator: "")
    }
  }

  private func compareImports(on bench: Workbench, _ inProcess: String) throws {
    let corpus = ProcessInfo.processInfo.environment["HOLDFAST_CORPUS"]
    let sources = paths.isEmpty ? [corpus ?? "\(bench.root)/fixtures"] : paths
    var one: [ChildEnd] = []
    var worker: [ChildEnd] = []
    for round in 0..<bench.options.rounds {
      let libraries = ["process", "worker"].map { "\(bench.folder)/\($0)-\(round)" }
      for library in libraries { try bench.run([bench.holdfast, "init", library]) }
      one.append(try importing([inProcess, "import", libraries[0]] + sources, on: bench))
      worker.append(
        try importing(
          [bench.holdfast, "import", "--quiet", "--library", libraries[1]] + sources, on: bench))
    }
    let figures: [(String, KeyPath<ChildEnd, Double>)] = [
      ("time", \.seconds), ("processor time", \.processorSeconds),
    ]
    for (what, figure) in figures {
      let (a, b) = (
        median(one.map { $0[keyPath: figure] }), median(worker.map { $0[keyPath: figure] })
      )
      print(
        "an import, \(what): "
          + format("in process %.2f s, worker %.2f s; %.3f (at most 1.03)", a, b, b / a))
    }
  }

  /// Runs an import; status 3 means that it refused some files, which fixtures are meant to be.
  private func importing(_ command: [String], on bench: Workbench) throws -> ChildEnd {
    try bench.run(command, allowing: [0, 3])
  }
}
