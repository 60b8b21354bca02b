import Foundation
import HoldfastCatalog
import HoldfastModel

extension SourceImport {
  /// Returns the recordings that were made earlier of an app's recording if the same files come of
  /// it again, in the order of its parts; `nil` if there are none.
  ///
  /// A phone writes its words into a memo later, which changes the memo's hash, and no more.
  func earlierImport(of recordings: [Recording]) throws -> [Recording]? {
    guard let app = item.app, app.id != id, !options.allowsDuplicates,
      let first = try library.catalog.recordings.find(knownAs: app.id)
    else { return nil }
    let earlier = try library.catalog.recordings.parts(ofSourceOf: first)
    let hashes = earlier.map(\.ingestion.fileSHA256)
    guard hashes == recordings.map(\.ingestion.fileSHA256) else { return nil }
    for recording in earlier { try refuseIfLost(recording.id) }
    return earlier
  }

  /// Returns the transcripts of the recordings that were made of a source, from the words that the
  /// phone stored in it. A recording in which nothing was said gets none.
  ///
  /// If they cannot be kept, there is a warning, and none of the recordings gets one.
  func transcripts(
    of recordings: [Recording], _ prepared: PreparedSource, _ warnings: inout [String]
  ) -> (PreparedSource, [Transcript]) {
    guard let words = prepared.info.transcript else { return (prepared, []) }
    do throws(RuleError) {
      var transcripts: [Transcript] = []
      for recording in recordings {
        guard let plan = recording.ingestion.conversion?.plan else { continue }
        let words = try words.words(for: plan, duration: recording.duration)
        guard !words.segments.isEmpty else { continue }
        transcripts.append(
          Transcript(of: recording.id, words, source: .phone, createdAt: recording.createdAt))
      }
      return (prepared, transcripts)
    } catch {
      var prepared = prepared
      prepared.info.noteUnreadTranscript(error)
      warnings += [prepared.info.transcriptLoss].compactMap(\.self)
      return (prepared, [])
    }
  }
}
