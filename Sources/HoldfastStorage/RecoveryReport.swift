public import Foundation
public import HoldfastModel

/// What recovery found and did. Nothing in it means that there was nothing to do.
public struct RecoveryReport: Hashable, Sendable {
  /// Imports that are still at work, here or in another process, and were left alone.
  public var living: [UUID] = []
  /// Imports that had died, whose staging folders were removed.
  public var removedStaging: [UUID] = []
  /// Files that such an import had published without a row, and that were removed.
  public var unpublished: [RelativePath] = []
  /// Erases that had not come to their commit, and whose recordings were moved back.
  public var broughtBack: [UUID] = []
  /// Files of deletions that had not come to their row, and that were moved back.
  public var restored: [RelativePath] = []
  /// Recordings whose row was gone already, and whose deletion was finished.
  public var deleted: [RecordingID] = []
  /// Whether the recordings' files were not there, and everything but erases was left as it is.
  public var isPutOff = false
  /// Paths in the library that Holdfast did not make or could not place, and that were left
  /// alone; not escaped for display.
  public var leftAlone: [String] = []

  /// Whether anything was changed.
  public var isEmpty: Bool {
    removedStaging.isEmpty && unpublished.isEmpty && broughtBack.isEmpty && restored.isEmpty
      && deleted.isEmpty
  }
}
