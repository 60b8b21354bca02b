internal import Foundation
internal import HoldfastModel

/// The recordings that one erase has set aside, `.trash/<ID>/Recordings`, and their way back.
struct SetAside {
  let id: UUID
  let library: Directory
  let trash: Directory
  /// What has no place to go back to, and stays.
  private(set) var leftAlone: [String] = []

  init(id: UUID, library: Directory, trash: Directory) {
    self.id = id
    self.library = library
    self.trash = trash
  }

  /// Brings everything back, and replaces nothing: whole where nothing is in the way, else name
  /// by name, since an import may have published in between.
  ///
  /// - Returns: Whether anything was changed.
  mutating func bringBack() throws(StorageError) -> Bool {
    guard let folder = try trash.existing(id.uuidString) else { return false }
    let hasMoved = try bringBack(from: folder)
    return try trash.removeEmpty(id.uuidString) || hasMoved
  }

  private mutating func bringBack(from folder: Directory) throws(StorageError) -> Bool {
    let aside = folder.place(RelativePath.root)
    guard try SystemCalls.identity(of: aside)?.kind == .directory else { return false }
    switch try SystemCalls.identity(of: library.place(RelativePath.root))?.kind {
    case nil: return try bringBackWhole(from: folder)
    case .directory?:
      let isBare = try LibraryTree.isBare(library, RelativePath.root)
      return try isBare ? bringBackOverEmptyFolders(from: folder) : bringBackByName(from: folder)
    default: return leaveAlone(aside)
    }
  }

  private func bringBackOverEmptyFolders(from folder: Directory) throws(StorageError) -> Bool {
    try library.existing(RelativePath.root)?.removeEmpty(RelativePath.thumbnails)
    try library.removeEmpty(RelativePath.root)
    return try bringBackWhole(from: folder)
  }

  private func bringBackWhole(from folder: Directory) throws(StorageError) -> Bool {
    let recordings = folder.place(RelativePath.root)
    try SystemCalls.rename(recordings, to: library.place(RelativePath.root))
    try library.sync()
    try folder.sync()
    return true
  }

  private mutating func bringBackByName(from folder: Directory) throws(StorageError) -> Bool {
    guard let old = try folder.existing(RelativePath.root),
      let new = try library.existing(RelativePath.root)
    else { return false }
    // Only the folder of the thumbnails is merged: two others of one name are nobody's to merge.
    let hasMoved = try move(contentsOf: old, into: new) { name in
      name.elementsEqual(RelativePath.thumbnails.utf8)
    }
    try folder.removeEmpty(RelativePath.root)
    return hasMoved
  }

  /// Moves every name that is not taken.
  ///
  /// - Returns: Whether any was moved.
  private mutating func move(
    contentsOf old: Directory, into new: Directory, merging: ([UInt8]) -> Bool = { _ in false }
  ) throws(StorageError) -> Bool {
    var hasMoved = false
    for entry in try old.entries() {
      let (from, to) = (Place(in: old.file, entry.name), Place(in: new.file, entry.name))
      do throws(StorageError) {
        try SystemCalls.rename(from, to: to)
        hasMoved = true
      } catch let error where error.code == .exists {
        guard entry.kind == .directory, merging(entry.name), let name = entry.text,
          try SystemCalls.identity(of: to)?.kind == .directory,
          let inner = try old.existing(name), let target = try new.existing(name)
        else {
          _ = leaveAlone(from)
          continue
        }
        if try move(contentsOf: inner, into: target) { hasMoved = true }
        try old.removeEmpty(name)
      }
    }
    try new.sync()
    return hasMoved
  }

  private mutating func leaveAlone(_ place: Place) -> Bool {
    leftAlone.append(place.path)
    return false
  }
}
