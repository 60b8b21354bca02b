import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Merged words")
struct MergedWordsTests {
  @Test(
    "The notes of three libraries survive edits of other values and merges in any order",
    arguments: UInt64(1)...200)
  func histories(seed: UInt64) throws {
    var random = SeededNumbers(seed: seed)
    var versions = try (0..<3).map { number in
      var recording = try Samples.recording()
      recording.id = try #require(
        UUID(uuidString: "0000000\(number)-0000-4000-8000-000000000000"))
      (recording.title, recording.notes) = ("Title \(number)", "Notes \(number).")
      recording.modifiedAt = nil
      return MergedRecording.Version(recording)
    }
    func merge(_ other: Int, into own: Int) throws {
      let merged = try #require(try MergedRecording(versions[own], versions[other]))
      let names = [versions[own], versions[other]].flatMap { $0.formerIDs + [$0.recording.id] }
      versions[own] = .init(
        merged.recording, formerIDs: Set(names).filter { $0 != merged.recording.id }.sorted())
    }
    for step in 1...12 {
      let (own, other) = (Int(random.next() % 3), Int(random.next() % 3))
      if own == other {
        versions[own].recording.title = "Edit \(step)"
        versions[own].recording.modifiedAt = Date(timeIntervalSince1970: Double(step))
      } else {
        try merge(other, into: own)
      }
    }
    for own in [0, 1, 2, 0, 1, 2] {
      for other in 0..<3 where other != own { try merge(other, into: own) }
    }
    let notes = versions.map { Set($0.recording.notes?.components(separatedBy: "\n\n") ?? []) }
    #expect(notes.allSatisfy { $0 == notes[0] })
    #expect(Set(["Notes 0.", "Notes 1.", "Notes 2."]).isSubset(of: notes[0]), "\(notes[0])")
    #expect(Set(versions.map(\.recording.title)).count == 1)
  }
}
