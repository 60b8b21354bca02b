import Glibc
import HoldfastModel

extension FolderWatch {
  /// Checks whether a file is complete.
  func check(_ path: SourcePath) {
    let begin = clock.now
    let observation = observe(path)
    if let identity = state.decide(observation, at: path, from: begin, to: clock.now) {
      complete.append(CompleteFile(path: path, identity: identity))
    }
  }

  private func observe(_ path: SourcePath) -> WatchState.Observation {
    do throws(HoldfastError) {
      var (identity, isWritten): (FileIdentity?, Bool?)
      // A phone may copy a whole file when it is opened.
      if state.pollReason(of: path) != .noEvents, let file = try? SourceRoute(direct: path).open() {
        (identity, isWritten) = (try file.identity(), SystemCalls.knownWriters(of: file))
      } else {
        // A folder above it may have become a link, which leads anywhere.
        if path.isDirect == false { return .missing }
        // A file that cannot be read is named, so that its error is reported.
        identity = try SystemCalls.identity(of: DirectoryRelativePath(path.bytes))
      }
      guard let identity, identity.kind == .regular else { return .missing }
      return .file(identity, isWritten: isWritten, rest: SystemCalls.rest(of: identity))
    } catch {
      return .hidden
    }
  }

  /// Checks the files of polled folders, and what else no event reports.
  func poll() {
    checkRoots()
    for folder in state.unreadable where folder.obstacle(toListing: true) == nil {
      state.setReadable(folder, nil)
      walk(folder)
    }
    var found: Set<SourcePath> = []
    let polled = Set(state.polled.keys)
    for folder in polled {
      for entry in FolderWalk(SourceRoute(direct: folder)) {
        switch entry {
        case .file(let file, .regular) where accepts(file.path):
          found.insert(file.path)
          guard let identity = try? file.path.identity() else { continue }
          if state.isKnown(file.path, as: identity) { continue }
          state.find(file.path, at: clock.now)
          check(file.path)
        case .unreadable(let folder, let error): state.setReadable(folder, error)
        default: break
        }
      }
    }
    state.endPoll(of: polled, finding: found, at: clock.now)
  }
}
