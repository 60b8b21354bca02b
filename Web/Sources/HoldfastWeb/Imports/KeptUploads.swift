import Foundation
import Holdfast
import Synchronization

/// The uploads that were refused because they are too long. They wait for the user's choice: keep
/// the beginning, or split it.
///
/// Each waits for ten minutes at most, and none longer than the server runs. They are in staging,
/// so recovery removes those of a server that was killed.
final class KeptUploads: Sendable {
  private struct Item: Sendable {
    var id: UUID
    var upload: Upload
    var options: ImportOptions
    var expiry: Task<Void, Never>

    func discard() {
      expiry.cancel()
      upload.discard()
    }
  }

  private struct State {
    /// The oldest comes first.
    var items: [Item] = []
    var isEnding = false
  }

  private let patience: Duration
  private let mostBytes: Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - patience: How long an upload waits.
  ///   - mostBytes: How many bytes all of them may have.
  init(patience: Duration = .seconds(600), mostBytes: Int64 = Upload.mostBytes) {
    self.patience = patience
    self.mostBytes = mostBytes
  }

  /// Keeps an upload. Older ones are removed if all together exceed what one upload may have.
  ///
  /// - Returns: `false` if the server is ending.
  func keep(_ upload: Upload, _ options: ImportOptions, as id: UUID) -> Bool {
    let (isKept, surplus) = state.withLock { state in
      guard !state.isEnding else { return (false, [Item]()) }
      let expiry = Task { [self] in
        try? await Task.sleep(for: patience)
        if !Task.isCancelled { take(id)?.upload.discard() }
      }
      state.items.append(Item(id: id, upload: upload, options: options, expiry: expiry))
      var surplus: [Item] = []
      while state.items.count > 1,
        state.items.reduce(0, { $0 + $1.upload.byteCount }) > mostBytes
      {
        surplus.append(state.items.removeFirst())
      }
      return (true, surplus)
    }
    for item in surplus { item.discard() }
    return isKept
  }

  /// Returns an upload, which is then no longer kept; `nil` if it is not there any more.
  func take(_ id: UUID) -> (upload: Upload, options: ImportOptions)? {
    state.withLock { state in
      guard let index = state.items.firstIndex(where: { $0.id == id }) else { return nil }
      let item = state.items.remove(at: index)
      item.expiry.cancel()
      return (item.upload, item.options)
    }
  }

  /// Removes all uploads. No further one is kept.
  func end() {
    let items = state.withLock { state in
      state.isEnding = true
      defer { state.items = [] }
      return state.items
    }
    for item in items { item.discard() }
  }
}
