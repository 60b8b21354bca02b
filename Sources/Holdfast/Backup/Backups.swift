import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The backups in a folder, or a single one.
///
/// Each is a folder in the form of BagIt (RFC 8493), which other programs can verify.
public struct Backups: Sendable {
  /// The path that a user named.
  private let path: String

  /// - Parameter path: The folder with the backups, or that of a single one.
  public init(in path: String) { self.path = path }

  /// Finishes or undoes an interrupted update of a backup. Call it before you read backups.
  ///
  /// A disk without hard links has one backup, which each new one updates.
  ///
  /// - Returns: Whether it was finished or undone; `nil` if there was none.
  /// - Throws: `HoldfastError` when another backup is running there, or the disk cannot be
  ///   written.
  public func settle() throws -> Bool? {
    let given = Self.place(LibraryLocation(path: path).absolutePath)
    let place = Bag.hasUpdate(at: given) ? given.folder : given
    guard let folder = try? BackupFolder.open(at: place), try folder.hasUpdate() else {
      return nil
    }
    let isBagInUpdate = try folder.hasBagInUpdate()
    do {
      return try BackupFolder.openForWriting(at: place).settleUpdate().map { $0 == .finished }
    } catch {
      guard error.isPermissionDenied || error.isForWantOfSpace else { throw error }
      // A failing disk can often only be read. A backup that the update had not begun to change
      // is as it was.
      if !isBagInUpdate { return nil }
      throw HoldfastError(
        .unfinishedUpdate,
        "an update of a backup in \(path.escapedForDisplay) was interrupted, and it can be neither "
          + "finished nor undone: \(error.reason)", operation: "settle", path: path,
        cause: .error(error))
    }
  }

  /// Returns the backups, oldest first.
  ///
  /// - Throws: `HoldfastError`, also if there is none.
  public func summaries() throws -> [BackupSummary] {
    try bags().map(BackupSummary.init)
  }

  /// Returns the names of the folders beside backups that should be backups and cannot be read,
  /// because `bagit.txt` or `bag-info.txt` is missing or damaged, or they may not be read. A single
  /// backup has none.
  ///
  /// - Throws: `HoldfastError` when the folder cannot be read.
  public func unreadableNames() throws -> [String] {
    let place = Self.place(path)
    if (try? Bag.open(at: place)) != nil { return [] }
    return try BackupFolder.open(at: place).unreadableBags()
  }

  /// Reads every file of every backup, and compares it with the backup's list.
  ///
  /// A file that several backups share is read once.
  ///
  /// - Throws: `HoldfastError` if no backup exists.
  public func verify() throws -> LibraryRun<BackupVerificationEvent> {
    let (bags, unreadable) = (try bags(), try unreadableNames())
    return LibraryRun { report in
      try await onOwnThread { stop in
        for name in unreadable {
          report(
            .found(
              BackupFinding(
                kind: .damagedList, backup: name.escapedForDisplay, path: "",
                detail: HoldfastError.unreadableBackup.clause)))
        }
        var verification = BagVerification(stop: stop, report: report)
        try verification.verify(bags)
        report(.finished(bags.map(BackupSummary.init)))
      }
    }
  }

  /// Returns the bag that was chosen.
  ///
  /// If the chosen bag cannot be read, no older one is used in its place.
  ///
  /// - Throws: `HoldfastError`: `noBackup` or `unusableBackup`.
  func bag(_ choice: BackupChoice) throws -> Bag {
    let (bags, unreadable) = (try bags(), try unreadableNames())
    let bag = bags.last { choice.includes($0) }
    if let name = unreadable.last(where: { choice.mayBe($0, ratherThan: bag) }) {
      throw HoldfastError(
        .unusableBackup,
        "the backup \(name.escapedForDisplay) is not usable: "
          + HoldfastError.unreadableBackup.reason, path: path,
        cause: .error(.unreadableBackup))
    }
    if let bag { return bag }
    if case .named(let name) = choice {
      throw HoldfastError(.noBackup, "there is no backup \(name.escapedForDisplay)", path: path)
    }
    throw HoldfastError(
      .noBackup, "the oldest backup is of \(bags.first?.info.moment.localText ?? "later")",
      path: path)
  }

  private func bags() throws -> [Bag] {
    let place = Self.place(path)
    if try BackupFolder.hasBagInUpdate(at: place) { throw HoldfastError.unfinishedUpdate(path) }
    do {
      return [try Bag.open(at: place)]
    } catch let error where error.code == .noBag {
      let folder = try BackupFolder.open(at: place)
      let bags = try folder.bags()
      if bags.isEmpty, try folder.unreadableBags().isEmpty { throw error }
      return bags
    }
  }

  /// The path of a backup, or of a folder of backups. The path of a backup's data means the backup.
  private static func place(_ path: String) -> SourcePath {
    Bag.path(ofBagWithData: SourcePath(path))
  }
}

extension BackupSummary {
  init(_ bag: Bag) { self.init(bag.info, name: bag.name, path: bag.path) }

  init(_ info: BagInfo, name: String, path: String) {
    self.init(
      name: name, path: path, moment: info.moment, library: info.library,
      recordings: info.recordings, files: info.files, bytes: info.bytes, missing: info.missing)
  }
}

extension HoldfastError {
  static var unreadableBackup: HoldfastError {
    HoldfastError(
      .damagedBackup,
      "it cannot be read as a backup: \(Bag.declarationName) or \(Bag.infoName) is missing, "
        + "damaged or may not be read",
      operation: "open")
  }

  /// The error for reading a backup that is being updated.
  static func unfinishedUpdate(_ path: String) -> HoldfastError {
    HoldfastError(
      .unfinishedUpdate,
      "an update of a backup in \(path.escapedForDisplay) was interrupted, or is under way",
      path: path)
  }
}
