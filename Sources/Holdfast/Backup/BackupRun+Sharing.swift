internal import Foundation
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// What a backup takes from the last one, instead of copying it from the library.
extension BackupRun {
  /// Whether a file is taken from the last backup.
  enum Shared {
    case yes
    case no
    /// It is, and the library's own file is damaged.
    case asLastGoodCopy
  }

  /// Takes a file from the last backup, if that has it with the right bytes.
  ///
  /// Neither file is read as long as both have the same time. A copy has the time of what it was copied
  /// from, so another time says that something has written into one of the two since: then both are
  /// read, and what is right stays in the backup.
  func share(
    _ file: Wanted, of sources: FolderFiles, _ writer: BagWriter, _ previous: Previous
  ) throws -> Shared {
    let source = try? sources.identity(of: file.path)
    guard let hash = previous.manifest[file.bagPath],
      let old = try candidate(for: file, source, in: previous)
    else { return .no }
    let mayBeChanged =
      file.hash != nil && source.map { Self.mayBeChanged($0, old, in: previous.bag) } ?? false
    if mayBeChanged || options.verifies {
      let bytes = try? previous.bag.open(file.bagPath).sha256 { try stop.check() }
      try stop.check()
      guard bytes == hash else { return .no }
    }
    guard try writer.link(file.bagPath, of: previous.files, hash: hash, size: old.size) else {
      return .no
    }
    guard mayBeChanged, let source, !source.isSameFile(as: old) else { return .yes }
    do {
      let own = try library.tree.openForReading(bytes: file.path).sha256 { try stop.check() }
      guard own == hash else { return .asLastGoodCopy }
    } catch let error as StorageError {
      // Another command has deleted it since.
      return error.code == .missing ? .yes : .asLastGoodCopy
    }
    // So that neither is read again the next time.
    previous.bag.setTime(source.modified, of: file.bagPath)
    return .yes
  }

  /// Returns the identity of the last backup's file, unless that is plainly another one, or is the
  /// library's own where no links are wanted.
  func candidate(
    for file: Wanted, _ source: FileIdentity?, in previous: Previous
  ) throws -> FileIdentity? {
    guard file.pin == nil, previous.manifest[file.bagPath] != nil,
      let old = try? previous.files.identity(of: file.bagPath.utf8), old.kind == .regular,
      file.size < 0 || old.size == file.size
    else { return nil }
    if file.hash == nil, source.map({ !Self.haveSameTime($0, old) }) ?? true { return nil }
    if !options.links, source?.isSameFile(as: old) == true { return nil }
    return old
  }

  /// Whether something may have written into a file of the library or of a bag since the bag was made.
  private static func mayBeChanged(_ source: FileIdentity, _ old: FileIdentity, in bag: Bag) -> Bool
  {
    guard source.isSameFile(as: old) else { return !haveSameTime(source, old) }
    // Both are one file since a backup with --link.
    return Double(old.modified) / 1e9 >= bag.info.moment.timeIntervalSince1970
  }

  /// Whether two files have the same time, as far as each disk keeps it: some only to two seconds.
  private static func haveSameTime(_ file: FileIdentity, _ other: FileIdentity) -> Bool {
    // A time may be any number.
    let (apart, overflows) = file.modified.subtractingReportingOverflow(other.modified)
    return !overflows && apart.magnitude < 2_000_000_000
  }

  /// What a backup says of a damaged file of the library that the last backup has.
  static let savedCopy = LibraryError(
    .notBackedUp,
    "its bytes are not those that the catalog names; it is damaged, and the backup keeps the last good copy"
  )
}
