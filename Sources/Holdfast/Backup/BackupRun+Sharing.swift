import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Files that a backup reuses from the last one, instead of copying them from the library.
///
/// A copy has the time of its original, so if the library's file and the backup's have different
/// times, one of them was written since. Then both are read, and the right one stays in the backup.
/// If the times are the same, neither is read.
extension BackupRun {
  /// The state of a file in the last backup.
  enum Earlier {
    /// It is missing, or is another file.
    case none
    /// It is there, as far as is known without reading it.
    case same
    /// It is there, but one of the two may have changed since, or the library's is missing.
    case suspect
    /// It may be there: the disk does not say.
    case unseen
  }

  /// The result of sharing a file with the last backup.
  enum Shared {
    /// The new backup has the file too.
    case yes
    /// The new backup has the file, and the library's own is not right.
    case asLastGoodCopy(HoldfastError)
    /// The last backup's file has other bytes.
    case no
    /// The last backup's file cannot be read.
    case unread
  }

  /// Compares a file of the library with that of the last backup, without reading either. Call it
  /// under the lock.
  ///
  /// - Throws: `WritingFailure` when the last backup's list cannot be read any more.
  func earlier(
    _ file: Wanted, of sources: FolderFiles, in previous: Previous?
  ) throws -> Earlier {
    if let earlier = file.earlier { return earlier }
    guard let previous, let known = try previous.hash(of: file),
      file.hash == nil || file.hash == known
    else { return .none }
    let there: FileIdentity?
    do { there = try previous.files.identity(of: file.bagPath.utf8) } catch { return .unseen }
    guard let old = there, old.kind == .regular, file.size < 0 || old.size == file.size else {
      return .none
    }
    guard let source = try? sources.identity(of: file.path), source.kind == .regular else {
      return file.hash == nil ? .none : .suspect
    }
    let isOne = source.isSameFile(as: old)
    // Both are one file since a backup with --link.
    if isOne, !options.links { return .none }
    let made = previous.bag.info.moment
    // A wrong clock may have dated the bag in the future: then the file's time proves nothing.
    let isUntouched =
      isOne
      ? Double(old.modified) / 1e9 < made.timeIntervalSince1970 && made <= Date()
      : Self.haveSameTime(source, old, isExact: file.hash == nil)
    if isUntouched, source.size == old.size { return .same }
    return file.hash == nil ? .none : .suspect
  }

  /// Shares a file with the last backup, if that has it with the right bytes.
  func share(
    _ file: Wanted, with writer: BagWriter, after previous: Previous, in staging: Staging?
  ) throws -> Shared {
    guard let known = file.earlier, known != .none,
      let hash = try previous.hash(of: file)
    else { return .no }
    switch known {
    case .none: return .no
    case .unseen: return .unread
    case .same:
      if options.verifies {
        guard let bytes = try bytes(of: file, in: previous) else { return .unread }
        guard bytes == hash else { return .no }
      }
      return try linkFile(file, with: writer, after: previous) ? .yes : .no
    case .suspect:
      guard let bytes = try bytes(of: file, in: previous) else { return .unread }
      guard bytes == hash, try linkFile(file, with: writer, after: previous) else { return .no }
      do {
        let source = try open(file, staging)
        guard try source.sha256(until: stop) == hash else {
          return .asLastGoodCopy(Self.savedCopy(Self.otherBytes.description))
        }
        // So that neither is read again the next time.
        previous.bag.setTime(try source.identity().modified, of: file.bagPath)
        return .yes
      } catch let error as HoldfastError where error.layer != .catalog {
        return .asLastGoodCopy(Self.savedCopy(error.description))
      }
    }
  }

  /// Gives the last backup's file a name in the new backup. Returns whether that was possible.
  func linkFile(_ file: Wanted, with writer: BagWriter, after previous: Previous) throws -> Bool {
    guard let hash = try previous.hash(of: file) else { return false }
    return try writer.link(file.bagPath, of: previous.files, hash: hash)
  }

  /// Files that could not be backed up, and why, by the hashes that their rows give them.
  typealias Unsaved = [SHA256Digest?: [(file: Wanted, error: HoldfastError)]]

  /// Keeps the last backup's copies of files that could not be backed up, if it has them under
  /// another name: the library may have renamed them since, or the backup may come from another
  /// disk.
  ///
  /// - Parameter unsaved: The files. It drops those that are kept.
  func rescue(
    _ unsaved: inout Unsaved, with writer: BagWriter, after previous: Previous,
    _ made: inout Copied
  ) throws {
    guard unsaved.keys.contains(where: { $0 != nil }) else { return }
    do {
      try previous.manifest.forEach { path, hash in
        try stop.check()
        guard let files = unsaved[hash], let first = files.first?.file,
          try save(path, as: first, hash, with: writer, after: previous)
        else { return }
        unsaved[hash] = nil
        for (file, error) in files {
          made.saved += 1
          report(.failed(path: file.displayPath, Self.savedCopy(error.description)))
        }
      }
    } catch let error as HoldfastError where error.layer == .storage {
      // The only good copy may be there, so nothing may replace that backup.
      throw WritingFailure(reason: error)
    }
  }

  /// Keeps a file of the last backup under a name that no other file can have. Returns whether its
  /// bytes are right, or cannot be read today.
  private func save(
    _ path: [UInt8], as file: Wanted, _ hash: SHA256Digest, with writer: BagWriter,
    after previous: Previous
  ) throws -> Bool {
    let old = String(decoding: path, as: UTF8.self)
    let name = Bag.name(forLastGoodCopyOf: file.bagPath, hash)
    do {
      let source = try previous.bag.open(old)
      guard old == name else {
        return try writer.copy(source, to: name, until: stop, if: { $0 == hash }) != nil
      }
      guard try source.sha256(until: stop) == hash else { return false }
    } catch let failure as WritingFailure where failure.isOfName {
      return false
    } catch let error as HoldfastError where error.layer == .storage {
      if error.code == .missing { return false }
    }
    return try writer.link(old, of: previous.files, hash: hash)
  }

  private func bytes(of file: Wanted, in previous: Previous) throws -> SHA256Digest? {
    do {
      return try previous.bag.open(file.bagPath).sha256(until: stop)
    } catch let error as HoldfastError where error.layer == .storage {
      return nil
    }
  }

  /// Whether a file and its copy have the same time, as far as the copy's disk keeps it: some only
  /// to two seconds.
  ///
  /// - Parameter isExact: Whether the copy's time must be the file's, rounded as such a disk does.
  ///   If not, a difference of less than two seconds is accepted.
  static func haveSameTime(_ file: FileIdentity, _ copy: FileIdentity, isExact: Bool) -> Bool {
    // A time may be any number.
    let (apart, overflows) = file.modified.subtractingReportingOverflow(copy.modified)
    guard !overflows else { return false }
    guard isExact else { return apart.magnitude < 2_000_000_000 }
    // NTFS, exFAT, others, FAT: in nanoseconds.
    let units: [Int64] = [1, 100, 10_000_000, 1_000_000_000, 2_000_000_000]
    return units.contains { copy.modified % $0 == 0 && (0..<$0).contains(apart) }
  }

  /// The error for a file that is damaged or missing in the library, but whole in the last backup.
  static func savedCopy(_ reason: String) -> HoldfastError {
    HoldfastError(.notBackedUp, "\(reason); the backup keeps the last good copy")
  }
}

extension WritingFailure {
  /// Whether the disk cannot have a file of this name, which does not affect the others.
  var isOfName: Bool {
    [ENAMETOOLONG, ENOTDIR, EISDIR, EINVAL, EILSEQ].contains(reason.errno)
  }
}
