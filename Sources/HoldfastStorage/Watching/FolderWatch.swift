import Glibc
package import HoldfastModel

package struct CompleteFile: Codable, Hashable, Sendable {
  package let path: SourcePath
  /// What it was when it was found to be complete.
  package let identity: FileIdentity

  package init(path: SourcePath, identity: FileIdentity) {
    self.path = path
    self.identity = identity
  }
}

/// Reports which files in folders, and in all folders in them, are complete: first those that are
/// there, then each that comes.
///
/// Events of the kernel (inotify(7)) wake it, and name files and folders. It walks the folders that
/// events name, and everything after a mount or when events were lost. The kernel reports nothing
/// about a filesystem of another machine or of a program, so the files there are polled.
/// ``WatchState`` decides which files are complete. Nothing stays open, so that a disk can be
/// unmounted.
///
/// - SeeAlso: https://man7.org/linux/man-pages/man7/inotify.7.html
package final class FolderWatch {
  package enum Change: Sendable {
    /// These files are complete. A file that was named before may be named again, although it did
    /// not change.
    case complete([CompleteFile])
    /// A folder to watch is gone.
    case gone(SourcePath)
    case back(SourcePath)
    /// A folder could not be read or watched.
    case unreadable(SourcePath, HoldfastError)
  }

  /// The most files that are named at a time.
  private static let longestBatch = 500

  var state: WatchState
  /// The watched folders, and their paths by the kernel's number. A folder that is mounted in two
  /// places has one number.
  private var numbers: [SourcePath: CInt] = [:]
  private var folders: [CInt: Set<SourcePath>] = [:]
  /// The folders above the roots, with the names in them that lead to roots.
  private var ancestors: [CInt: Set<[UInt8]>] = [:]
  /// The numbers that may not be needed any longer.
  private var stale: Set<CInt> = []
  /// The files that are named next.
  var complete: [CompleteFile] = []
  /// Whether the kernel reports the changes of a filesystem, by its number.
  private var haveEvents: [UInt64: Bool] = [:]
  private let queue: OpenFile
  private let mounts: OpenFile?
  private let end: CInt
  private let claims: [WatchClaim]
  let accepts: (SourcePath) -> Bool
  let clock = SuspendingClock()

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - paths: The folders. A link is followed now, and not again.
  ///   - end: A descriptor, lent for as long as the watch lives, that can be read when the watch
  ///     has to end: of a pipe, a signalfd, an eventfd.
  package init(
    _ paths: [SourcePath], until end: CInt, accepting accepts: @escaping (SourcePath) -> Bool
  ) throws(HoldfastError) {
    var roots: [SourcePath] = []
    for path in paths {
      guard let real = path.real, real.isFolder else {
        if let error = path.obstacle() { throw error }
        throw HoldfastError(.folderMissing, operation: "watch", path: "\(path)")
      }
      roots.append(real)
    }
    state = WatchState(roots)
    claims = try state.roots.map { root throws(HoldfastError) in try WatchClaim(root) }
    queue = try SystemCalls.watchQueue()
    mounts = try? SystemCalls.open(DirectoryRelativePath(SystemCalls.mountsPath), O_RDONLY)
    self.end = end
    self.accepts = accepts
    checkRoots()
  }

  /// Waits for the next change; `nil` once the watch has to end.
  package func next() throws(HoldfastError) -> Change? {
    while true {
      if !state.notices.isEmpty { return state.notices.removeFirst() }
      // The events until now may concern the files that are due now.
      let now = clock.now
      guard try receive(atMost: 0) else { return nil }
      if complete.isEmpty {
        if state.isPollDue(now) { poll() }
        for path in state.due(by: now) { check(path) }
      }
      if !complete.isEmpty {
        let batch = Array(complete.prefix(Self.longestBatch))
        complete.removeFirst(batch.count)
        return .complete(batch)
      }
      guard state.notices.isEmpty else { continue }
      let begin = clock.now
      let wait = state.wakeUp(after: begin).map { Int(($0 - begin) / .milliseconds(1)) + 1 }
      guard try receive(atMost: wait) else { return nil }
    }
  }

  /// Names a file again after a while, because it could not be used now.
  package func retry(_ file: CompleteFile, after delay: Duration) {
    state.retry(file, at: clock.now + delay, now: clock.now)
  }

  package func retryAll() { state.retryAll(at: clock.now) }

  /// Can be read when there are events.
  package var descriptor: CInt { queue.descriptor }

  /// Applies the events that are there now. What a file was when it was closed is known only if
  /// they are read at once.
  package func applyEvents() throws(HoldfastError) { apply(try SystemCalls.events(in: queue)) }

  // MARK: Events

  /// Waits for events, and applies them. A wait of `nil` milliseconds has no limit. Returns whether
  /// the watch goes on.
  private func receive(atMost milliseconds: Int?) throws(HoldfastError) -> Bool {
    let ready = try SystemCalls.wait(
      for: [end, queue.descriptor], orChangesOf: mounts, atMost: milliseconds)
    if ready.files[0] { return false }
    if ready.files[1] { try applyEvents() }
    if ready.mounts {
      haveEvents = [:]
      // Files may have waited for the library's disk.
      state.retryAll(at: clock.now)
      checkRoots(walkingAll: true)
    }
    for number in stale where folders[number] == nil && ancestors[number] == nil {
      SystemCalls.endWatch(number, in: queue)
    }
    stale = []
    return true
  }

  private func apply(_ events: [WatchEvent]) {
    var named: Set<SourcePath> = []
    var (concernsRoots, hasLost) = (false, false)
    for event in events {
      if event.kind.contains(.overflow) {
        hasLost = true
        state.loseEvents()
      }
      if let names = ancestors[event.watch], event.name.isEmpty || names.contains(event.name) {
        concernsRoots = true
      }
      for folder in folders[event.watch] ?? [] {
        guard let first = event.name.first else {
          concernsRoots = true
          continue
        }
        if first == UInt8(ascii: ".") { continue }
        let path = folder.appending(event.name)
        if event.kind.contains(.isFolder) {
          // What is at this path, and below it, is another folder's from now on.
          if event.kind.contains(.movedFrom) { forget(path) }
          named.insert(path)
        } else if !event.kind.isDisjoint(with: [.closedAfterWriting, .movedTo]), accepts(path) {
          state.close(path, as: try? path.identity(), at: clock.now)
        } else if event.kind.contains(.created), accepts(path) {
          state.create(path, at: clock.now)
        }
      }
      if event.kind.contains(.watchEnded) {
        ancestors[event.watch] = nil
        for folder in folders.removeValue(forKey: event.watch) ?? [] {
          numbers[folder] = nil
          named.insert(folder)
        }
      }
    }
    if hasLost { return checkRoots(walkingAll: true, findingAll: true) }
    var walked: [SourcePath] = []
    for path in named.sorted(by: { $0.bytes.count < $1.bytes.count })
    where !walked.contains(where: path.isInside) {
      walk(path)
      walked.append(path)
    }
    if concernsRoots || state.roots.contains(where: { walked.contains(where: $0.isInside) }) {
      checkRoots()
    }
  }

  // MARK: Folders

  /// Finds out which roots are there, and walks those that came, or all. What was walked with one
  /// root is not walked again for a root inside it.
  ///
  /// - Parameter findsAll: Whether files are found also in folders that were watched all the time.
  func checkRoots(
    walkingAll walksAll: Bool = false, findingAll findsAll: Bool = false
  ) {
    watchAncestors()
    for folder in state.polled.keys {
      if folder.isDirect == false { forget(folder) } else { walk(folder) }
    }
    var walked: [SourcePath] = []
    for root in state.roots {
      if let error = root.obstacle() {
        state.setReadable(root, error)
        continue
      }
      let identity = root.isFolderItself && root.isDirect == true ? try? root.identity() : nil
      let isOther = state.setRoot(root, to: identity)
      guard identity != nil else {
        if isOther { forget(root) }
        continue
      }
      let isWatched =
        numbers[root] != nil || state.unreadable.contains(root) || state.isPolled(root)
      let isCovered = isWatched && (!walksAll || walked.contains { root.isInside($0) })
      if isOther || !isCovered {
        walk(root, findingAll: findsAll)
        walked.append(root)
      }
    }
  }

  /// Watches each folder above the roots, as they are gone when one of these is moved. If a root is
  /// gone, it may be made again in the folder where its path ends.
  ///
  /// A folder reports its own changes and those of its entries, unless this user may not list it,
  /// or its filesystem has no events.
  private func watchAncestors() {
    // The kernel would only add to what a number reports.
    for number in ancestors.keys where folders[number] == nil {
      SystemCalls.endWatch(number, in: queue)
    }
    ancestors = [:]
    state.hasRootEvents = true
    for root in state.roots {
      let path = root.andFoldersAbove.reversed()
      // The uppermost folder stays.
      var (reports, isThere) = (true, true)
      for (folder, next) in zip(path, path.dropFirst()) where isThere {
        let isReported = reports
        reports = watchAncestor(folder, of: next.nameBytes, for: .ofAncestor)
        if !reports, !isReported { state.hasRootEvents = false }
        isThere = next.isFolderItself
        if isThere { continue }
        // If it is made before the watch, this finds it; if after, an event reports it.
        _ = watchAncestor(folder, of: next.nameBytes, for: .created)
        isThere = next.isFolderItself
      }
      if !reports, !isThere || numbers[root] == nil { state.hasRootEvents = false }
    }
  }

  /// Returns whether the folder reports.
  private func watchAncestor(
    _ folder: SourcePath, of name: [UInt8], for kinds: WatchEvent.Kind
  ) -> Bool {
    guard let number = try? SystemCalls.watch(folder, for: kinds, in: queue) else { return false }
    ancestors[number, default: []].insert(name)
    return (try? folder.identity()).map { hasEvents(folder, $0) } ?? false
  }

  /// Watches a folder and all folders in it, and finds the files that are there. A link in its
  /// place is left alone.
  ///
  /// - Parameter findsAll: Whether files are found also in folders that were watched all the time.
  func walk(_ path: SourcePath, findingAll findsAll: Bool = false) {
    guard path.isFolderItself, path.isDirect == true else {
      if let error = path.obstacle() { state.setReadable(path, error) } else { forget(path) }
      return
    }
    let before = removeNumbers(in: path)
    var walk = FolderWalk(SourceRoute(direct: path), reportingFolders: true)
    while let entry = walk.next() {
      switch entry {
      case .folder(let folder): if !watch(folder) { walk.skipFolder() }
      case .file(let file, .regular):
        let number = numbers[file.path.folder]
        let isReported = !findsAll && number != nil && number == before[file.path.folder]
        if isReported || state.isPolled(file.path) || !accepts(file.path) { continue }
        state.find(file.path, at: clock.now)
      case .file, .library: break
      case .unreadable(let folder, let error):
        if folder.exists || folder.obstacle() != nil { state.setReadable(folder, error) }
      }
    }
  }

  /// Watches a folder. Returns whether to walk it: a polled folder is not.
  private func watch(_ folder: SourcePath) -> Bool {
    do throws(HoldfastError) {
      let hasEvents = hasEvents(folder, try folder.identity())
      // Another folder may have the place of one without events.
      if hasEvents, state.polled[folder] == .noEvents { state.forget(folder) }
      if state.isPolled(folder) { return false }
      if hasEvents {
        let number = try SystemCalls.watch(folder, for: .ofFolder, in: queue)
        numbers[folder] = number
        folders[number, default: []].insert(folder)
        state.setReadable(folder, nil)
        return true
      }
      state.poll(folder, because: .noEvents)
      return false
    } catch let error where error.errno == ENOSPC {
      // It does not help to know which of many folders are watched, so all of the root are polled.
      let root = state.roots.first { folder.isInside($0) } ?? folder
      forget(root)
      state.poll(root, because: .watchLimit)
      state.notices.append(
        .unreadable(root, HoldfastError(.watchLimit, operation: "watch", path: "\(root)")))
      return false
    } catch {
      // The walk reports a folder that cannot be read.
      return true
    }
  }

  /// Whether the kernel reports all changes of a folder's filesystem.
  private func hasEvents(_ folder: SourcePath, _ identity: FileIdentity) -> Bool {
    if let known = haveEvents[identity.device] { return known }
    guard
      let file = try? SystemCalls.open(DirectoryRelativePath(folder.bytes), O_RDONLY | O_DIRECTORY)
    else {
      return true
    }
    let isShared = Mount.type(of: file).map(Mount.isNetwork) ?? SourceFile.isRemote(file)
    haveEvents[identity.device] = !isShared
    return !isShared
  }

  /// Stops watching a folder that went away, and what was in it.
  private func forget(_ path: SourcePath) {
    removeNumbers(in: path)
    state.forget(path)
  }

  /// Returns the numbers that the folder and those in it had.
  @discardableResult private func removeNumbers(in path: SourcePath) -> [SourcePath: CInt] {
    // Unless it is watched, only roots in it are.
    if numbers[path] == nil, !state.roots.contains(where: { $0.isInside(path) }) { return [:] }
    let removed = numbers.filter { $0.key.isInside(path) }
    for (folder, number) in removed {
      numbers[folder] = nil
      folders[number]?.remove(folder)
      if folders[number]?.isEmpty == true { folders[number] = nil }
      stale.insert(number)
    }
    return removed
  }
}
