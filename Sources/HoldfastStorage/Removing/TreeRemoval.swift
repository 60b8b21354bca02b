import Foundation
import Glibc
import HoldfastModel

/// The removal of whole trees with any content and of any depth.
///
/// Links are not followed. Each folder is first moved into the trash, or another folder that serves
/// as one, under a name that recovery does not recognise as Holdfast's, and then emptied there. The
/// folders in it are moved up beside it. So no path grows, and no more than three descriptors are
/// open at a time. If the removal is interrupted, everything is still in the trash.
struct TreeRemoval {
  private let trash: Directory
  /// The names of the folders in the trash that still have to be emptied.
  private var pending: [String] = []
  /// The first thing that could not be removed.
  private var failure: HoldfastError?

  private static let prefix = "erased-"

  /// Whether this is a folder that an interrupted removal has moved aside.
  static func isName(_ entry: DirectoryEntry) -> Bool {
    guard entry.kind == .directory, let name = entry.text, name.hasPrefix(prefix) else {
      return false
    }
    return UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  init(by trash: Directory) { self.trash = trash }

  /// Removes entries of a folder. Throws as ``finish()`` does.
  static func remove(
    _ entries: [DirectoryEntry], of folder: Directory, by trash: Directory
  ) throws(HoldfastError) {
    var removal = TreeRemoval(by: trash)
    for entry in entries { removal.remove(entry, in: folder) }
    try removal.finish()
  }

  mutating func remove(_ entry: DirectoryEntry, in folder: Directory) {
    remove(DirectoryRelativePath(in: folder.file, entry.name), entry.kind)
  }

  /// Empties the folders that were moved, one after the other. A failure does not stop the rest.
  mutating func run() {
    while let name = pending.popLast() {
      do throws(HoldfastError) {
        let folder = try opened(name)
        for entry in try folder.entries() { remove(entry, in: folder) }
        try SystemCalls.unlink(trash.place(name), directory: true)
      } catch {
        failure = failure ?? error
      }
    }
  }

  /// Removes everything that is left. Throws the error of the first thing that could not be
  /// removed, after everything else was tried.
  mutating func finish() throws(HoldfastError) {
    run()
    if let failure { throw failure }
  }

  private mutating func remove(_ place: DirectoryRelativePath, _ kind: FileIdentity.Kind) {
    do throws(HoldfastError) {
      guard kind == .directory else { return try SystemCalls.unlink(place) }
      let name = "\(Self.prefix)\(UUID().uuidString)"
      try moveAside(place, as: name)
      pending.append(name)
    } catch {
      failure = failure ?? error
    }
  }

  /// Moves a folder into the trash.
  ///
  /// Moving a folder changes its `..` entry, so a folder that its owner may not write to gets mode
  /// 0700 first.
  private func moveAside(_ place: DirectoryRelativePath, as name: String) throws(HoldfastError) {
    do throws(HoldfastError) {
      try SystemCalls.rename(place, to: trash.place(name))
    } catch let error where error.errno == EACCES {
      try SystemCalls.setMode(0o700, of: place)
      try SystemCalls.rename(place, to: trash.place(name))
    }
  }

  /// Opens a folder in the trash so that it can be listed and emptied, whatever its mode was.
  private func opened(_ name: String) throws(HoldfastError) -> Directory {
    let place = trash.place(name)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    let file: OpenFile
    do throws(HoldfastError) {
      file = try SystemCalls.open(place, flags)
    } catch let error where error.errno == EACCES {
      try SystemCalls.setMode(0o700, of: place)
      file = try SystemCalls.open(place, flags)
    }
    try SystemCalls.setMode(0o700, of: file)
    return Directory(file: file)
  }
}
