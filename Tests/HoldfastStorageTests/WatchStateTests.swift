import HoldfastModel
import Testing

@testable import HoldfastStorage

@Suite("A watch decides by the events that it has seen")
struct WatchStateTests {
  @Test("A file is named as complete at the right time", arguments: Scenario.all)
  func names(_ scenario: Scenario) {
    var world = World()
    for step in scenario.steps { world.apply(step) }
    #expect(world.named == scenario.named.split(separator: ", ").map(String.init))
  }

  @Test("A root is reported once when it goes, and when another folder or the same is back")
  func roots() {
    let (outer, inner) = (SourcePath("/in"), SourcePath("/in/deep"))
    var state = WatchState([inner, outer, inner])
    #expect(state.roots == [outer, inner])
    let (one, other) = (FileIdentity.folder(1), FileIdentity.folder(2))
    let isOther = [one, one, other, nil, nil, other].map { state.setRoot(outer, to: $0) }
    #expect(isOther == [true, false, true, true, false, true])
    #expect(state.notices.map(\.text) == ["gone /in", "back /in"])
  }

  @Test("An unreadable folder is reported once, and again only after it could be read")
  func unreadable() {
    var state = WatchState([SourcePath("/in")])
    let (folder, error) = (
      SourcePath("/in/a"), HoldfastError(.system, operation: "open", path: "/in/a")
    )
    for _ in 1...3 { state.setReadable(folder, error) }
    #expect(state.notices.map(\.text) == ["unreadable /in/a"])
    #expect(state.isPollDue(.now))
    state.setReadable(folder, nil)
    #expect(!state.isPollDue(.now))
    state.setReadable(folder, error)
    #expect(state.notices.count == 2)
    state.forget(SourcePath("/in"))
    #expect(state.unreadable.isEmpty)
  }

  @Test("Of nested polled folders only the outer one is kept, and of neighbours both")
  func polled() {
    var state = WatchState([SourcePath("/in")])
    state.poll(SourcePath("/in/a/b"), because: .noEvents)
    state.poll(SourcePath("/in/ab"), because: .noEvents)
    state.poll(SourcePath("/in/a"), because: .watchLimit)
    state.poll(SourcePath("/in/a/c"), because: .noEvents)
    #expect(state.polled == [SourcePath("/in/a"): .watchLimit, SourcePath("/in/ab"): .noEvents])
    #expect(state.isPolled(SourcePath("/in/a/b/c/x.mov")))
    #expect(!state.isPolled(SourcePath("/in/x.mov")))
    state.forget(SourcePath("/in/a"))
    #expect(!state.isPolled(SourcePath("/in/a/b/c/x.mov")))
  }

  @Test("Without anything to check, the watch never wakes up")
  func sleeps() {
    var state = WatchState([SourcePath("/in")])
    let now = SuspendingClock.now
    #expect(state.wakeUp(after: now) == nil)
    state.hasRootEvents = false
    #expect(state.wakeUp(after: now) == now)
    state.endPoll(of: [], finding: [], at: now)
    #expect(state.wakeUp(after: now) == now + .seconds(60))
    state.hasRootEvents = true
    #expect(state.wakeUp(after: now) == nil)
    state.find(SourcePath("/in/a.mov"), at: now + .seconds(5))
    #expect(state.wakeUp(after: now) == now + .seconds(5))
    let identity = state.decide(.missing, at: SourcePath("/in/a.mov"), from: now, to: now)
    #expect(identity == nil)
    #expect(state.wakeUp(after: now) == nil)
  }
}

/// Steps in a folder, and the files then reported, each with its second.
struct Scenario: CustomTestStringConvertible, Sendable {
  enum Writer { case user, other }

  enum Step: Sendable {
    case wait(Int)
    /// Opens a file, new or not, and writes to it.
    case write(String, Writer = .user)
    case close(String)
    case move(String, to: String)
    case link(String, to: String)
    case remove(String)
    case chmod(String)
    /// A file that a walk finds, unchanged for this long. The rest is negative if the clock was set
    /// back since, or the machine slept.
    case find(String, Writer = .user, rest: Int = 0, isOpen: Bool = false)
    /// Writes to an open file without an event.
    case append(String)
    /// Closes a file without an event.
    case closeUnseen(String)
    /// Events are lost, and everything is walked.
    case overflow
    /// Everything is walked.
    case mount
    case hide(String)
    case show(String)
    /// The folder has no events, or too many folders are watched.
    case poll(WatchState.PollReason = .noEvents)
    case stopPolling
    /// A check of the file takes this long.
    case slow(String, Int)
    /// The file could not be used, and is retried.
    case retry(String, after: Int)
    case retryAll
  }

  let name: String
  let steps: [Step]
  let named: String
  var testDescription: String { name }

  init(_ name: String, _ steps: [Step], names named: String) {
    (self.name, self.steps, self.named) = (name, steps, named)
  }
}

/// A folder whose files change as a scenario says, and a watch of it.
private struct World {
  private struct File {
    var identity: FileIdentity
    var writer: Scenario.Writer
    var isOpen = false
    var changed = Duration.zero
    var isHidden = false
    var slowness = Duration.zero
  }

