import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// A library's memory of a source, so that it is not read again until it changes.
struct SourceMemory: Sendable {
  /// The largest refused source, in bytes, that is read to its end only to know it under another
  /// name.
  private static let largestRead: Int64 = 256 << 20

  private let route: SourceRoute
  private let library: Library
  private let file: FileIdentity
  private let identity: SHA256Digest
  private let isRemote: Bool
  /// The rules by which a source is refused: the version of Holdfast, and the options.
  private let rules: String
  private let isDryRun: Bool

  /// Examines the source without opening it; `nil` if nothing is to be remembered, or the source
  /// cannot be examined.
  init?(of item: ImportItem, in library: Library, _ options: ImportOptions) {
    guard options.remembersSources, let file = try? item.route.identity(),
      let place = item.route.real
    else { return nil }
    route = item.route
    isDryRun = options.isDryRun
    self.library = library
    self.file = file
    isRemote = item.route.isRemote
    // Not every phone keeps more than the size and this time.
    let state = "\(file.size) \(file.modified)" + (isRemote ? "" : " \(file.changed)")
    identity = SHA256.hash(place.bytes + [0] + Array(state.utf8))
    let conversion = options.conversion
    rules = [
      Library.version, conversion.overLimit.rawValue, conversion.video.rawValue,
      conversion.audio.rawValue, conversion.maxHeight.map(String.init) ?? "-",
    ].joined(separator: " ")
  }

  /// Whether the source was imported or refused before, and has not changed since.
  var hasSeen: Bool {
    get async {
      await (try? onOwnThread { _ in try library.catalog.sources.hasSeen(identity, rules: rules) })
        ?? false
    }
  }

  var imported: SeenSource { SeenSource(identity) }

  /// Remembers the result of the source, unless it has a row already.
  ///
  /// - Returns: The event, or one that says that a source with the same content was refused before.
  func remembering(_ event: ImportEvent) async -> ImportEvent {
    if isDryRun { return event }
    switch event {
    case .skipped(_, .duplicate): _ = await remember(imported)
    case .failed(let item, let error) where error.isRefusal:
      let refused = SeenSource(identity, refusedBy: rules, hash: await hash())
      if await remember(refused) { return .skipped(item, .seen) }
    default: break
    }
    return event
  }

  /// Returns the hash of the refused file; `nil` if that would take long, or the file has changed.
  private func hash() async -> SHA256Digest? {
    guard !isRemote, file.kind == .regular, file.size <= Self.largestRead else { return nil }
    return try? await onOwnThread { stop in
      let open = try route.open()
      guard try open.identity() == file else { throw CancellationError() }
      return try open.sha256(until: stop)
    }
  }

  /// Remembers a source. If that cannot be written, the source is examined again another time.
  ///
  /// - Returns: Whether one with the same content was refused before. Both are done under the lock,
  ///   as two such sources may be imported at once.
  private func remember(_ source: SeenSource) async -> Bool {
    let wasRefused = try? await onOwnThread { stop in
      try library.writableTree().withWriterLock(until: stop) { _ in
        let wasRefused = try source.hash.map {
          try library.catalog.sources.hasRefused($0, rules: rules)
        }
        try library.catalog.sources.remember(source)
        return wasRefused ?? false
      }
    }
    return wasRefused ?? false
  }
}

extension HoldfastError {
  /// The refusals that last until the file or the rules change.
  private static let refusals: Set<Code> = [
    .notAFile, .empty, .notAccepted, .encrypted, .nothingToPlay, .tooLarge, .overLimit,
    .tooHighToCopy, .cannotSplit, .cannotCopy, .damaged, .checkFailed,
  ]

  /// Whether every import by the same rules refuses the source until it changes. A library that
  /// remembers sources reports such a refusal only once.
  public var isRefusal: Bool {
    layer == .media && Self.refusals.contains(code) || code == .notARecording
  }
}
