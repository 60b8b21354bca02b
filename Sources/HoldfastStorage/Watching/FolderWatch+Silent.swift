import Glibc

/// Folders that the kernel reports nothing about. Their files are polled once a minute.
extension FolderWatch {
  /// What polling a file of a silent folder has found.
  struct Look {
    var identity: FileIdentity
    /// Whether the poll before found the same.
    var isComplete = false
    /// Whether the file was named since.
    var isNamed = false
  }

  /// Records that the files of a folder must be polled. Of two folders, one inside the other, only
  /// the outer one is recorded: a file that is polled twice in one minute would seem complete.
  func noteSilent(_ path: SourcePath, isUnwatched: Bool = false) {
    silent = silent.filter { !$0.key.isInside(path) }
    silent[path] = isUnwatched
  }

  /// Records that the limit on watched folders was reached. All files of the root are then polled,
  /// because it does not help to know which of many folders are watched.
  func noteUnwatched(_ path: SourcePath) {
    let around = roots.map(\.path).filter(path.isInside)
    guard let root = around.max(by: { $0.bytes.count < $1.bytes.count }) else { return }
    forget(root)
    noteSilent(root, isUnwatched: true)
    changes.append(.unreadable(root, StorageError(.watchLimit, "watch", path: "\(root)")))
  }

  /// Polls the files of the silent folders, and checks whether the roots in them are there.
  func lookAtSilentFolders() {
    var found: Set<SourcePath> = []
    var hidden: [SourcePath] = []
    let inside = roots.indices.filter { isBelowSilent(roots[$0].path) }
    for folder in silent.keys {
      switch folder.isDirect {
      case true?:
        for case .file(let file, .regular) in FolderWalk(SourceRoute(direct: folder))
        where accepts(file.path) {
          found.insert(file.path)
          look(at: file.path)
        }
      case false?: forget(folder)
      case nil: hidden.append(folder)
      }
    }
    looks = looks.filter { look in
      found.contains(look.key) || hidden.contains { look.key.isInside($0) }
    }
    for index in inside {
      let path = roots[index].path
      if path.isDirect == false || !path.isFolder { lookAgain(at: index) }
    }
  }

  /// Polls a file of such a folder that is to be named again. If it has changed since, the next two
  /// polls name it.
  func stateBelowSilent(_ path: SourcePath) -> State {
    guard let look = looks[path] else { return .gone }
    guard let identity = try? path.identity() else { return .written }
    if look.isComplete, identity.hasSizeAndTime(of: look.identity) { return .complete(identity) }
    looks[path] = nil
    return .gone
  }

  /// Polls a file. One that was polled before may be complete now.
  private func look(at path: SourcePath) {
    guard let identity = try? path.identity() else { return }
    // The other figures may change there without a reason.
    if let look = looks[path], identity.hasSizeAndTime(of: look.identity) {
      if !look.isComplete { looks[path]?.isComplete = !path.isWrittenHere }
    } else {
      looks[path] = Look(identity: identity)
    }
  }

  /// Whether the kernel reports nothing about a file or a folder.
  func isBelowSilent(_ path: SourcePath) -> Bool {
    if silent.isEmpty { return false }
    var folder = path
    while silent[folder] == nil {
      guard let above = folder.split?.folder else { return false }
      folder = above
    }
    return true
  }

  /// Whether the kernel reports nothing about a folder's filesystem, because others may change it.
  func isSilent(_ path: SourcePath, _ identity: FileIdentity) -> Bool {
    if let isSilent = areSilent[identity.device] { return isSilent }
    guard let file = try? SystemCalls.open(Place(path.bytes), O_RDONLY | O_DIRECTORY) else {
      return false
    }
    let isSilent = Mount.type(of: file).map(Mount.isNetwork) ?? SourceFile.isRemote(file)
    areSilent[identity.device] = isSilent
    return isSilent
  }
}

extension SourcePath {
  /// Whether a program of this machine is known to write the file. Another machine's filesystem may refuse to tell.
  fileprivate var isWrittenHere: Bool {
    guard let file = try? SourceRoute(direct: self).open() else { return false }
    return !SourceFile.isRemote(file) && SystemCalls.hasWriters(file)
  }
}
