import HoldfastModel

/// What a watch knows, and what follows from it. It reads nothing itself: ``FolderWatch`` tells it
/// what it sees, and carries out its answers.
///
/// Instants are of a clock that stands still while the machine sleeps.
struct WatchState {
  typealias Instant = SuspendingClock.Instant

  /// How long a file must be unchanged when its last writer has closed it: some write in several
  /// goes.
  static let settling = Duration.seconds(2)
  /// The time between two polls of a folder, or of a file that is written.
  static let pollInterval = Duration.seconds(60)
  /// How long another user's file must be unchanged if no event reported it as it is.
  static let unreportedRest = Duration.seconds(600)

  /// What is at a file's path.
  enum Observation: Hashable, Sendable {
    /// There is nothing, or no regular file.
    case missing
    /// The user may not search a folder above it, or its disk gives an error.
    case hidden
    /// - isWritten: Whether a process of this machine has it open for writing; `nil` if it is
    ///   another user's, or its filesystem has no leases.
    /// - rest: How long it is known to be unchanged.
    case file(FileIdentity, isWritten: Bool?, rest: Duration)
  }

  /// A file that may be complete, or a polled one that was named.
  private struct File {
    var identity: FileIdentity?
    var unchangedSince: Instant?
    /// What it was when a program closed it or moved it in, or when it was named.
    var closed: FileIdentity?
    /// Whether it was named as complete. If it has a due time as well, it is a retry.
    var isNamed = false
    /// When to check it; `nil` leaves that to the next poll.
    var due: Instant?
  }

  enum PollReason: Hashable, Sendable {
    /// The kernel does not report what other machines or programs do to this filesystem.
    case noEvents
    /// The limit on watched folders was reached.
    case watchLimit
  }

  /// The roots, outer ones first.
  let roots: [SourcePath]
  /// The folder at each root's path; `nil` for one that was reported as gone.
  private var rootIdentities: [SourcePath: FileIdentity?] = [:]
  private var files: [SourcePath: File] = [:]
  /// The uppermost folders that are polled.
  private(set) var polled: [SourcePath: PollReason] = [:]
  /// Folders that this user cannot read now. No event reports when that changes.
  private(set) var unreadable: Set<SourcePath> = []
  /// Whether an event reports when each root comes or goes.
  var hasRootEvents = true
  private var nextPoll: Instant?
  /// What the user should know, oldest first.
  var notices: [FolderWatch.Change] = []

  init(_ roots: [SourcePath]) {
    self.roots = Set(roots).sorted { $0.bytes.count < $1.bytes.count }
  }

  // MARK: Events

  /// A file was found by a walk or a poll.
  mutating func find(_ path: SourcePath, at now: Instant) {
    if files[path, default: File()].due == nil { files[path, default: File()].due = now }
  }

  /// A file or a hard link was made. A writer may have it open.
  mutating func create(_ path: SourcePath, at now: Instant) {
    files[path] = File(due: now + Self.settling)
  }

  /// A writer closed a file, or a file was moved in.
  mutating func close(_ path: SourcePath, as identity: FileIdentity?, at now: Instant) {
    files[path, default: File()].closed = identity
    files[path]?.due = now + Self.settling
  }

  /// Events were lost: a file may not be the one that was closed.
  mutating func loseEvents() {
    for (path, file) in files where !file.isNamed { files[path]?.closed = nil }
  }

  // MARK: Folders

  /// Records what is at a root's path; `nil` if no folder is.
  ///
  /// - Returns: Whether the folder is another one than before.
  mutating func setRoot(_ path: SourcePath, to identity: FileIdentity?) -> Bool {
    let before = rootIdentities.updateValue(identity, forKey: path)
    switch (before, identity) {
    case (.some(nil), nil): return false
    case (.some(nil), _): notices.append(.back(path))
    case (_, nil): notices.append(.gone(path))
    case (let before??, let identity?): return !before.isSameFile(as: identity)
    case (nil, _): break
    }
    return true
  }

  /// Why the files of a folder, or a file, are polled; `nil` if they are not.
  func pollReason(of path: SourcePath) -> PollReason? {
    if polled.isEmpty { return nil }
    for case let reason? in path.andFoldersAbove.lazy.map({ polled[$0] }) { return reason }
    return nil
  }

  func isPolled(_ path: SourcePath) -> Bool { pollReason(of: path) != nil }

