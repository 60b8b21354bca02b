internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// What a library remembers of a source, so that it is not read again until it changes.
struct SourceMemory: Sendable {
  /// The largest refused source, in bytes, that is read to its end only to know it under another name.
  private static let largestRead: Int64 = 256 << 20
  /// The refusals that last until the file changes, or the rules.
  private static let lasting: Set<LibraryError.Code> = Set(
    [
      MediaError.Code.notAFile, .empty, .notAccepted, .encrypted, .nothingToPlay, .tooLarge,
      .overLimit, .tooHighToCopy, .cannotSplit, .cannotCopy, .damaged, .checkFailed,
    ].map { LibraryError.Code($0) } + [.notARecording])

  private let path: SourcePath
  private let library: Library
  /// The file when the import began.
  private let file: FileIdentity
  private let identity: SHA256Digest
  private let isRemote: Bool
  /// What decides whether a source is refused: the version of Holdfast, and the options.
  private let rules: String
  private let isDryRun: Bool

  /// Examines the source without opening it; `nil` if nothing is to be remembered, or the source
  /// cannot be examined.
  init?(of item: ImportItem, in library: Library, _ options: ImportOptions) {
    guard options.remembersSources, let file = try? item.path.identity(),
      let place = item.path.real
    else { return nil }
    path = item.path
    isDryRun = options.isDryRun
    self.library = library
    self.file = file
    isRemote = item.path.isRemote
    // Others than the size and this time are not kept by every phone.
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
      await (try? onOwnThread { _ in try library.catalog.hasSeen(identity, rules: rules) }) ?? false
    }
  }

  /// The source as one that was imported.
  var imported: SeenSource { SeenSource(identity) }

  /// Remembers what became of the source, unless it has a row already.
  ///
  /// - Returns: The event, or that a source with the same content was refused before.
  func remembering(_ event: ImportEvent) async -> ImportEvent {
    if isDryRun { return event }
    switch event {
    case .skipped(_, .duplicate): await remember(imported)
    case .failed(let item, let error) where Self.lasting.contains(error.code):
      let hash = await hash()
      await remember(SeenSource(identity, refusedBy: rules, hash: hash.hash))
      if hash.isKnown { return .skipped(item, .seen) }
    default: break
    }
    return event
  }

  /// Returns the hash of the refused file, unless that would take long or the file has changed, and
  /// whether a file with that hash was refused before.
  private func hash() async -> (hash: SHA256Digest?, isKnown: Bool) {
    guard !isRemote, file.kind == .regular, file.size <= Self.largestRead else {
      return (nil, false)
    }
    let hash = try? await onOwnThread { stop in
      let open = try SourceFile.open(path)
      guard try open.identity() == file else { throw CancellationError() }
      let hash = try open.sha256(copyingTo: nil, until: stop)
      return (hash, try library.catalog.hasRefused(hash, rules: rules))
    }
    return hash.map { ($0.0, $0.1) } ?? (nil, false)
  }

  /// If it cannot be written, the source is looked at once more another time.
  private func remember(_ source: SeenSource) async {
    _ = try? await onOwnThread { stop in
      try library.writableTree().withWriterLock(until: stop) { _ in
        try library.catalog.remember(source)
      }
    }
  }
}
