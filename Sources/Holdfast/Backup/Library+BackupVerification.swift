internal import Foundation
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Something that is wrong with a file of a backup.
public struct BackupFinding: Codable, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: String, Codable, Sendable {
    /// The file is missing.
    case missing
    /// The file has other bytes than the backup's list says.
    case changed
    /// The file cannot be read.
    case unreadable
    /// The list does not name the file.
    case unknown
    /// The list itself is damaged, so no file can be relied on.
    case damagedList
  }

  /// What is wrong.
  public var kind: Kind
  /// The name of the backup.
  public var backup: String
  /// The path in the backup, escaped for display.
  public var path: String
  /// One sentence about it.
  public var detail: String
}

/// An event of the verification of backups.
public enum BackupVerificationEvent: Sendable {
  /// So many of the files are read.
  case read(Int, of: Int)
  /// Something is wrong.
  case found(BackupFinding)
  /// All of these backups are verified.
  case finished([BackupSummary])
}

extension Library {
  /// Reads every file of every backup in a folder, and compares it with the backup's list.
  ///
  /// A file that several backups share is read once.
  ///
  /// - Parameter path: The folder, or that of a single backup.
  /// - Throws: ``LibraryError`` if there is no backup.
  public static func verifyBackups(
    in path: String
  ) throws -> LibraryRun<BackupVerificationEvent> {
    try LibraryError.translating {
      let bags = try bags(in: path)
      let unreadable = try unreadableBackups(in: path)
      return LibraryRun { report in
        try await onOwnThread { stop in
          for name in unreadable {
            report(
              .found(
                BackupFinding(
                  kind: .damagedList, backup: name.escapedForDisplay, path: "",
                  detail: LibraryError.unreadableBackup.description)))
          }
          var verification = BagVerification(stop: stop, report: report)
          try verification.verify(bags)
          report(.finished(bags.map(BackupSummary.init)))
        }
      }
    }
  }
}

/// The verification of several bags, which may share files.
struct BagVerification {
  let stop: StopFlag
  let report: @Sendable (BackupVerificationEvent) -> Void
  /// The hashes of the files that have more than one name, by device and inode.
  private var known: [[UInt64]: SHA256Digest] = [:]
  private var done = 0
  private var total = 0

  init(stop: StopFlag, report: @escaping @Sendable (BackupVerificationEvent) -> Void) {
    self.stop = stop
    self.report = report
  }

  mutating func verify(_ bags: [Bag]) throws {
    total = bags.reduce(0) { $0 + $1.info.files }
    for bag in bags { try verify(bag) }
  }

  private mutating func verify(_ bag: Bag) throws {
    func find(_ kind: BackupFinding.Kind, _ path: String, _ detail: String) {
      report(
        .found(
          BackupFinding(
            kind: kind, backup: bag.name.escapedForDisplay, path: path.escapedForDisplay,
            detail: detail)))
    }
    let manifest: BagManifest
    do throws(StorageError) { manifest = try bag.manifest() } catch {
      return find(.damagedList, "", error.reason)
    }
    for (path, hash) in manifest.files {
      try stop.check()
      do {
        if try self.hash(of: path, in: bag) != hash {
          find(.changed, path, "its bytes are not those that were backed up")
        }
      } catch let error as StorageError {
        let isMissing = error.code == .missing
        find(isMissing ? .missing : .unreadable, path, isMissing ? "it is missing" : error.reason)
      }
      done += 1
      report(.read(done, of: max(total, done)))
    }
    try bag.forEachFile { path, isNameable in
      if !isNameable || manifest[path] == nil {
        find(.unknown, path, "it was not backed up: the backup's list does not name it")
      }
    } orFail: {
      find(.unreadable, $0.path, $0.reason)
    }
  }

  private mutating func hash(of path: String, in bag: Bag) throws -> SHA256Digest {
    let file = try bag.open(path)
    let identity = try file.identity()
    let key = [identity.device, identity.inode]
    if let hash = known[key] { return hash }
    let hash = try file.sha256 { try stop.check() }
    known[key] = hash
    return hash
  }
}
