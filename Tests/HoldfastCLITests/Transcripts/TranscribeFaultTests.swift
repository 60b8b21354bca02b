import Foundation
import HoldfastTestSupport
import Testing

/// `transcribe` of two recordings.
struct TranscribeOperation: TestedOperation {
  let testDescription = "transcribe"

  func prepare(_ library: LibraryFolder) async throws -> [String] {
    try await library.importingTones(2)
    let fake = try FakeTranscriber("for sound in sounds: write(sound, whisper((0, 1, 'Word')))")
    return [
      "transcribe", "--json", "--now", "--program", fake.program, "--model", fake.model,
      "--language", "en",
    ]
  }

  func judge(_ moment: String, _ result: CommandResult, _ library: LibraryFolder) async throws {
    try await library.expectSound(moment)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"], "\(moment)")
    let states = try await library.states()
    #expect(states.allSatisfy { $0 == "words" }, "\(moment)")
    #expect(try await library.segments().count == states.count, "\(moment)")
    if result.status == 0 { #expect(states.count == 2, "\(moment)") }
    // A second run does what is left.
    let fake = try FakeTranscriber("for sound in sounds: write(sound, whisper((0, 1, 'Word')))")
    let again = try await fake.transcribe(library)
    #expect(again.status == 0, "\(moment): \(again.errorOutput)")
    #expect(try await library.states() == ["words", "words"], "\(moment)")
  }
}

@Suite("Transcribing: faults", .temporaryFolder)
struct TranscribeFaultTests {
  private static let isWanted =
    CallFaults.isWhole
    ? CallFaults.names.isEmpty || CallFaults.names.contains("words") : Extent.isWhole

  @Test(
    "When any call that changes a file fails or is killed, words come whole or not at all",
    .timeLimit(.minutes(CallFaults.minutes)),
    .enabled(if: isWanted, "only scripts/test --all and scripts/faults have the time"))
  func faults() async throws { try await CallFaults(of: TranscribeOperation()).expectReported() }
}
