import Glibc

extension FolderWatch {
  // MARK: Events

  func handle(_ events: [WatchEvent]) {
    var roots: Set<Int> = []
    // The folders that are being moved, by the cookie of the move, and the roots in them.
    var moves: [UInt32: Move] = [:]
    var left: Set<SourcePath> = []
    var ended: Set<CInt> = []
    for event in events {
      if event.kind.contains(.overflow) {
        // Some events were lost, so nothing is known any longer.
        forgetEvents()
        lookAtEveryFolder(offeringAll: true)
        continue
      }
      if let ancestor = ancestors[event.watch] {
        roots.formUnion(follow(event, in: ancestor, &moves))
      }
      if let folder = watched[event.watch] {
        roots.formUnion(follow(event, in: folder, &left))
      }
      if event.kind.contains(.watchEnded) {
        watched[event.watch] = nil
        ancestors[event.watch] = nil
        ended.insert(event.watch)
      }
    }
    // A folder that is mounted in two places has one watch for both. The kernel may give a number again, but not soon.
    for path in ended.isEmpty ? [] : watches.filter({ ended.contains($0.value) }).map(\.key) {
      watches[path] = nil
      left.insert(path)
    }
    for path in left { lookAgain(atLeft: path) }
    for index in roots.sorted() { lookAgain(at: index) }
  }

  /// Looks whether another folder is where one was: of two that are exchanged, each comes before the other goes, and one
  /// that was mounted somewhere uncovers another one.
  private func lookAgain(atLeft path: SourcePath) {
    if path.nameBytes.first != UInt8(ascii: "."), path.isFolderItself { scan(path) }
  }

  private typealias Move = (path: SourcePath, roots: [Int])

  /// Returns the roots to check again.
  private func follow(
    _ event: WatchEvent, in ancestor: Ancestor, _ moves: inout [UInt32: Move]
  ) -> [Int] {
    guard !event.name.isEmpty else { return ancestor.roots.map(\.index) }
    let path = ancestor.path.appending(event.name)
    let met = ancestor.roots.filter { $0.name == event.name }.map(\.index)
    if event.kind.contains([.isFolder, .movedFrom]) {
      // The other half of the move may say by which name it is there now. A root may have got this name a moment ago.
      moves[event.cookie] = (path, roots.indices.filter { roots[$0].path.isInside(path) })
    } else if event.kind.contains([.isFolder, .movedTo]), let move = moves[event.cookie] {
      // The next move may be in one of them.
      for (watch, ancestor) in ancestors {
        ancestors[watch]?.path = ancestor.path.moved(from: move.path, to: path)
      }
      return met + move.roots.flatMap { [$0, rename(at: $0, from: move.path, to: path)] }
    }
    return met
  }

  /// A root is watched by its new name, and by its old one if there is a folder again.
  ///
  /// - Parameter folder: The root, or the folder above it, that has another name.
  /// - Returns: The index of the root with the new name.
  private func rename(at index: Int, from folder: SourcePath, to name: SourcePath) -> Int {
    let old = roots[index].path
    let new = old.moved(from: folder, to: name)
    changes.append(.renamed(old, to: new))
    forget(old)
    roots[index].identity = nil
    roots[index].isMissed = true
    if let known = roots.firstIndex(where: { $0.path == new }) {
      roots[known].isMissed = false
      return known
    }
    roots.append(Root(path: new))
    return roots.count - 1
  }

  /// Returns the roots to check again, and adds the paths that something has left.
  private func follow(
    _ event: WatchEvent, in folder: Watched, _ left: inout Set<SourcePath>
  ) -> [Int] {
    guard !event.name.isEmpty else {
      return roots.indices.filter { roots[$0].path == folder.path }
    }
    let path = folder.path.appending(event.name)
    if event.kind.contains(.isFolder) {
      if event.kind.contains(.movedFrom) {
        forget(path)
        left.insert(path)
      } else if event.name.first != UInt8(ascii: ".") {
        scan(path)
      }
    } else if !event.kind.contains(.movedFrom), event.name.first != UInt8(ascii: ".") {
      // A link to a file that was there before is made, and never closed.
      let isClosed = !event.kind.isDisjoint(with: [.closedAfterWriting, .movedTo])
      offer(path, isClosed: isClosed, isNew: true)
    }
    return []
  }

  /// Checks every folder after a mount has changed: another filesystem may be in its place.
  func lookAtMounts() {
    // They may have waited for the library's disk.
    nameWaitingFiles()
    lookAtEveryFolder()
  }

