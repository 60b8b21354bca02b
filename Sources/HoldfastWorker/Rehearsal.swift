import Foundation
import Glibc
import HoldfastModel
import HoldfastWire

/// Makes and checks a recording of silence in the nursery's memory.
///
/// When a type or a function is used for the first time, Swift, the dynamic linker and the codecs
/// look up and fill in what they need. The nursery does this once. Otherwise each worker would
/// spend some milliseconds on it.
enum Rehearsal {
  private static let sampleRate = 48_000
  private static let samples = 4_800

  /// Converts and checks as workers do, but without a file.
  static func run(_ calls: some MediaCalls) {
    // A failure does not matter: workers then do the look-ups themselves.
    try? record(calls)
  }

  private static func record(_ calls: some MediaCalls) throws {
    let silence = try MemoryFile(named: "silence.wav")
    let encoded = try MemoryFile(named: "encoded.m4a")
    let copied = try MemoryFile(named: "copied.m4a")
    let bytes = wave
    guard pwrite(silence.media.descriptor, bytes, bytes.count, 0) == bytes.count else { return }
    try convert(silence, to: encoded, calls)
    try convert(encoded, to: copied, calls)
  }

  private static func convert(
    _ source: MemoryFile, to output: MemoryFile, _ calls: some MediaCalls
  ) throws {
    let (source, output) = (source.media, output.media)
    func perform(_ job: MediaJob) throws -> MediaReport {
      let report = try calls.perform(job, progress: { _ in })
      // When a type is read or written for the first time, Swift searches the whole program for its
      // conformances.
      let order = try WireCoding.encode(WorkerOrder(.job(job), pixels: 1))
      _ = try WireCoding.decode(WorkerOrder.self, from: order)
      let reply = try WireCoding.encode(WorkerReply.done(report))
      _ = try WireCoding.decode(WorkerReply.self, from: reply)
      return report
    }
    guard
      case .probed(let info) = try perform(.probe(source, depth: .packets, isAlone: true)),
      case .converted(let report) = try perform(
        .convert(
          ConversionPlan(for: info, creationTime: Date(timeIntervalSince1970: 0.5)),
          source: source, output: output))
    else { return }
    _ = try perform(.check(report, source: source, output: output))
  }

  /// A WAV file with 16 bits and one channel, in which every sample is 0.
  private static var wave: [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let size = samples * 2
    return Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
      + number(1, 2) + number(1, 2) + number(sampleRate, 4) + number(sampleRate * 2, 4)
      + number(2, 2) + number(16, 2) + Array("data".utf8) + number(size, 4)
      + [UInt8](repeating: 0, count: size)
  }
}
