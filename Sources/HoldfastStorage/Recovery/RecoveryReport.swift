package import Foundation
package import HoldfastModel

/// The findings and changes of a recovery. If it is empty, there was nothing to do.
package struct RecoveryReport: Hashable, Sendable {
  /// Imports that are still at work, here or in another process, and were left alone.
  package var living: [UUID] = []
  package var removedStaging: [UUID] = []
  /// Files that an interrupted import had published without a row, and that were removed.
  package var unpublished: [RelativePath] = []
  /// Erases that were interrupted before their commit, and whose folders were moved back.
  package var broughtBack: [UUID] = []
  /// Files of interrupted deletions whose row still exists. The files were moved back.
  package var restored: [RelativePath] = []
  /// Recordings whose row was already gone, and whose deletion was finished.
  package var deleted: [RecordingID] = []
  /// Whether the recordings' files were missing, so that everything but erases was left as it is.
  package var isPutOff = false
  /// Folders left alone: another computer may be using them, or an older Holdfast left them.
  package var others: [OthersWork] = []
  /// The quarantine into which such folders were moved after a day, or `nil` if none was moved.
  package var quarantine: String?
  /// Paths in the library that Holdfast did not make or could not place, and left alone. They are
  /// not escaped for display.
  package var leftAlone: [String] = []

  /// Whether nothing was changed, apart from moves into quarantine.
  package var isEmpty: Bool {
    removedStaging.isEmpty && unpublished.isEmpty && broughtBack.isEmpty && restored.isEmpty
      && deleted.isEmpty
  }
}

/// A folder in `.staging` or `.trash` that is not known to be this computer's.
package struct OthersWork: Hashable, Sendable {
  /// The path, relative to the library's folder.
  package let path: String
  /// When anything in it last changed, in seconds since 1970.
  package let lastChange: Int64

  func isAbandoned(at now: Int64) -> Bool { Work.isAbandoned(lastChange, at: now) }
}