  /// - Parameter offersAll: Whether all files are offered, and not only those of folders that are watched from now on.
  private func lookAtEveryFolder(offeringAll offersAll: Bool = false) {
    let replaced = watches.filter { path, watch in
      guard !path.isHidden else { return false }
      guard let now = try? path.identity(), let before = watched[watch]?.identity else {
        return true
      }
      return !now.isSameFile(as: before)
    }.keys
    // With a folder, those in it are forgotten. Their paths come after its own.
    var forgotten: SourcePath?
    for path in replaced.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
    where !roots.contains(where: { $0.path == path }) {
      if let forgotten, path.isInside(forgotten) { continue }
      forget(path)
      forgotten = path
    }
    for (path, isUnwatched) in silent
    where !isUnwatched && !roots.contains(where: { $0.path == path }) {
      if let identity = try? path.identity(), !isSilent(path, identity) { forget(path) }
    }
    for index in roots.indices { lookAgain(at: index) }
    // What was mounted may be in one of them, too, and was known by the path that it had there. And what is at the place
    // of a library was not watched.
    for root in roots where root.identity != nil {
      scan(root.path, offeringOnlyNew: replaced.isEmpty && !offersAll)
    }
  }

  // MARK: Roots

  /// Finds out whether a root is there, and begins to watch it if it was not there before.
  func lookAgain(at index: Int) {
    guard hasChanged(at: index) else { return }
    // What was forgotten with it may be a root that cannot be reached from it. The outer ones come first.
    let inner = roots.indices.filter { $0 != index && roots[$0].path.isInside(roots[index].path) }
    for other in inner.sorted(by: { roots[$0].path.bytes.count < roots[$1].path.bytes.count }) {
      _ = hasChanged(at: other)
    }
  }

  /// Checks one root, and returns whether what was watched there was forgotten, or is watched from
  /// now on.
  private func hasChanged(at index: Int) -> Bool {
    let above = watchAncestors(of: index)
    let path = roots[index].path
    defer {
      // The files of a silent folder are looked at by their paths, whatever folder is there.
      let isSilent = roots[index].identity != nil && isBelowSilent(path)
      roots[index].isSure = isSilent || (above.areSure && (above.lastTells || watches[path] != nil))
    }
    if path.isHidden {
      // It is still watched, if it was.
      noteClosed(path)
      return false
    }
    // A link that has taken its place leads to another folder, or to the one that is watched by its new name.
    let isThere = path.isFolder && path.isDirect == true
    let identity = isThere ? try? path.identity() : nil
    let before = roots[index].identity
    // A new folder may have the number of one that was removed, but not its watch.
    let isKnown = watches[path] != nil || closed.contains(path) || isBelowSilent(path)
    if let identity, let before, identity.isSameFile(as: before), isKnown { return false }
    if before != nil { forget(path) }
    roots[index].identity = identity
    guard identity != nil else {
      if !roots[index].isMissed {
        roots[index].isMissed = true
        changes.append(.gone(path))
      }
      return before != nil
    }
    if roots[index].isMissed {
      roots[index].isMissed = false
      changes.append(.back(path))
    }
    scan(path)
    return true
  }

  /// Checks the roots whose coming or going an event may have failed to report.
  func lookAtUnsureRoots() {
    for index in roots.indices where !roots[index].isSure { lookAgain(at: index) }
  }

  /// Watches each folder above the root that is there: the root is gone when one of them is moved.
  /// If the root is not there, it may be made again in the folder where the path ends. A link in
  /// place of a folder ends the path.
  ///
  /// A folder reports its own changes and those of its entries, unless this user may not list it,
  /// or its filesystem is silent.
  ///
  /// - Returns: Whether each of them, or the one above it, reports when it comes or goes, and
  ///   whether the last one reports.
  private func watchAncestors(of index: Int) -> (areSure: Bool, lastTells: Bool) {
    for (watch, ancestor) in ancestors {
      ancestors[watch]?.roots.removeAll { $0.index == index }
      if ancestor.roots.allSatisfy({ $0.index == index }) {
        ancestors[watch] = nil
        if watched[watch] == nil { SystemCalls.endWatch(watch, in: queue) }
      }
    }
    var steps: [(folder: SourcePath, name: [UInt8])] = []
    while let step = (steps.last?.folder ?? roots[index].path).split { steps.append(step) }
    // The uppermost one stays.
    var (areSure, tells) = (true, true)
    for (folder, name) in steps.reversed() {
      let watch = try? SystemCalls.watch(folder, for: .ofAncestor, in: queue)
      if let watch {
        ancestors[watch, default: Ancestor(path: folder, roots: [])].roots.append((index, name))
      }
      let doesTell = watch != nil && (try? folder.identity()).map { isSilent(folder, $0) } == false
      areSure = areSure && (tells || doesTell)
      tells = doesTell
      if folder.appending(name).isFolderItself { continue }
      // If it is made before the watch, the next check sees it; if after, an event reports it.
      if watch != nil { _ = try? SystemCalls.watch(folder, for: .created, in: queue) }
      if !folder.appending(name).isFolderItself { break }
    }
    return (areSure, tells)
  }

