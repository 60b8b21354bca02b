import Foundation
import Glibc
package import HoldfastModel

/// The outcome of settling an interrupted update of a bag.
package enum SettledUpdate: Hashable, Sendable {
  case finished
  case undone
}

/// The update of a bag, where the disk has no hard links and so has only one bag.
///
/// New files are first written into a folder beside the bag, `<bag>.update`. When all of them are
/// on the disk, and nothing in the bag is in their way, a plan is written there. From then on any
/// process can finish the update: old files are removed from the bag, the new files move in, the
/// bag's lists last, and the bag gets the name of its new date. Without the plan, the update is
/// undone: its folder is removed.
struct BagUpdate {
  static let suffix = ".update"
  private static let plan = "plan"
  private static let draft = "plan.new"

  let parent: Directory
  let folder: Directory
  /// The bag's name before the update.
  let name: String

  /// Writes the plan, which is the bag's new name. Everything else must be on the disk. Throws if
  /// the update could not be finished.
  func commit(as newName: String) throws(HoldfastError) {
    try refuseObstacles(in: parent.openFolder(name.utf8))
    let file = try folder.makeFile(Self.draft)
    try file.write(ArraySlice(newName.utf8))
    try SystemCalls.sync(file)
    try SystemCalls.rename(folder.place(Self.draft), replacing: folder.place(Self.plan))
    try folder.sync()
  }

  /// Whether the folder has a plan, or only files that an update writes. Any other folder is not
  /// Holdfast's.
  func isOurs() throws(HoldfastError) -> Bool {
    if try plannedName() != nil { return true }
    return try folder.entries().allSatisfy(Self.isOurs)
  }

  private static func isOurs(_ entry: DirectoryEntry) -> Bool {
    // Removing it may have been interrupted.
    TreeRemoval.isName(entry)
      || (entry.text.map((BackupFolder.namesInBag + [plan, draft]).contains) ?? false)
  }

  /// The name that the bag gets; `nil` without a plan. The bag is then as it was.
  func plannedName() throws(HoldfastError) -> String? {
    guard let plan = try folder.existingFile(Self.plan, O_RDONLY) else { return nil }
    let text = try plan.text()
    guard BagWriter.isName(text[...]) else {
      throw HoldfastError(
        .damagedBag, operation: "read", path: plan.path, detail: "it names no backup")
    }
    return text
  }

  /// Whether the update can be finished or undone. If a person renamed the bag, the update's folder
  /// stays.
  func canSettle() throws(HoldfastError) -> Bool {
    guard let newName = try plannedName() else { return true }
    return try bag(or: newName) != nil
  }

  /// Finishes the update if it has its plan; otherwise removes its files. `nil` if nothing was left
  /// of the update.
  func settle() throws(HoldfastError) -> SettledUpdate? {
    let newName = try plannedName()
    let isAny = try !folder.entries().isEmpty
    if let newName { try apply(as: newName) }
    // The plan is removed last, because an update without a plan is undone. Other files stay.
    let ours = try folder.entries().filter { $0.text != Self.plan && Self.isOurs($0) }
    try TreeRemoval.remove(ours, of: folder, by: folder)
    if newName != nil { try folder.remove(Self.plan) }
    try parent.removeEmpty(name + Self.suffix)
    try parent.sync()
    return isAny ? newName == nil ? .undone : .finished : nil
  }

  /// The bag, which may have its new name already.
  private func bag(or newName: String) throws(HoldfastError) -> Directory? {
    if let bag = try parent.existing(name) { return bag }
    return try parent.existing(newName)
  }

  /// Moves everything into the bag. Each step may already be done.
  private func apply(as newName: String) throws(HoldfastError) {
    guard let bag = try self.bag(or: newName) else {
      throw HoldfastError(.missing, operation: "open", path: parent.place(name).path, errno: ENOENT)
    }
    // As long as the new list is here, the bag has its old one, which names the files to remove.
    if try folder.existingFile(Bag.manifestName, O_RDONLY) != nil {
      let going = try going(from: bag)
      for path in going { try remove(path, from: bag) }
      for path in Self.folders(of: going) { try remove(path, from: bag, directory: true) }
    }
    if let data = try folder.existing(Bag.payload) {
      try move(data, to: bag.making(Bag.payload))
    }
    for name in [Bag.declarationName, Bag.infoName, Bag.tagManifestName, Bag.manifestName]
    where try SystemCalls.identity(of: folder.place(name)) != nil {
      try SystemCalls.rename(folder.place(name), replacing: bag.place(name))
    }
    try sync(bag)
    if newName != name, try parent.existing(name) != nil {
      try SystemCalls.rename(parent.place(name), to: parent.place(newName))
    }
    try parent.sync()
  }