  private static let folder = SourcePath("/in")
  private var state = WatchState([folder])
  private var files: [String: File] = [:]
  private let start = SuspendingClock.now
  private var now = Duration.zero
  private var count: Int64 = 0
  private var last: [String: FileIdentity] = [:]
  private(set) var named: [String] = []

  private var instant: SuspendingClock.Instant { start + now }
  private func path(_ name: String) -> SourcePath { Self.folder.appending(name.utf8) }

  mutating func apply(_ step: Scenario.Step) {
    switch step {
    case .wait(let seconds): run(for: .seconds(seconds))
    case .write(let name, let writer):
      if files[name] == nil {
        count += 1
        files[name] = File(identity: .file(count), writer: writer, changed: now)
        state.create(path(name), at: instant)
      }
      files[name]?.isOpen = true
      change(name)
    case .append(let name): change(name)
    case .close(let name):
      files[name]?.isOpen = false
      state.close(path(name), as: files[name]?.identity, at: instant)
    case .closeUnseen(let name): files[name]?.isOpen = false
    case .move(let name, let new):
      files[new] = files.removeValue(forKey: name)
      touch(new)
      state.close(path(new), as: files[new]?.identity, at: instant)
    case .link(let name, let new):
      files[new] = files[name]
      touch(new)
      state.create(path(new), at: instant)
    case .remove(let name): files[name] = nil
    case .chmod(let name): touch(name)
    case .find(let name, let writer, let rest, let isOpen):
      count += 1
      files[name] = File(
        identity: .file(count), writer: writer, isOpen: isOpen, changed: now - .seconds(rest))
      state.find(path(name), at: instant)
    case .overflow:
      state.loseEvents()
      for name in files.keys { state.find(path(name), at: instant) }
    case .mount:
      state.retryAll(at: instant)
      for name in files.keys { state.find(path(name), at: instant) }
    case .hide(let name): files[name]?.isHidden = true
    case .show(let name): files[name]?.isHidden = false
    case .poll(let reason): state.poll(Self.folder, because: reason)
    case .stopPolling: state.forget(Self.folder)
    case .slow(let name, let seconds): files[name]?.slowness = .seconds(seconds)
    case .retry(let name, let seconds):
      guard let identity = last[name] else { return }
      let file = CompleteFile(path: path(name), identity: identity)
      state.retry(file, at: instant + .seconds(seconds), now: instant)
    case .retryAll: state.retryAll(at: instant)
    }
  }

  private mutating func change(_ name: String) {
    files[name]?.identity.size += 1000
    files[name]?.identity.modified = Int64(now.components.seconds) + 1
    touch(name)
  }

  private mutating func touch(_ name: String) {
    count += 1
    files[name]?.identity.changed = count
    files[name]?.changed = now
  }

  private mutating func run(for duration: Duration) {
    let end = now + duration
    while true {
      if state.isPollDue(instant) { poll() }
      for path in state.due(by: instant) { check(path) }
      guard let next = state.wakeUp(after: instant), next - start <= end else { break }
      now = max(now, next - start)
    }
    now = max(now, end)
  }

  private mutating func poll() {
    let isPolled = state.isPolled(Self.folder)
    for (name, file) in files.sorted(by: { $0.key < $1.key })
    where isPolled && !state.isKnown(path(name), as: file.identity) {
      state.find(path(name), at: instant)
      check(path(name))
    }
    let found = Set(files.keys.map { path($0) })
    state.endPoll(of: isPolled ? [Self.folder] : [], finding: found, at: instant)
  }

  private mutating func check(_ path: SourcePath) {
    let (begin, file) = (instant, files[path.name])
    now += file?.slowness ?? .zero
    let isHidden = state.pollReason(of: path) == .noEvents || file?.writer == .other
    let isWritten = isHidden ? nil : file?.isOpen == true
    let observation = file.map { file in
      file.isHidden
        ? .hidden
        : WatchState.Observation.file(
          file.identity, isWritten: isWritten, rest: max(.zero, now - file.changed))
    }
    guard let identity = state.decide(observation ?? .missing, at: path, from: begin, to: instant)
    else {
      return
    }
    last[path.name] = identity
    named.append("\(now.components.seconds) \(path.name)")
  }
}

extension FileIdentity {
  fileprivate static func file(_ number: Int64) -> FileIdentity {
    FileIdentity(
      device: 1, inode: UInt64(number), size: 0, modified: number, changed: number, kind: .regular)
  }

  fileprivate static func folder(_ number: UInt64) -> FileIdentity {
    FileIdentity(device: 1, inode: number, size: 0, modified: 0, changed: 0, kind: .directory)
  }
}

extension FolderWatch.Change {
  fileprivate var text: String {
    switch self {
    case .complete(let files): "complete \(files.count)"
    case .gone(let path): "gone \(path)"
    case .back(let path): "back \(path)"
    case .unreadable(let path, _): "unreadable \(path)"
    }
  }
}
