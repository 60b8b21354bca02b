import Foundation
import Glibc
import HoldfastModel

/// A folder in `.staging` or `.trash`, as recovery judges it.
///
/// At its end it releases its lock, and not only its descriptor: a child that is being started may
/// have that too for a moment, and would seem to be at work in the folder.
final class Work {
  /// Whose folder it is, and whether a process is at work in it.
  enum Standing {
    /// Its lock is held, or its process is alive.
    case living
    /// An interrupted operation of this computer.
    case own
    /// An older Holdfast made it, here or on another computer.
    case unowned
    /// Another computer made it, and may be at work in it.
    case others
  }

  /// The time in seconds after which a folder without a change counts as abandoned.
  static let patience: Int64 = 24 * 60 * 60

  /// Whether the last change, in seconds since 1970, is at least ``patience`` ago.
  static func isAbandoned(_ lastChange: Int64, at now: Int64) -> Bool {
    lastChange <= now - patience
  }

  let name: WorkName
  let folder: Directory
  /// Locked by this value unless another process holds the lock. `nil` if no lock file exists.
  let lock: OpenFile?
  let standing: Standing

  /// Examines a folder, or returns `nil` if it is gone.
  ///
  /// `shared` asks for a shared lock. Two processes that only examine the folder then do not
  /// mistake each other for the owner.
  init?(
    _ name: WorkName, in parent: Directory, machine: String, shared: Bool = false
  ) throws(HoldfastError) {
    guard let folder = try parent.existing(name.text) else { return nil }
    self.name = name
    self.folder = folder
    do throws(HoldfastError) {
      lock = try folder.existingFile(Layout.workLock, shared ? O_RDONLY : O_RDWR)
    } catch let error where [.notAFile, .unsafePath].contains(error.code) {
      lock = nil  // Not our lock file. It is kept, and reported with other foreign files.
    }
    if let lock, try !SystemCalls.tryLock(lock, shared: shared) {
      standing = .living
    } else if name.machine == nil {
      standing = .unowned
    } else if name.machine != machine {
      standing = .others
    } else {
      // A folder without a lock file was interrupted while it was made or removed.
      let isAlive = try Self.isOwnerAlive(lock, folder)
      standing = isAlive || WorkLock.isHeldHere(name.id) ? .living : .own
    }
  }

  deinit { if let lock { SystemCalls.unlock(lock) } }

  /// Returns the lines of the lock file: the owner, then what may be published from here.
  ///
  /// Each line after the owner's is an ID or a file. If a line is neither, it was never synced, so
  /// nothing was published because of it.
  func lines() throws(HoldfastError) -> [String] {
    guard let lock else { return [] }
    return try Self.lines(of: lock)
  }

  /// Whether the owner is alive although its lock is free, because locks have no effect here.
  ///
  /// If a second lock on the same file succeeds, locks have no effect here. Where locks work, a
  /// free lock means that the owner is done with the folder and has left it to recovery.
  private static func isOwnerAlive(
    _ lock: OpenFile?, _ folder: Directory
  ) throws(HoldfastError) -> Bool {
    guard let lock, let line = try lines(of: lock).first, let owner = Owner(line: line),
      owner.livesElsewhere
    else { return false }
    guard let second = try folder.existingFile(Layout.workLock, O_RDONLY) else { return false }
    return (try? SystemCalls.tryLock(second)) ?? false
  }

  /// The most bytes of a lock file, which lists at most some thousands of files.
  private static let longestLock: Int64 = 64 << 20

  private static func lines(of lock: OpenFile) throws(HoldfastError) -> [String] {
    try lock.text(atMost: longestLock).split(separator: "\n").map(String.init)
  }

  /// Returns when anything in the folder last changed, in seconds since 1970. A time in the future
  /// never counts as old.
  func lastChange() throws(HoldfastError) -> Int64 {
    var last = try SystemCalls.modificationTime(of: folder.file)
    for entry in try folder.entries() {
      let place = DirectoryRelativePath(in: folder.file, entry.name)
      last = max(last, try SystemCalls.modificationTime(of: place) ?? last)
    }
    return last
  }
}

extension Work {
  func isOthersAtWork(at now: Int64) throws(HoldfastError) -> Bool {
    guard standing == .others else { return false }
    return try lastChange() > now - Self.patience
  }
}

extension Int64 {
  /// The time by this computer's clock, in seconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

extension Directory {
  /// Removes a folder that holds nothing but its lock file, and returns whether it is gone.
  @discardableResult
  func removeEmptyWork(_ name: WorkName) throws(HoldfastError) -> Bool {
    guard let folder = try existing(name.text) else { return true }
    let entries = try folder.entries()
    guard entries.allSatisfy({ $0.text == Layout.workLock && $0.kind == .regular }) else {
      return false
    }
    if !entries.isEmpty { try folder.remove(Layout.workLock) }
    return try removeEmpty(name.text)
  }
}
