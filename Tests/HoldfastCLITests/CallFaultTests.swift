import Foundation
import HoldfastTestSupport
import Testing

/// Makes every third call fail in one of the ways in turn; where `$HOLDFAST_FAULTS` is `all` or names
/// operations (`delete erase`), every call of these in every way.
@Suite("Every call that changes a file", .temporaryFolder)
struct CallFaultTests {
  private static let wanted = ProcessInfo.processInfo.environment["HOLDFAST_FAULTS"]
  private static let isWhole = wanted != nil
  private static let operations: [LibraryOperation] = {
    guard let wanted, wanted != "all" else { return LibraryOperation.allCases }
    let names = wanted.split(separator: " ")
    return LibraryOperation.allCases.filter { names.contains("\($0)"[...]) }
  }()

  @Test("The operations that are named are there")
  func operationsAreKnown() {
    let names = (Self.wanted ?? "all").split(separator: " ")
    #expect(names == ["all"] || names.count == Self.operations.count)
  }

  @Test(
    "Whatever fails or dies there, what was said to be done is, and what was said to fail is not",
    .timeLimit(.minutes(isWhole ? 600 : 60)), arguments: operations)
  func faults(operation: LibraryOperation) async throws {
    let library = LibraryFolder()
    let copy = LibraryFolder("copy")
    let arguments = copy.command(try await operation.prepare(library))
    let names = try await KnownNames()
    let points = try await points(of: arguments, names, library, copy)
    // It came to its end and changed something, or else nothing is tested.
    try #require(points.points.count > 10)
    #expect(points.missed.map(\.text).isEmpty)
    var count = 0
    for (index, point) in points.points.enumerated() {
      for fault in Self.faults(at: index) {
        count += 1
        let moment = "\(fault.rawValue) at \(point)"
        let result = try await meet(fault, at: point, arguments, names) {
          try await renew(copy, from: library)
          return copy.path
        }
        let met = try #require(result, "\(moment): it is not met")
        // A command that hangs is killed as well.
        #expect(fault == .killed || !met.wasKilled, "\(moment): it hangs")
        // Any command that writes recovers.
        let next = try await copy.holdfast("craving", "log", "--intensity", "1", "--json")
        #expect(next.status == 0, "\(moment): \(next.errorOutput)")
        try await operation.judge(moment, met, copy)
      }
    }
    print("\(operation.rawValue): \(count) faults at \(points.points.count) calls")
  }

  /// Runs a command until a fault meets the call that is meant.
  ///
  /// - Parameter renew: Makes the library anew, and says where.
  /// - Returns: What the command said; `nil` if the call was not met in ten runs.
  private func meet(
    _ fault: CallFault, at point: FaultPoint, _ arguments: [String], _ names: KnownNames,
    renew: () async throws -> String
  ) async throws -> CommandResult? {
    var aim = point
    for _ in 1...10 {
      let library = try await renew()
      let trace = try await aim.run(arguments, fault, names)
      let hit = trace.tracedCalls.filter {
        $0.text.contains(fault == .killed ? "= ?" : "(INJECTED)")
      }
      // Where it was a thread's call to another as well, what comes of that is no matter of files.
      if !hit.isEmpty, hit.allSatisfy({ $0.operands.contains { $0.hasPrefix(library) } }) {
        return trace.result
      }
      // Which of Swift's threads makes the calls may now and then be another one.
      aim = aim.found(in: trace.tracedCalls) ?? aim
    }
    return nil
  }

  private static func faults(at index: Int) -> [CallFault] {
    let all = CallFault.allCases
    if isWhole { return all }
    return index.isMultiple(of: 3) ? [all[index / 3 % all.count]] : []
  }

  private func points(
    of arguments: [String], _ names: KnownNames, _ library: LibraryFolder, _ copy: LibraryFolder
  ) async throws -> FaultPoints {
    var traces: [Strace] = []
    for _ in 1...2 {
      try await renew(copy, from: library)
      let trace = try await Strace.run(
        [FaultPoints.expression], arguments, seconds: FaultPoint.patience, names: names)
      try #require(trace.result.status == 0, "\(trace.result.errorOutput)")
      traces.append(trace)
    }
    return FaultPoints(in: copy, traces[0], traces[1])
  }

  private func renew(_ copy: LibraryFolder, from library: LibraryFolder) async throws {
    _ = try await Command.output(of: "rm", ["-rf", copy.path])
    _ = try await Command.output(of: "cp", ["-a", library.path, copy.path])
  }
}
