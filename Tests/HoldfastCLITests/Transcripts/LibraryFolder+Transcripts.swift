import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport

extension LibraryFolder {
  /// Keeps a transcript of a recording, a second for each sentence, as a program makes it.
  func transcribe(_ id: String, _ sentences: String..., at moment: Int = 0) async throws {
    // Its first use marks the folder as changed.
    _ = try await column("SELECT 1")
    let library = try Library.open(
      at: LibraryLocation(path: path), for: .writing, journals: [.cravings])
    let segments = sentences.enumerated().map {
      SpokenWords.Segment(startTime: $0 * 1000, endTime: $0 * 1000 + 800, text: $1)
    }
    let words = try SpokenWords(language: "en", segments: segments, duration: 60_000)
    try library.keepTranscripts(
      [
        Transcript(
          of: UUID(uuidString: id) ?? UUID(), words, source: .program, program: "whisper-cli",
          model: "tiny.en", createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(moment)))
      ], replacing: .machines)
  }

  /// The sentences in the catalog, by sqlite3.
  func sentences() async throws -> [String] {
    try await column("SELECT text FROM transcriptSegment ORDER BY transcriptId, position")
  }
}
