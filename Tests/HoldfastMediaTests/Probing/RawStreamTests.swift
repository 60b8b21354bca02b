import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// A hundred kilobytes of garbage before an MP3 became 80 s of noise.
@Suite("Raw streams", .temporaryFolder)
struct RawStreamTests {
  private let frames = try? Data(contentsOf: URL(filePath: Fixtures.path("amr-nb.amr"))).dropFirst(
    6)

  private func write(_ bytes: Data) throws -> String {
    let path = newPath("amr")
    try bytes.write(to: URL(filePath: path))
    return path
  }

  @Test("AMR without its mark is imported if it has frames and nothing else")
  func withoutMark() async throws {
    let frames = try #require(frames)
    let path = try write(frames + frames + frames)
    let made = try await convert(path)
    #expect(made.info.container == "amrnb")
    try await made.check()
    #expect(abs(try await FFprobe.presentedDuration(made.path) - 4.5) < 0.1)
  }

  @Test("Bytes that only begin like AMR are refused")
  func garbage() async throws {
    var numbers = SeededNumbers(seed: 7)
    let headers: [UInt8] = [0x04, 0x0C, 0x14, 0x1C, 0x24, 0x2C, 0x34, 0x3C]
    let garbage = Data((0..<100_000).map { _ in headers.randomElement(using: &numbers) ?? 0x3C })
    let music = try await make("a.mp3", ["-f", "lavfi", "-i", "sine=duration=3"])
    let path = try write(garbage + (try Data(contentsOf: URL(filePath: music))))
    let error = await #expect(throws: HoldfastError.self) { try await probe(path) }
    #expect(error?.code == .notAccepted)
    #expect(error?.reason.contains("mark of AMR") == true)
  }

  @Test("Sound whose packets mostly do not decode is refused")
  func mostlyDamaged() async throws {
    let whole = try await make(
      "whole.mka", ["-f", "lavfi", "-i", "sine=duration=4", "-c:a", "flac"])
    let bad = try await make(
      "bad.mka", ["-i", whole, "-c", "copy", "-bsf:a", "noise=amount='if(gt(mod(n,4),0),1,0)'"])
    let error = await #expect(throws: HoldfastError.self) { try await convert(bad) }
    #expect(error?.code == .damaged)
    #expect(error?.reason.contains("packets of its sound do not decode") == true)
    let some = try await make(
      "some.mka", ["-i", whole, "-c", "copy", "-bsf:a", "noise=amount='if(mod(n,9),0,1)'"])
    #expect(try await convert(some).report.damagedPackets ?? 0 > 0)
  }
}
