// The article "Play and count" shows what follows; ArticleTests compares the two and runs it.

import Holdfast
import HoldfastCravings
import HoldfastModel

/// Returns the five recordings that were played most.
func favourites(in library: Library) throws -> [Recording] {
  let query = RecordingQuery(purpose: .motivational, sort: .played, limit: 5)
  return try library.recordings(matching: query)
}

/// Plays a recording, and counts the play when the player ends.
///
/// - Returns: How often it was played; `nil` if this play could not be counted in time.
func play(
  _ recording: Recording, at location: LibraryLocation,
  with player: (_ path: String) async throws -> Void
) async throws -> Int? {
  let library = try Library.open(at: location, for: .reading)
  try await player(try library.file(of: recording))
  do {
    let patience = LockTimeoutPolicy(seconds: 5)
    let library = try Library.open(at: location, for: .writing, patience: patience)
    return try library.countPlay(id: recording.id)
  } catch HoldfastError.Code.locked {
    return nil
  }
}

/// Notes that a recording helped with the newest craving.
///
/// - Returns: The craving; `nil` if none was logged yet.
func noteHelp(of recording: Recording, at location: LibraryLocation) throws -> Craving? {
  let library = try Library.open(at: location, for: .writing, journals: [.cravings])
  let newest = try library.cravings(matching: CravingQuery(limit: 1))
  guard let craving = newest.first else { return nil }
  return try library.edit(Craving.self, id: craving.id) { $0.recordingID = recording.id }
}
