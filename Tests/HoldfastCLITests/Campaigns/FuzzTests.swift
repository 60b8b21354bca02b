import Foundation
import HoldfastTestSupport
import Testing

/// Imports the mutants in `$HOLDFAST_FUZZ`, a number of them or a range such as `17-17`, of the
/// series that `$HOLDFAST_FUZZ_SEED` begins.
@Suite("Mutants of media files", .temporaryFolder)
struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let numbers: ClosedRange<Int> = {
    let bounds = (environment["HOLDFAST_FUZZ"] ?? Extent.choose(sample: "30", whole: "150")).split(
      separator: "-"
    ).map { Int($0) ?? 0 }
    guard let last = bounds.last, last > 0 else { preconditionFailure("$HOLDFAST_FUZZ: how many?") }
    return (bounds.count > 1 ? bounds[0] : 1)...last
  }()
  private static let seed = environment["HOLDFAST_FUZZ_SEED"].flatMap { UInt64($0) } ?? Extent.seed
  /// How many imports pass between two checks of the whole library.
  private static let stride = 25
  private static let lanes = 2

  @Test(
    "Every mutant is imported or refused in one sentence, and leaves nothing behind",
    arguments: 1...lanes)
  func mutants(lane: Int) async throws {
    let mutants = MediaMutants(seed: Self.seed)
    let run = try MutantImport()
    var tally = MutantTally()
    // An existing library reports no creation, and has something to lose.
    try await run.library.importing("aac.m4a")
    for number in Self.numbers where number % Self.lanes == lane % Self.lanes {
      let mutant = try mutants.mutant(number)
      let outcome = try await run.take(mutant)
      tally.count(outcome, number)
      var complaints = outcome.complaints
      if number / Self.lanes % Self.stride == 0, try await !run.library.findings().isEmpty {
        complaints.append("verify finds something, if not of this mutant then of one before")
      }
      if !complaints.isEmpty {
        let kept = try keep(mutant, number)
        Issue.record(
          """
          mutant \(number) of seed \(Self.seed), kept as \(kept), made of \(mutant.origin), \
          with \(outcome.options): \(complaints.joined(separator: "; "))
          """)
      }
      if let crash = outcome.crash {
        let kept = try keep(mutant, number)
        print("mutant \(number) of seed \(Self.seed), kept as \(kept): \(crash)")
      }
    }
    try await run.library.expectSound()
    print("lane \(lane) of seed \(Self.seed): \(tally)")
  }

  @Test("A mutant depends only on its two numbers")
  func repeatable() throws {
    let bytes = try (1...20).map { try MediaMutants(seed: 7).mutant($0).bytes }
    #expect(try (1...20).map { try MediaMutants(seed: 7).mutant($0).bytes } == bytes)
    #expect(Set(bytes).count == 20)
    #expect(try MediaMutants(seed: 8).mutant(1).bytes != bytes[0])
  }

  /// Keeps a mutant after the tests.
  private func keep(_ mutant: MediaMutants.Mutant, _ number: Int) throws -> String {
    let folder = Repository.root + "/.build-fuzz"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/\(Self.seed)-\(number).\(mutant.fileExtension)"
    try Data(mutant.bytes).write(to: URL(filePath: path))
    return path
  }
}

/// The results of all mutants.
private struct MutantTally: CustomStringConvertible {
  private var events: [String: Int] = [:]
  private var crashes = 0
  private var largest = (megabytes: 0, number: 0)
  private var slowest = (seconds: 0.0, number: 0)

  mutating func count(_ outcome: MutantOutcome, _ number: Int) {
    events[outcome.event, default: 0] += 1
    if outcome.crash != nil { crashes += 1 }
    let cost = outcome.cost
    if cost.megabytes > largest.megabytes { largest = (cost.megabytes, number) }
    if cost.seconds > slowest.seconds { slowest = (cost.seconds, number) }
  }

  var description: String {
    let counts = events.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(counts.joined(separator: ", ")); \(crashes) crashes of a worker; "
      + "at most \(largest.megabytes) MB, for mutant \(largest.number), "
      + "and \(slowest.seconds) s, for mutant \(slowest.number)"
  }
}
