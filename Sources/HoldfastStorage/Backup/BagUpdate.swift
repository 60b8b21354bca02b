internal import Foundation
internal import Glibc
internal import HoldfastModel

/// What became of an update of a bag that was interrupted.
public enum SettledUpdate: Hashable, Sendable {
  /// It was complete, and is finished now.
  case finished
  /// It was not complete, and is undone: the bag is as it was.
  case undone
}

/// The update of a bag, where the disk has no hard links and so has only one bag.
///
/// What is new is first written into a folder beside the bag, `<bag>.update`. When all of it is on the
/// disk, a plan is written there. From then on the update can be finished, by anybody: each file moves
/// into the bag, the bag's lists last, and the bag gets the name of its new date. Without the plan, the
/// update is undone: the folder goes.
struct BagUpdate {
  /// The end of the name of the folder.
  static let suffix = ".update"
  private static let plan = "plan"
  /// The plan, as long as it is being written.
  private static let draft = "plan.new"

  private let parent: Directory
  private let folder: Directory
  /// The bag's name before.
  private let name: String

  init(of name: String, folder: Directory, in parent: Directory) {
    self.name = name
    self.folder = folder
    self.parent = parent
  }

  /// Writes the plan: the name that the bag gets. Everything else is on the disk.
  func commit(as newName: String) throws(StorageError) {
    let file = try folder.makeFile(Self.draft)
    try file.write(ArraySlice(newName.utf8))
    try SystemCalls.sync(file)
    try SystemCalls.rename(folder.place(Self.draft), replacing: folder.place(Self.plan))
    try folder.sync()
  }

  /// Whether the folder has nothing but what an update writes. Another one is somebody's own.
  func isOurs() throws(StorageError) -> Bool {
    let names = BackupFolder.namesInBag + [Self.plan, Self.draft]
    return try folder.entries().allSatisfy { entry in
      // Removing it may have been interrupted.
      TreeRemoval.isName(entry) || (entry.text.map(names.contains) ?? false)
    }
  }

  /// The name that the bag gets; `nil` without a plan. The bag is then as it was.
  func plannedName() throws(StorageError) -> String? {
    guard let plan = try folder.existingFile(Self.plan, O_RDONLY) else { return nil }
    let text = try plan.text()
    guard BagWriter.isName(text[...]) else {
      throw StorageError(.damagedBag, "read", path: plan.path, detail: "it names no backup")
    }
    return text
  }

  /// Whether the update can be finished or undone. Somebody may have given the bag another name: what has moved out of it
  /// then stays.
  func canSettle() throws(StorageError) -> Bool {
    guard let newName = try plannedName() else { return true }
    return try isBagThere(newName)
  }

  /// Finishes the update if it has its plan, and else removes what it has written.
  func settle() throws(StorageError) -> SettledUpdate {
    guard let text = try plannedName() else {
      // The bag gets its new name before the plan goes.
      let isRenamed = try parent.existing(name) == nil
      try remove()
      return isRenamed ? .finished : .undone
    }
    try apply(as: text)
    // Without the plan, the rest of the folder is removed as that of an update which was undone.
    try folder.remove(Self.plan)
    try folder.sync()
    try remove()
    return .finished
  }

  /// Whether the bag is there, under its old name or its new one.
  private func isBagThere(_ newName: String) throws(StorageError) -> Bool {
    if try parent.existing(name) != nil { return true }
    return try parent.existing(newName) != nil
  }

  /// Moves everything into the bag. Each step may have been taken before.
  private func apply(as newName: String) throws(StorageError) {
    let old = try parent.existing(name)
    var found = old
    if found == nil { found = try parent.existing(newName) }
    guard let bag = found else {
      throw StorageError(.missing, "open", path: parent.place(name).path, errno: ENOENT)
    }
    if let data = try folder.existing(Bag.payload) {
      try move(data, to: bag.making(Bag.payload))
    }
    if let list = try manifest(in: folder) {
      // The bag still has its old list, which names what goes.
      let before = try manifest(in: bag) ?? BagManifest()
      for path in before.hashes.keys where list.hashes[path] == nil {
        try removeFile(path, from: bag)
      }
    }
    // The list comes last: until then it tells what has to go.
    for name in [Bag.declarationName, Bag.infoName, Bag.tagManifestName, Bag.manifestName]
    where try SystemCalls.identity(of: folder.place(name)) != nil {
      try SystemCalls.rename(folder.place(name), replacing: bag.place(name))
    }
    try sync(bag)
    if old != nil, newName != name {
      try SystemCalls.rename(parent.place(name), to: parent.place(newName))
    }
    try parent.sync()
  }

