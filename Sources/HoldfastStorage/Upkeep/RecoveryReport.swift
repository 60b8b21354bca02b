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
  /// What another computer may still be at work in, or an older Holdfast left, and was left alone.
  public var others: [OthersWork] = []
  /// The quarantine into which such work was moved after a day; `nil` if none was.
  public var quarantine: String?
  /// Paths in the library that Holdfast did not make or could not place, and that were left
  /// alone; not escaped for display.
  public var leftAlone: [String] = []

  /// Whether nothing was changed, but for what went into quarantine.
  public var isEmpty: Bool {
    removedStaging.isEmpty && unpublished.isEmpty && broughtBack.isEmpty && restored.isEmpty
      && deleted.isEmpty
  }
}

/// A folder in `.staging` or `.trash` that is not known to be this computer's.
public struct OthersWork: Hashable, Sendable {
  /// Its path, relative to the library's folder.
  public let path: String
  /// When anything in it last changed, in seconds since 1970.
  public let lastChange: Int64

  func isAbandoned(at now: Int64) -> Bool { Work.isAbandoned(lastChange, at: now) }
}

extension RecoveryReport {
  /// Notes that a folder was left alone.
  mutating func leave(_ work: Work, in parent: String) throws(StorageError) {
    others.append(
      OthersWork(path: "\(parent)/\(work.name.text)", lastChange: try work.lastChange()))
  }
}