  /// Forgets a folder that went away, with all folders in it. Its files are found to be missing.
  mutating func forget(_ folder: SourcePath) {
    unreadable = unreadable.filter { !$0.isInside(folder) }
    guard polled.keys.contains(where: { $0.isInside(folder) }) else { return }
    polled = polled.filter { !$0.key.isInside(folder) }
    files = files.filter { $0.value.due != nil || !$0.key.isInside(folder) }
  }

  mutating func poll(_ folder: SourcePath, because reason: PollReason) {
    if isPolled(folder) { return }
    forget(folder)
    polled[folder] = reason
  }

  /// Records that a folder can or cannot be read; the user learns of an error once.
  mutating func setReadable(_ folder: SourcePath, _ error: HoldfastError?) {
    guard let error else { return _ = unreadable.remove(folder) }
    if unreadable.insert(folder).inserted { notices.append(.unreadable(folder, error)) }
  }

  /// Ends a poll. The files of a polled folder that it did not find are forgotten.
  mutating func endPoll(
    of folders: Set<SourcePath>, finding found: Set<SourcePath>, at now: Instant
  ) {
    files = files.filter { path, file in
      found.contains(path) || !path.andFoldersAbove.contains(where: folders.contains)
    }
    nextPoll = now + Self.pollInterval
  }

  // MARK: Answers

  /// Whether a poll is due.
  func isPollDue(_ now: Instant) -> Bool { polls && nextPoll.map { $0 <= now } ?? true }

  private var polls: Bool { !polled.isEmpty || !unreadable.isEmpty || !hasRootEvents }

  /// When to wake up without an event; `nil` if never.
  func wakeUp(after now: Instant) -> Instant? {
    let poll = polls ? nextPoll ?? now : nil
    return (files.values.compactMap(\.due) + [poll].compactMap(\.self)).min()
  }

  /// The files that are due, in the order of their paths.
  func due(by now: Instant) -> [SourcePath] {
    files.filter { $0.value.due.map { $0 <= now } ?? false }.keys
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Whether a polled file was named as it is. A poll need not check it.
  func isKnown(_ path: SourcePath, as identity: FileIdentity) -> Bool {
    guard let file = files[path], file.isNamed else { return false }
    return file.identity?.hasSizeAndTime(of: identity) == true
  }

  /// Decides what follows from an observation of a file.
  ///
  /// - Parameters:
  ///   - begin: When the observation began. It may take long on a network.
  ///   - end: When it ended.
  /// - Returns: What the file is, if it is complete and was not named so.
  mutating func decide(
    _ observation: Observation, at path: SourcePath, from begin: Instant, to end: Instant
  ) -> FileIdentity? {
    guard var file = files[path], observation != .missing else {
      files[path] = nil
      return nil
    }
    let isPolled = isPolled(path)
    let isRetry = file.isNamed && file.due != nil
    // The next poll checks a polled file, unless it was named.
    file.due = isPolled && !isRetry ? nil : end + Self.pollInterval
    defer { files[path] = isPolled || file.due != nil ? file : nil }
    guard case .file(let identity, let isWritten, let rest) = observation else { return nil }
    // On a network, the other figures may change without a reason.
    let isSame = file.identity.map { isPolled ? $0.hasSizeAndTime(of: identity) : $0 == identity }
    if isSame != true {
      (file.unchangedSince, file.isNamed) = (isPolled ? end : end - rest, false)
    }
    file.identity = identity
    guard let since = file.unchangedSince, isWritten != true else { return nil }
    let isAsClosed = file.closed.map {
      $0.isSameFile(as: identity) && $0.hasSizeAndTime(of: identity)
    }
    let needed =
      isPolled
      ? Self.pollInterval
      : isWritten == false || isAsClosed == true ? Self.settling : Self.unreportedRest
    guard (isPolled ? begin : end) - since >= needed else {
      if file.due != nil { file.due = since + needed }
      return nil
    }
    if file.isNamed, !isRetry { return nil }
    (file.isNamed, file.due) = (true, nil)
    return identity
  }

  /// Names a file again later, because it could not be used now, unless an event has come since.
  mutating func retry(_ file: CompleteFile, at due: Instant, now: Instant) {
    if let known = files[file.path], !known.isNamed, known.due != nil { return }
    files[file.path] = File(
      identity: file.identity, unchangedSince: files[file.path]?.unchangedSince ?? now,
      closed: file.identity, isNamed: true, due: due)
  }

  /// Retries files now, because what they wait for may be there.
  mutating func retryAll(at now: Instant) {
    for (path, file) in files where file.isNamed {
      files[path]?.due = file.due.map { min($0, now) }
    }
  }
}
