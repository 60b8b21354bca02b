import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

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
  /// The number of files read so far.
  case read(Int, of: Int)
  /// Something is wrong.
  case found(BackupFinding)
  /// All of these backups are verified.
  case finished([BackupSummary])
}

/// The verification of several bags, which may share files.
struct BagVerification {
  let stop: StopFlag
  let report: @Sendable (BackupVerificationEvent) -> Void
  /// The bag that was read last.
  private var last: (manifest: BagManifest, files: FolderFiles)?
  /// The files of that bag whose bytes differ from its list.
  private var wrong: Set<[UInt8]> = []
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
    func find(_ kind: BackupFinding.Kind, at path: String, _ detail: String) {
      report(
        .found(
          BackupFinding(
            kind: kind, backup: bag.name.escapedForDisplay, path: path.escapedForDisplay,
            detail: detail)))
    }
    let manifest: BagManifest
    let files: FolderFiles
    do throws(HoldfastError) { (manifest, files) = (try bag.manifest(), try bag.files()) } catch {
      return find(.damagedList, at: "", error.clause)
    }
    var wrong: Set<[UInt8]> = []
    try manifest.forEach { path, hash in
      try stop.check()
      let text = String(decoding: path, as: UTF8.self)
      do {
        if try self.hash(of: path, in: bag) != hash {
          wrong.insert(path)
          find(.changed, at: text, "its bytes are not those that were backed up")
        }
      } catch let error as HoldfastError where error.layer == .storage {
        wrong.insert(path)
        let isMissing = error.code == .missing
        find(
          isMissing ? .missing : .unreadable, at: text,
          isMissing ? "it is missing" : error.clause)
      }
      done += 1
      report(.read(done, of: max(total, done)))
    }
    (last, self.wrong) = ((manifest, files), wrong)
    try bag.forEachFile { path, isNameable in
      if try !isNameable || manifest.hash(of: path.utf8) == nil {
        find(.unknown, at: path, "it was not backed up: the backup's list does not name it")
      }
    } orFail: {
      find(.unreadable, at: $0.path ?? "", $0.clause)
    }
  }

  /// Returns the hash of a file. A hard link to an intact file of the bag before is not read again.
  private func hash(of path: [UInt8], in bag: Bag) throws -> SHA256Digest {
    let file = try bag.open(String(decoding: path, as: UTF8.self))
    if let last, !wrong.contains(path), let hash = try last.manifest.hash(of: path),
      let other = try? last.files.identity(of: path), try file.identity().isSameFile(as: other)
    {
      return hash
    }
    return try file.sha256(until: stop)
  }
}