  /// Moves the files of a folder, and of the folders in it, which are never deep.
  private func move(_ source: Directory, to target: Directory) throws(HoldfastError) {
    for entry in try source.entries() {
      if entry.kind == .directory, let name = entry.text {
        guard let inner = try source.existing(name) else { continue }
        try move(inner, to: target.making(name))
      } else {
        let (old, new) = (
          DirectoryRelativePath(in: source.file, entry.name),
          DirectoryRelativePath(in: target.file, entry.name)
        )
        do throws(HoldfastError) {
          try SystemCalls.rename(old, replacing: new)
        } catch let error where error.errno == EISDIR {
          try removeEmptyFolders(new)
          try SystemCalls.rename(old, replacing: new)
        }
      }
    }
    try target.sync()
  }

  /// Removes a file, or a folder if it is empty.
  private func remove(
    _ path: [UInt8], from bag: Directory, directory: Bool = false
  ) throws(HoldfastError) {
    do throws(HoldfastError) {
      let (folder, name) = try bag.parent(of: path)
      try SystemCalls.unlink(DirectoryRelativePath(in: folder.file, name), directory: directory)
    } catch let error
      where [.missing, .unsafePath].contains(error.code)
      || [ENOTDIR, EISDIR, ENOTEMPTY, EEXIST].contains(error.errno)
    {
      // It is gone, and something new may be in its place.
    }
  }

  private func removeEmptyFolders(_ place: DirectoryRelativePath) throws(HoldfastError) {
    let file = try SystemCalls.open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    for entry in try SystemCalls.entries(of: file) where entry.kind == .directory {
      try removeEmptyFolders(DirectoryRelativePath(in: file, entry.name))
    }
    try SystemCalls.unlink(place, directory: true)
  }

  private func sync(_ bag: Directory) throws(HoldfastError) {
    guard SourceFile.isRemote(bag.file) else {
      return try SystemCalls.syncFilesystem(of: bag.file)
    }
    try bag.sync()
  }
}

extension BackupFolder {
  /// Finishes or undoes an interrupted update; `nil` if none. After an error, it may be tried
  /// again.
  @discardableResult
  package func settleUpdate() throws(HoldfastError) -> SettledUpdate? {
    var settled: SettledUpdate?
    for update in try updates() { settled = try update.settle() ?? settled }
    return settled
  }

  package func hasUpdate() throws(HoldfastError) -> Bool { try !updates().isEmpty }

  /// Whether a bag cannot be read, because an update of it is under way, or was interrupted after
  /// it began to change the bag.
  package func hasBagInUpdate() throws(HoldfastError) -> Bool {
    let updates = try updates()
    for update in updates {
      if try update.plannedName() != nil { return true }
    }
    return updates.isEmpty ? false : try isBeingWritten()
  }

  /// Whether a bag in a folder, or the folder itself if it is a bag, cannot be read because of an
  /// update.
  package static func hasBagInUpdate(at path: SourcePath) throws(HoldfastError) -> Bool {
    if Bag.hasUpdate(at: path), try open(at: path.folder).hasBagInUpdate() { return true }
    guard let folder = try? open(at: path) else { return false }
    return try folder.hasBagInUpdate()
  }

  private func isBeingWritten() throws(HoldfastError) -> Bool {
    guard let file = try directory.existingFile(Self.lockName, O_RDONLY) else { return false }
    return try !SystemCalls.tryLock(file, shared: true)
  }

  /// The updates of bags that can be finished or undone.
  private func updates() throws(HoldfastError) -> [BagUpdate] {
    var updates: [BagUpdate] = []
    for entry in try directory.entries() where entry.kind == .directory {
      guard let name = entry.text, name.hasSuffix(BagUpdate.suffix) else { continue }
      let bag = name.dropLast(BagUpdate.suffix.count)
      guard BagWriter.isName(bag), let folder = try directory.existing(name) else { continue }
      let update = BagUpdate(parent: directory, folder: folder, name: String(bag))
      guard try update.isOurs(), try update.canSettle() else { continue }
      updates.append(update)
    }
    return updates
  }

  /// Whether files in the folder may have two names, judged without a test: FAT and exFAT have no
  /// links.
  package var mayHaveLinks: Bool {
    switch SystemCalls.filesystemType(of: directory.file) {
    case 0x4D44, 0x2011_BAB0: false
    // FUSE: exFAT ignores case and has no links; NTFS has links.
    case 0x6573_5546: !ignoresCase
    default: true
    }
  }

  /// Tests whether files in the folder can have two names.
  package func hasLinks() throws(HoldfastError) -> Bool {
    let second = ".holdfast-link"
    try directory.remove(second)
    do throws(HoldfastError) {
      try SystemCalls.link(directory.place(Self.lockName), directory.place(second))
    } catch let error where error.lacksHardLinks {
      return false
    }
    try directory.remove(second)
    return true
  }
}
