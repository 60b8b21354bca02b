import HoldfastModel

/// The folders that one erase has set aside: `Recordings` and `.quarantine` in
/// `.trash/<ID>.<machine>`.
struct SetAside {
  static let names = [RelativePath.root, Layout.quarantine]

  let name: WorkName
  let library: Directory
  let trash: Directory
  /// The paths of entries that stay in the trash, because their places are taken.
  private(set) var leftAlone: [String] = []

  /// Brings everything back, and replaces nothing. Returns whether anything was changed.
  ///
  /// `Recordings` is moved back whole if nothing is in the way. Otherwise it is moved back name by
  /// name, because an import may have published files in the meantime.
  mutating func bringBack() throws(HoldfastError) -> Bool {
    guard let folder = try trash.existing(name.text) else { return false }
    let hasMoved = try bringBack(from: folder)
    let hasQuarantine = try bringQuarantineBack(from: folder)
    return try trash.removeEmptyWork(name) || hasMoved || hasQuarantine
  }

  /// Brings the quarantines back. A quarantine whose name is taken by now gets a number.
  private mutating func bringQuarantineBack(from folder: Directory) throws(HoldfastError) -> Bool {
    let aside = folder.place(Layout.quarantine)
    guard let old = try folder.folder(Layout.quarantine) else { return false }
    guard
      [nil, .directory].contains(
        try SystemCalls.identity(of: library.place(Layout.quarantine))?.kind)
    else { return leaveAlone(aside) }
    let new = try library.making(Layout.quarantine)
    for entry in try old.entries() {
      var target = DirectoryRelativePath(in: new.file, entry.name)
      var number = 1
      while try SystemCalls.identity(of: target) != nil {
        number += 1
        target = DirectoryRelativePath(in: new.file, entry.name + Array("-\(number)".utf8))
      }
      try SystemCalls.rename(DirectoryRelativePath(in: old.file, entry.name), to: target)
    }
    try new.sync()
    try old.sync()
    try folder.removeEmpty(Layout.quarantine)
    return true
  }

  private mutating func bringBack(from folder: Directory) throws(HoldfastError) -> Bool {
    let aside = folder.place(RelativePath.root)
    guard try SystemCalls.identity(of: aside)?.kind == .directory else { return false }
    switch try SystemCalls.identity(of: library.place(RelativePath.root))?.kind {
    case nil: return try bringBackWhole(from: folder)
    case .directory?:
      guard try library.isBare(RelativePath.root) else { return try bringBackByName(from: folder) }
      try library.existing(RelativePath.root)?.removeEmpty(RelativePath.thumbnails)
      try library.removeEmpty(RelativePath.root)
      return try bringBackWhole(from: folder)
    default: return leaveAlone(aside)
    }
  }

  private func bringBackWhole(from folder: Directory) throws(HoldfastError) -> Bool {
    let recordings = folder.place(RelativePath.root)
    try SystemCalls.rename(recordings, to: library.place(RelativePath.root))
    try library.sync()
    try folder.sync()
    return true
  }

  private mutating func bringBackByName(from folder: Directory) throws(HoldfastError) -> Bool {
    guard let old = try folder.existing(RelativePath.root),
      let new = try library.existing(RelativePath.root)
    else { return false }
    // Only the folders of thumbnails and photos are merged. Other folders of the same name are not
    // ours to merge.
    let hasMoved = try move(contentsOf: old, into: new) { name in
      [RelativePath.thumbnails, RelativePath.photos].contains { name.elementsEqual($0.utf8) }
    }
    try folder.removeEmpty(RelativePath.root)
    return hasMoved
  }

  /// Moves everything whose name is not taken, and returns whether anything was moved.
  private mutating func move(
    contentsOf old: Directory, into new: Directory, merging: ([UInt8]) -> Bool = { _ in false }
  ) throws(HoldfastError) -> Bool {
    var hasMoved = false
    for entry in try old.entries() {
      let (from, to) = (
        DirectoryRelativePath(in: old.file, entry.name),
        DirectoryRelativePath(in: new.file, entry.name)
      )
      do throws(HoldfastError) {
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

  private mutating func leaveAlone(_ place: DirectoryRelativePath) -> Bool {
    leftAlone.append(place.path)
    return false
  }
}
