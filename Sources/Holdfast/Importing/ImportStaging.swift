import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The staging folder of one import: made when it is first needed, and removed at the end.
///
/// Most sources that are already in the library never need one.
actor ImportStaging {
  private let library: Library
  private let id: RecordingID
  private var made: Staging?

  /// - Parameter id: The import's identity, which names the folder.
  init(of library: Library, id: RecordingID) {
    self.library = library
    self.id = id
  }

  /// Returns the folder, and makes it if there is none yet.
  func folder() async throws -> Staging {
    if let made { return made }
    let staging = try await library.writableTree().makeStaging(id: id)
    made = staging
    return staging
  }

  /// Removes the folder, if there is one. If that fails, recovery removes it.
  func remove() async {
    guard let made else { return }
    try? await onOwnThread { _ in try made.remove() }
  }
}
