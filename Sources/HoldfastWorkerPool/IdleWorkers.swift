import Foundation
import HoldfastModel

/// The workers of a pool: those that are working, those that are idle, and those that were started
/// ahead for their first job.
struct IdleWorkers {
  private static let mostSpare = ProcessInfo.processInfo.activeProcessorCount

  /// The largest number of pixels in a picture for which new workers have memory. At first this is
  /// enough for 1080p.
  private(set) var pixels = 1 << 21

  private var all: [ObjectIdentifier: (worker: WorkerProcess, pixels: Int)] = [:]
  private var idle: [(worker: WorkerProcess, since: ContinuousClock.Instant)] = []
  /// Whether ``takeIdle(for:)`` will be called for the workers that are idle now.
  private var isTimed = false
  private var spare: [WorkerProcess] = []
  private var ending: [WorkerProcess] = []

  /// Whether to start a worker ahead. There should be one for each that is working, but no more
  /// than there are cores.
  var needsSpare: Bool { spare.count < min(all.count - idle.count, Self.mostSpare) }

  /// Gives new workers the memory for larger pictures. The next files get that memory too, because
  /// most pictures in a folder have one size.
  mutating func raise(to wanted: Int) {
    while pixels < wanted { pixels *= 2 }
    pixels = min(pixels, PictureLimit.pixels)
  }

  mutating func add(_ worker: WorkerProcess, pixels: Int) {
    all[ObjectIdentifier(worker)] = (worker, pixels)
  }

  mutating func remove(_ worker: WorkerProcess) { all[ObjectIdentifier(worker)] = nil }

  /// Removes and returns an idle worker with enough memory: the one that was idle for the shortest
  /// time, because its memory is most likely to be in the caches.
  mutating func takeIdle(pixels: Int) -> WorkerProcess? {
    guard
      let position = idle.lastIndex(where: {
        (all[ObjectIdentifier($0.worker)]?.pixels ?? 0) >= pixels
      })
    else { return nil }
    return idle.remove(at: position).worker
  }

  /// Notes that a worker is idle.
  ///
  /// - Returns: Whether the caller must see to it that ``takeIdle(for:)`` is called.
  mutating func putBack(_ worker: WorkerProcess) -> Bool {
    idle.append((worker, .now))
    defer { isTimed = true }
    return !isTimed
  }

  /// Removes and returns the workers that have been idle for so long.
  ///
  /// - Returns: The workers, and whether it must be called again for others.
  mutating func takeIdle(for time: Duration) -> (ended: [WorkerProcess], isMore: Bool) {
    let limit = ContinuousClock.now - time
    let ended = idle.filter { $0.since <= limit }.map(\.worker)
    idle.removeAll { $0.since <= limit }
    isTimed = !idle.isEmpty
    return (ended, isTimed)
  }

  mutating func putSpare(_ worker: WorkerProcess) { spare.append(worker) }

  /// Removes and returns the first worker that was started and has had no job.
  mutating func takeSpare() -> WorkerProcess? { spare.isEmpty ? nil : spare.removeFirst() }

  /// Records that a worker is done and will end without a wait.
  mutating func letEnd(_ worker: WorkerProcess) {
    remove(worker)
    ending.append(worker)
  }

  /// Removes and returns the workers that were let go and have not been seen to end.
  mutating func takeEnding() -> [WorkerProcess] {
    defer { ending = [] }
    return ending
  }

  mutating func takeAll() -> [WorkerProcess] {
    defer { (all, idle, spare, ending) = ([:], [], [], []) }
    return all.values.map(\.worker) + spare + ending
  }
}
