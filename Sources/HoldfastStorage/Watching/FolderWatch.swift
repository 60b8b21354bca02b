import Glibc

package struct CompleteFile: Hashable, Sendable {
  package let path: SourcePath
  /// What it was when it was found to be complete.
  package let identity: FileIdentity

  package init(path: SourcePath, identity: FileIdentity) {
    self.path = path
    self.identity = identity
  }
}

/// Tells which files in folders, and in all folders in them, are complete: first those that are there,
/// then each that comes.
///
/// The kernel says when a program has closed or moved a file there (inotify(7)). It does not say so of
/// a filesystem that belongs to another machine or to a program. There a file is complete when two
/// looks, a minute apart, find it with the same size and time. Without such a filesystem, a watch in
/// which nothing happens never wakes up.
///
/// It opens nothing for longer than a look, so that a disk can be unmounted. A folder that goes away is
/// watched again when it is back.
///
/// - SeeAlso: https://man7.org/linux/man-pages/man7/inotify.7.html
package final class FolderWatch {
  package enum Change: Sendable {
    /// These files are complete. A file that was named before may be named again, although it did not
    /// change.
    case complete([CompleteFile])
    /// A folder to watch is gone.
    case gone(SourcePath)
    case back(SourcePath)
    /// A folder to watch has another name, by which it is watched now.
    case renamed(SourcePath, to: SourcePath)
    /// A folder could not be read or watched.
    case unreadable(SourcePath, StorageError)
  }

  /// How long after the last program closed it a file is complete: some write in several goes.
  static let settling = Duration.seconds(2)
  /// How long a file must keep its size and time where nothing else tells that it is complete.
  static let patience = Duration.seconds(60)
  /// The same where an event should report it, but may not: a hard link is never closed.
  static let longPatience = Duration.seconds(600)
  /// The most files that are named at a time.
  private static let mostAtOnce = 500

  struct Root {
    var path: SourcePath
    /// What it was when it was last there; `nil` if it is not there.
    var identity: FileIdentity?
    /// Whether the user knows that it is not there.
    var isMissed = false
    /// Whether an event reports when it comes or goes. If not, it is polled once a minute.
    var isSure = true
  }

  struct Watched {
    var path: SourcePath
    var identity: FileIdentity?
  }

  /// A folder through which the paths of roots lead. They come and go with what is in it.
  struct Ancestor {
    var path: SourcePath
    /// The roots, each with the name in this folder that leads to it.
    var roots: [(index: Int, name: [UInt8])]
  }

  /// A file that may be complete.
  private struct Candidate {
    var due: SuspendingClock.Instant
    /// What it was when a program closed it or moved it there, or when it was named; `nil` if neither happened.
    var closed: FileIdentity?
    /// Whether it came while the kernel watched, so that an event tells when it is closed.
    var isNew = false
    /// What it was at the looks before, and since when.
    var seen: (identity: FileIdentity, since: SuspendingClock.Instant)?
    /// Whether it is complete, and was named before.
    var isAgain = false
  }

  var roots: [Root]
  var watched: [CInt: Watched] = [:]
  var watches: [SourcePath: CInt] = [:]
  var ancestors: [CInt: Ancestor] = [:]
  /// The uppermost folders that are polled: because of their filesystem, or (`true`) because the
  /// limit on watched folders was reached.
  var silent: [SourcePath: Bool] = [:]
  /// The folders that this user may not read, or whose disk gives an error. No event reports when
  /// that has changed.
  var closed: Set<SourcePath> = []
  /// Whether the kernel reports nothing about a filesystem, by its number.
  var areSilent: [UInt64: Bool] = [:]
  var changes: [Change] = []
  let queue: OpenFile
  let accepts: (SourcePath) -> Bool

  private var candidates: [SourcePath: Candidate] = [:]
  /// The files of silent folders.
  var looks: [SourcePath: Look] = [:]
  private var nextLook: SuspendingClock.Instant?
  /// Whether the files that were there at the start have been found.
  private var hasStarted = false
  private let mounts: OpenFile?
  private let end: CInt
  /// Time asleep does not count.
  let clock = SuspendingClock()

  /// Prepares a watch. ``next()`` begins it.
  ///
  /// - Parameters:
  ///   - paths: The folders. A link is followed now, and not again.
  ///   - end: A descriptor, lent for as long as the watch lives, that can be read when the watch has
  ///     to end: of a pipe, a signalfd, an eventfd.
  package init(
    _ paths: [SourcePath], until end: CInt, accepting accepts: @escaping (SourcePath) -> Bool
  ) throws(StorageError) {
    roots = []
    // Before anything is watched.
    for path in paths {
      guard let real = path.real, real.isFolder else {
        throw StorageError(.folderMissing, "watch", path: "\(path)")
      }
      // Two names of one folder would share the kernel's watch.
      if !roots.contains(where: { $0.path == real }) { roots.append(Root(path: real)) }
    }
    queue = try SystemCalls.watchQueue()
    mounts = try? SystemCalls.open(Place(SystemCalls.mountsPath), O_RDONLY)
    self.end = end
    self.accepts = accepts
    for index in roots.indices { lookAgain(at: index) }
    hasStarted = true
  }

  /// Waits for the next change; `nil` once the watch has to end.
  package func next() throws(StorageError) -> Change? {
    while true {
      if !changes.isEmpty { return changes.removeFirst() }
      // What has happened meanwhile may concern the files that are due now. To follow it may take long.
      let latest = clock.now
      guard try follow(atMost: 0) else { return nil }
      let complete = completeFiles(dueBy: latest)
      if !complete.isEmpty { return .complete(complete) }
      if changes.isEmpty, !(try follow(atMost: millisecondsToWait)) { return nil }
    }
  }

  /// Waits until something happens, and applies it. A wait of `nil` milliseconds has no limit.
  /// Returns whether the watch goes on.
  private func follow(atMost milliseconds: Int?) throws(StorageError) -> Bool {
    let ready = try SystemCalls.wait(
      for: [end, queue.descriptor], orChangesOf: mounts, atMost: milliseconds)
    if ready.files[0] { return false }
    if ready.mounts { areSilent = [:] }
    if ready.files[1] { handle(try events()) }
    if ready.mounts { lookAtMounts() }
    return true
  }

  /// Returns the events that are there now. The kernel reports a move as two events, which may be a
  /// moment apart.
  private func events() throws(StorageError) -> [WatchEvent] {
    let events = try SystemCalls.events(in: queue)
    let ends = Set(events.filter { $0.kind.contains(.movedTo) }.map(\.cookie))
    guard
      events.contains(where: {
        $0.kind.contains([.isFolder, .movedFrom]) && !ends.contains($0.cookie)
      })
    else { return events }
    _ = try SystemCalls.wait(for: [end], orChangesOf: nil, atMost: 20)
    return events + (try SystemCalls.events(in: queue))
  }

  /// Names a file again after a while, because it could not be used now.
  package func nameAgain(_ file: CompleteFile, after delay: Duration) {
    candidates[file.path] = Candidate(
      due: clock.now + delay, closed: file.identity, isAgain: true)
  }

  package func nameWaitingFiles() {
    let now = clock.now
    for (path, candidate) in candidates where candidate.isAgain {
      candidates[path]?.due = min(candidate.due, now)
    }
  }

  /// Whether something is watched that the kernel does not fully report on.
  private var looksEachMinute: Bool {
    !silent.isEmpty || !closed.isEmpty || roots.contains { !$0.isSure }
  }

  private var millisecondsToWait: Int? {
    let due = [candidates.values.map(\.due).min(), looksEachMinute ? nextLook : nil]
      .compactMap(\.self).min()
    guard let due else { return nil }
    let (seconds, attoseconds) = (due - clock.now).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1
  }

  // MARK: Files

  /// Records a file that was found, or that an event reported.
  ///
  /// - Parameters:
  ///   - isClosed: Whether a program closed it or moved it there.
  ///   - isNew: Whether an event reported it.
  func offer(_ path: SourcePath, isClosed: Bool, isNew: Bool) {
    guard accepts(path) else { return }
    // A file that was just made is not the one that was closed there. The event may tell of that one late.
    let before = isNew && !isClosed ? nil : candidates[path]
    // A program that has just begun a file may close it for a moment.
    let due = clock.now + (hasStarted ? Self.settling : .zero)
    let latest = isClosed || before?.isAgain == true ? due : max(due, before?.due ?? due)
    let closed = isClosed ? try? path.identity() : before?.closed
    // No other event tells that it is complete, if this one came while the folder was closed to this user.
    let isMissed = isClosed && closed == nil
    candidates[path] = Candidate(
      due: latest, closed: closed, isNew: !isMissed && (isNew || before?.isNew == true),
      seen: before?.seen)
  }

  /// Forgets the files of a folder. A file in the folder's place is kept.
  func forgetFiles(in folder: SourcePath) {
    candidates = candidates.filter { $0.key == folder || !$0.key.isInside(folder) }
    looks = looks.filter { !$0.key.isInside(folder) }
  }

  func forgetEvents() {
    candidates = candidates.filter(\.value.isAgain)
  }

  private func completeFiles(dueBy latest: SuspendingClock.Instant) -> [CompleteFile] {
    var complete: [CompleteFile] = []
    let due = candidates.filter { $0.value.due <= latest }
      .sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
    for (path, candidate) in due {
      guard complete.count < Self.mostAtOnce else { return complete }
      candidates[path] = nil
      let state = state(of: path, candidate)
      let now = clock.now
      switch state {
      case .complete(let identity):
        complete.append(CompleteFile(path: path, identity: identity))
      case .gone: break
      case .written:
        // An event tells when it is closed, unless it is written under a name in another folder.
        candidates[path] = candidate
        candidates[path]?.due = now + Self.patience
      case .unknown(let identity):
        candidates[path] = candidate
        candidates[path]?.due = now + Self.patience
        if candidate.seen?.identity != identity { candidates[path]?.seen = (identity, now) }
      }
    }
    if looksEachMinute, nextLook.map({ $0 <= latest }) ?? true {
      lookAtSilentFolders()
      lookAtClosedFolders()
      lookAtUnsureRoots()
      // A look may take long. The next one at a file comes this long after it.
      nextLook = clock.now + Self.patience
    }
    for (path, look) in looks where look.isComplete && !look.isNamed {
      guard complete.count < Self.mostAtOnce else { break }
      looks[path]?.isNamed = true
      complete.append(CompleteFile(path: path, identity: look.identity))
    }
    return complete
  }

  enum State {
    case complete(FileIdentity)
    /// It is gone, or is not a file.
    case gone
    /// A program writes to it, or it cannot be looked at now.
    case written
    case unknown(FileIdentity)
  }

  private func state(of path: SourcePath, _ candidate: Candidate) -> State {
    if isBelowSilent(path) { return stateBelowSilent(path) }
    // A folder above it may have become a link, which leads anywhere.
    guard let file = try? SourceRoute(direct: path).open() else {
      guard path.isDirect != false else { return .gone }
      do throws(StorageError) {
        // A file that cannot be read is named, so that its error is reported.
        let identity = try SystemCalls.identity(of: Place(path.bytes))
        guard let identity, identity.kind == .regular else { return .gone }
        return .complete(identity)
      } catch {
        // A folder above it is closed to this user for a while, or its disk gives an error.
        return .written
      }
    }
    guard let identity = try? file.identity(), identity.kind == .regular else { return .gone }
    switch SystemCalls.knownWriters(of: file) {
    case false?: return .complete(identity)
    case true?: return .written
    case nil:
      // Another user's file: the kernel does not say whether it is open.
      if let closed = candidate.closed, identity.isSameFile(as: closed),
        identity.hasSizeAndTime(of: closed)
      {
        return .complete(identity)
      }
      guard let seen = candidate.seen, seen.identity == identity else { return .unknown(identity) }
      let isEventDue = candidate.isNew || candidate.closed != nil
      let patience = isEventDue ? Self.longPatience : Self.patience
      return clock.now - seen.since >= patience ? .complete(identity) : .unknown(identity)
    }
  }
}
