import Foundation
import HoldfastTestSupport
import Testing

/// The fault of a call that would have changed a file.
enum CallFault: String, CaseIterable {
  case ioError = "EIO"
  case diskFull = "ENOSPC"
  case noPermission = "EACCES"
  case killed = "KILL"
}

/// A call of a command, described for strace or the library of ``KnownNames``.
struct FaultPoint: CustomStringConvertible {
  let call: String
  /// The call's number among those of its name in its thread, as strace counts; `nil` if strace
  /// cannot tell it from another thread's.
  let number: Int?
  /// The same among the calls of all threads.
  let place: Int
  /// Only calls that name this path are counted, if it is not `nil`.
  let path: String?

  var description: String { "\(call) \(place)" + (path.map { " of \($0)" } ?? "") }

  /// Runs a command with this fault.
  ///
  /// - Returns: The command's result; `nil` if another call was met, or none.
  func run(
    _ arguments: [String], _ fault: CallFault, _ names: KnownNames
  ) async throws -> CommandResult? {
    guard let number else {
      return try await names.run(arguments, fault, at: self, seconds: Self.patience)
    }
    let effect = fault == .killed ? "signal=KILL" : "error=\(fault.rawValue)"
    let trace = try await Strace.run(
      ["trace=\(call)", "inject=\(call):\(effect):when=\(number)"], path: path, arguments,
      seconds: Self.patience, names: names)
    let calls = trace.tracedCalls.filter(counts)
    // If other calls have the same number in their threads, these fail too, later.
    let met = calls.firstIndex {
      $0.text.contains(fault == .killed ? "= ?" : "(INJECTED)")
    }
    return met == place - 1 ? trace.result : nil
  }

  /// Whether a call is counted for this one's number.
  private func counts(_ call: TracedCall) -> Bool {
    call.name == self.call && path.map(call.operands.contains) ?? true
  }

  /// The time after which a command counts as hanging, in seconds.
  static let patience = 60
}

/// Every moment at which a command can fail or die: each of its calls that changes a file.
///
/// strace counts each thread's calls separately, so the second `fsync` of the third thread is "the
/// second of a thread", which another thread may make first. Counting only the calls that name a
/// path tells most of them apart. For that, the command runs with ``KnownNames``, whose library
/// counts the rest over all threads.
struct FaultPoints {
  private static let changing: Set = [
    "chmod", "copy_file_range", "creat", "fallocate", "fchmod", "fchmodat", "fdatasync", "fsync",
    "ftruncate", "link", "linkat", "mkdir", "mkdirat", "open", "openat", "openat2", "pwrite64",
    "pwritev", "pwritev2", "rename", "renameat", "renameat2", "rmdir", "sendfile", "symlink",
    "symlinkat", "sync_file_range", "truncate", "unlink", "unlinkat", "write", "writev",
  ]
  /// The calls that strace traces. `syncfs` never fails here: two threads of a merge make one each,
  /// which cannot be told apart.
  static let expression = "trace=\(changing.union(["syncfs"]).sorted().joined(separator: ","))"

  let points: [FaultPoint]
  /// The calls that cannot be singled out.
  let missed: [TracedCall]

  /// Finds the points of a command.
  ///
  /// - Parameters:
  ///   - folders: Where the calls count.
  ///   - trace: The command's trace.
  ///   - again: The trace of a second run: calls in both will occur again.
  init(in folders: [String], _ trace: Strace, _ again: Strace) {
    let known = Set(again.tracedCalls.flatMap(\.operands))
    var points: [FaultPoint] = []
    var missed: [TracedCall] = []
    for (index, call) in trace.tracedCalls.enumerated() where Self.changes(call, in: folders) {
      // strace prints the working folder, but does not match it.
      let paths = call.operands.filter {
        known.contains($0) && !$0.isEmpty && !call.text.contains("AT_FDCWD<\($0)>")
      }
      // Without a path, strace would mistake a thread's call to another for the write that should
      // fail.
      let places: [String?] = call.name == "write" ? paths : [nil] + paths
      let found = places.compactMap { Self.point(index, in: trace.tracedCalls, $0) }
      // The fewer calls are counted, the surer the same one is met again.
      if let point = found.min(by: { $0.place < $1.place }) {
        points.append(point)
      } else if let point = Self.pointOfAllThreads(index, in: trace.tracedCalls, paths) {
        points.append(point)
      } else if !call.operands.contains(".lock") {
        // The library's lock file exists already: locking it again changes nothing.
        missed.append(call)
      }
    }
    self.points = points
    self.missed = missed
  }

  private static func changes(_ call: TracedCall, in folders: [String]) -> Bool {
    guard changing.contains(call.name),
      call.operands.contains(where: { operand in
        folders.contains { operand == $0 || operand.hasPrefix($0 + "/") }
      })
    else { return false }
    return !call.name.hasPrefix("open") || call.text.contains("O_CREAT")
  }

  /// The point of this call, and of no earlier one.
  private static func point(_ index: Int, in calls: [TracedCall], _ path: String?) -> FaultPoint? {
    let target = calls[index]
    let counted = calls.indices.filter { other in
      calls[other].name == target.name && (path.map(calls[other].operands.contains) ?? true)
    }
    let number = counted.count { $0 <= index && calls[$0].thread == target.thread }
    var counts: [String: Int] = [:]
    let first = counted.first { other in
      counts[calls[other].thread, default: 0] += 1
      return counts[calls[other].thread] == number
    }
    guard first == index else { return nil }
    let place = counted.count { $0 <= index }
    return FaultPoint(call: target.name, number: number, place: place, path: path)
  }

  /// The point of a call that strace cannot tell from another thread's, counted over all threads.
  private static func pointOfAllThreads(
    _ index: Int, in calls: [TracedCall], _ paths: [String]
  ) -> FaultPoint? {
    let target = calls[index]
    guard KnownNames.calls.contains(target.name), !target.operands.contains(".lock") else {
      return nil
    }
    let points = paths.map { path in
      let place = calls[...index].count {
        $0.name == target.name && $0.operands.contains(path)
      }
      return FaultPoint(call: target.name, number: nil, place: place, path: path)
    }
    return points.min { $0.place < $1.place }
  }
}