  // MARK: Folders

  /// Watches a folder and all folders in it, and offers the files that are there. A link in its
  /// place is left alone.
  ///
  /// - Parameter offersOnlyNew: Whether the files of folders that are watched already are not offered.
  func scan(_ path: SourcePath, offeringOnlyNew offersOnlyNew: Bool = false) {
    guard path.isDirect == true else {
      if path.isHidden { noteClosed(path) }
      return
    }
    let known = offersOnlyNew ? Set(watches.keys) : []
    for entry in FolderWalk(SourceRoute(direct: path), reportingFolders: true) {
      switch entry {
      case .folder(let path): watch(path)
      case .file(let file, .regular):
        if isBelowSilent(file.path) || known.contains(file.path.folder) { continue }
        offer(file.path, isClosed: false, isNew: false)
      case .file: break
      case .library(let path): forget(path)
      case .unreadable(let path, let error):
        guard path.exists || path.isHidden, silent[path] == nil, !closed.contains(path) else {
          continue
        }
        changes.append(.unreadable(path, error))
        noteClosed(path)
      }
    }
  }

  /// Records a folder that this user cannot read now, so that it is checked again.
  private func noteClosed(_ path: SourcePath) {
    closed.insert(path)
  }

  /// Watches folders again that this user can read again. What was in them may have changed, or may
  /// have been covered by a mount.
  func lookAtClosedFolders() {
    let opened = closed.filter { !$0.isClosed }
    guard !opened.isEmpty else { return }
    closed.subtract(opened)
    lookAtEveryFolder()
    for path in opened { scan(path) }
  }

  private func watch(_ path: SourcePath) {
    if isBelowSilent(path) { return }
    guard let identity = try? path.identity() else {
      if path.isHidden { noteClosed(path) }
      return
    }
    do throws(StorageError) {
      if isSilent(path, identity) {
        return noteSilent(path)
      }
      let number = try SystemCalls.watch(path, for: .ofFolder, in: queue)
      watched[number] = Watched(path: path, identity: identity)
      watches[path] = number
    } catch {
      // A link may have taken its place.
      let isGone = error.code == .missing || error.errno == ENOTDIR
      guard !isGone, !closed.contains(path) else { return }
      if error.errno == ENOSPC { return noteUnwatched(path) }
      changes.append(.unreadable(path, error))
      if path.isClosed { noteClosed(path) } else { noteSilent(path, isUnwatched: true) }
    }
  }

  /// Stops watching a folder and what is in it.
  func forget(_ path: SourcePath) {
    let inside = watches.filter { $0.key.isInside(path) }
    if !inside.isEmpty {
      for folder in inside.keys { watches[folder] = nil }
      // A folder that is mounted in two places, or that a link leads to, has one watch for both.
      let others = Dictionary(watches.map { ($0.value, $0.key) }) { first, _ in first }
      for (folder, watch) in inside where watched[watch]?.path == folder {
        if let other = others[watch] {
          watched[watch]?.path = other
          continue
        }
        watched[watch] = nil
        if ancestors[watch] == nil { SystemCalls.endWatch(watch, in: queue) }
      }
    }
    silent = silent.filter { !$0.key.isInside(path) }
    closed = closed.filter { !$0.isInside(path) }
    forgetFiles(in: path)
  }
}

extension SourcePath {
  /// Whether this is the folder, or something in it, by its path alone.
  func isInside(_ folder: SourcePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == UInt8(ascii: "/")
      || bytes[folder.bytes.count] == UInt8(ascii: "/")
  }

  /// Whether this user may not look into the folder, or into one above it, or its disk gives an error.
  fileprivate var isClosed: Bool {
    if isDirect == false { return false }
    do throws(StorageError) {
      _ = try Directory(file: SystemCalls.open(Place(bytes), O_RDONLY | O_DIRECTORY)).entries()
      // To list it is one right, to look at what is in it another.
      _ = try SystemCalls.identity(of: Place(appending(".".utf8).bytes))
      return false
    } catch {
      return ![.missing, .unsafePath].contains(error.code) && error.errno != ENOTDIR
    }
  }

  /// Whether it is a folder, and not a link to one.
  fileprivate var isFolderItself: Bool {
    (try? SystemCalls.identity(of: Place(bytes)))?.kind == .directory
  }

  /// The path after a folder got another name: another one, if this is the folder or something in it.
  fileprivate func moved(from folder: SourcePath, to name: SourcePath) -> SourcePath {
    isInside(folder) ? SourcePath(bytes: name.bytes + bytes.dropFirst(folder.bytes.count)) : self
  }
}
