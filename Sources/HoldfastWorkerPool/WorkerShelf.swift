internal import Foundation
internal import HoldfastModel

/// The workers of a pool: those that are at work, those that wait for another job, and those that were
/// started ahead for their first.
struct WorkerShelf {
  private static let mostSpare = ProcessInfo.processInfo.activeProcessorCount

  /// Pictures of so many pixels fit into a worker's memory: those of 1080p at first.
  private(set) var pixels = 1 << 21

  private var all: [ObjectIdentifier: (worker: WorkerProcess, pixels: Int)] = [:]
  private var idle: [WorkerProcess] = []
  private var spare: [WorkerProcess] = []
  private var ending: [WorkerProcess] = []

  /// Whether a worker should be started ahead: one for each that is at work, but no more than there are
  /// cores.
  var needsSpare: Bool { spare.count < min(all.count - idle.count, Self.mostSpare) }

  /// Gives workers to come the memory for larger pictures, and those of the next files with them: a
  /// folder has mostly pictures of one size.
  mutating func raise(to wanted: Int) {
    while pixels < wanted { pixels *= 2 }
    pixels = min(pixels, PictureLimit.pixels)
  }

  /// Notes a new worker, which is at work.
  mutating func add(_ worker: WorkerProcess, pixels: Int) {
    all[ObjectIdentifier(worker)] = (worker, pixels)
  }

  /// Forgets a worker that has ended.
  mutating func remove(_ worker: WorkerProcess) { all[ObjectIdentifier(worker)] = nil }

  /// A worker that waits and has the memory; the one that waited least, which the caches know best.
  mutating func takeIdle(pixels: Int) -> WorkerProcess? {
    guard
      let position = idle.lastIndex(where: {
        (all[ObjectIdentifier($0)]?.pixels ?? 0) >= pixels
      })
    else { return nil }
    return idle.remove(at: position)
  }

  /// Lets a worker wait for the next job.
  mutating func putBack(_ worker: WorkerProcess) { idle.append(worker) }

  /// Keeps a worker that was started ahead.
  mutating func putSpare(_ worker: WorkerProcess) { spare.append(worker) }

  /// A worker that has had no job; the one that was started first.
  mutating func takeSpare() -> WorkerProcess? { spare.isEmpty ? nil : spare.removeFirst() }

  /// Notes that a worker is done and will end, which nobody waits for.
  mutating func letEnd(_ worker: WorkerProcess) {
    remove(worker)
    ending.append(worker)
  }

  /// The workers that were let go and whose end was not seen yet; the shelf forgets them.
  mutating func takeEnding() -> [WorkerProcess] {
    defer { ending = [] }
    return ending
  }

  /// Every worker that there is; the shelf is empty afterwards.
  mutating func takeAll() -> [WorkerProcess] {
    defer { (all, idle, spare, ending) = ([:], [], [], []) }
    return all.values.map(\.worker) + spare + ending
  }
}