  private func manifest(in bag: Directory) throws(StorageError) -> BagManifest? {
    guard let file = try bag.existingFile(Bag.manifestName, O_RDONLY) else { return nil }
    return try BagManifest(file.bytes(), path: file.path)
  }

  /// Moves the files of a folder, and of the folders in it, which are never deep.
  private func move(_ source: Directory, to target: Directory) throws(StorageError) {
    for entry in try source.entries() {
      if entry.kind == .directory, let name = entry.text {
        guard let inner = try source.existing(name) else { continue }
        try move(inner, to: target.making(name))
      } else {
        try SystemCalls.rename(
          Place(in: source.file, entry.name), replacing: Place(in: target.file, entry.name))
      }
    }
    try target.sync()
  }

  private func removeFile(_ path: [UInt8], from bag: Directory) throws(StorageError) {
    do throws(StorageError) {
      let (folder, name) = try bag.parent(of: path)
      try SystemCalls.unlink(Place(in: folder.file, name))
    } catch let error where [.missing, .unsafePath].contains(error.code) {}
  }

  private func sync(_ bag: Directory) throws(StorageError) {
    guard SourceFile.isRemote(bag.file) else {
      return try SystemCalls.syncFilesystem(of: bag.file)
    }
    try bag.sync()
  }

  /// Removes the folder, whatever is in it.
  private func remove() throws(StorageError) {
    var removal = TreeRemoval(by: folder)
    for entry in try folder.entries() { removal.remove(entry, in: folder) }
    try removal.finish()
    try parent.removeEmpty(name + Self.suffix)
    try parent.sync()
  }
}

extension BackupFolder {
  /// Finishes or undoes an update of a bag that was interrupted.
  ///
  /// - Returns: What was done; `nil` if there was none.
  /// - Throws: ``StorageError`` when the system refuses. It may be tried again.
  @discardableResult
  public func settleUpdate() throws(StorageError) -> SettledUpdate? {
    var settled: SettledUpdate?
    for update in try updates() { settled = try update.settle() }
    return settled
  }

  /// Whether an update of a bag was interrupted, or is under way.
  public func hasUpdate() throws(StorageError) -> Bool { try !updates().isEmpty }

  /// Whether a bag cannot be read, because an update of it is under way, or was interrupted when it had begun to change
  /// the bag.
  public func hasBagInUpdate() throws(StorageError) -> Bool {
    let updates = try updates()
    for update in updates {
      if try update.plannedName() != nil { return true }
    }
    return updates.isEmpty ? false : try isBeingWritten()
  }

  /// Whether a bag in a folder, or the one that it is, cannot be read because of an update.
  public static func hasBagInUpdate(at path: SourcePath) throws(StorageError) -> Bool {
    if Bag.hasUpdate(at: path), try open(at: path.folder).hasBagInUpdate() { return true }
    guard let folder = try? open(at: path) else { return false }
    return try folder.hasBagInUpdate()
  }

  /// Whether another process is writing a backup.
  private func isBeingWritten() throws(StorageError) -> Bool {
    guard let file = try directory.existingFile(Self.lockName, O_RDONLY) else { return false }
    return try !SystemCalls.tryLock(file, shared: true)
  }

  /// The updates of bags that can be finished or undone.
  private func updates() throws(StorageError) -> [BagUpdate] {
    var updates: [BagUpdate] = []
    for entry in try directory.entries() where entry.kind == .directory {
      guard let name = entry.text, name.hasSuffix(BagUpdate.suffix) else { continue }
      let bag = name.dropLast(BagUpdate.suffix.count)
      guard BagWriter.isName(bag), let folder = try directory.existing(name) else { continue }
      let update = BagUpdate(of: String(bag), folder: folder, in: directory)
      guard try update.isOurs(), try update.canSettle() else { continue }
      updates.append(update)
    }
    return updates
  }

  /// Whether files in the folder can have two names.
  ///
  /// - Throws: ``StorageError`` when the system refuses for another reason.
  public func hasLinks() throws(StorageError) -> Bool {
    let second = ".holdfast-link"
    try directory.remove(second)
    do throws(StorageError) {
      try SystemCalls.link(directory.place(Self.lockName), directory.place(second))
    } catch let error where error.isForWantOfLinks {
      return false
    }
    try directory.remove(second)
    return true
  }
}
