import Foundation
import HoldfastTestSupport
import Testing

/// Makes every 24th call that changes a file fail in one of the ways in turn, or every twelfth in a
/// full run. If `$HOLDFAST_FAULTS` is `all` or names operations (`delete erase`), every call of
/// these fails in every way.
struct CallFaults {
  private static let wanted = ProcessInfo.processInfo.environment["HOLDFAST_FAULTS"]
  /// The operations to test in full; empty for all of them.
  static let names = (wanted ?? "all").split(separator: " ").map(String.init).filter { $0 != "all" }
  static let isWhole = wanted != nil
  /// How long a test of one operation may take, in minutes.
  static let minutes = isWhole ? 600 : 60
  /// How often a command is run until its threads make the same calls again.
  private static let mostRuns = 20
  /// The limit for that for one operation, in seconds, unless every call is tested: on some
  /// machines the threads hardly ever do.
  private static let longest = 420.0

  let operation: any TestedOperation

  init(of operation: any TestedOperation) { self.operation = operation }

  /// Expects that the library matches what the command reported, whichever call fails or is killed.
  func expectReported() async throws {
    let library = LibraryFolder()
    let copy = LibraryFolder(at: "copy")
    let arguments = copy.command(try await operation.prepare(library))
    for other in operation.others { try await Self.copy(other, to: other + ".before") }
    let names = try await KnownNames(refusingLinks: operation.refusesLinks)
    let points = try await points(of: arguments, names, library, copy)
    // The command must end and change something, or nothing is tested.
    try #require(points.points.count > 10)
    var count = 0
    var runs = 0
    var unmet: [String] = []
    let begin = Date()
    calls: for (index, point) in points.points.enumerated() {
      for fault in Self.faults(at: index) {
        guard Self.isWhole || -begin.timeIntervalSinceNow < Self.longest else {
          print(
            "\(operation.testDescription): the rest, from call \(index) on, is left out: no time")
          break calls
        }
        count += 1
        let moment = "\(fault.rawValue) at \(point)"
        let result = try await meet(fault, at: point, arguments, names) {
          runs += 1
          try await renew(copy, from: library)
        }
        guard let met = result else {
          unmet.append(moment)
          continue
        }
        // A command that hangs is killed too.
        #expect(fault == .killed || !met.wasKilled, "\(moment): it hangs")
        // Any command that writes recovers.
        let next = try await operation.recover(copy)
        #expect(next.status == 0, "\(moment): \(next.errorOutput)")
        try await operation.judge(moment, met, copy)
      }
    }
    print(
      "\(operation.testDescription): \(count) faults at \(points.points.count) calls, "
        + "in \(runs) runs"
    )
    // While other tests run, Swift's threads share the work differently each time.
    let unmetCalls = points.missed.map { "\($0.thread) \($0.text)" } + unmet
    #expect(Self.isWhole ? unmetCalls.isEmpty : unmet.count * 2 < count, "\(unmetCalls)")
  }

  /// Runs a command until a fault meets the intended call: sometimes, above all on a busy machine,
  /// another of Swift's threads makes it.
  ///
  /// - Parameter renew: Makes the library again.
  /// - Returns: The command's result; `nil` if no run met the call.
  private func meet(
    _ fault: CallFault, at point: FaultPoint, _ arguments: [String], _ names: KnownNames,
    renew: () async throws -> Void
  ) async throws -> CommandResult? {
    for _ in 1...Self.mostRuns {
      try await renew()
      if let result = try await point.run(arguments, fault, names) { return result }
    }
    return nil
  }

  private static func faults(at index: Int) -> [CallFault] {
    let all = CallFault.allCases
    if isWhole { return all }
    let step = Extent.choose(sample: 24, whole: 12)
    return index.isMultiple(of: step) ? [all[index / step % all.count]] : []
  }

  private func points(
    of arguments: [String], _ names: KnownNames, _ library: LibraryFolder, _ copy: LibraryFolder
  ) async throws -> FaultPoints {
    func trace() async throws -> Strace {
      try await renew(copy, from: library)
      let trace = try await Strace.run(
        [FaultPoints.expression], arguments, seconds: FaultPoint.patience, names: names)
      try #require(trace.result.status == 0, "\(trace.result.errorOutput)")
      return trace
    }
    let again = try await trace()
    let folders = [copy.path] + operation.others.map(temporary)
    var points = FaultPoints(in: folders, try await trace(), again)
    for _ in 1...Self.mostRuns where !points.missed.isEmpty {
      points = FaultPoints(in: folders, try await trace(), again)
    }
    return points
  }

  private func renew(_ copy: LibraryFolder, from library: LibraryFolder) async throws {
    try await Self.copy(library.path, to: copy.path)
    for other in operation.others { try await Self.copy(other + ".before", to: other) }
  }

  /// Replaces a folder with a copy of another, both in the test's folder.
  private static func copy(_ source: String, to target: String) async throws {
    _ = try await Command.output(
      of: "sh",
      [
        "-c", "cd \"$0\" && rm -rf \"$2\" && exec cp -a \"$1\" \"$2\"", temporary(""), source,
        target,
      ])
  }
}
