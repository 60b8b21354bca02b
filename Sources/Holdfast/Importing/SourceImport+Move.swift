import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension SourceImport {
  /// Removes the source after its rows are written, if that was requested and nothing would be
  /// lost.
  ///
  /// The recordings are kept whatever goes wrong here.
  ///
  /// - Parameter event: The event that ended the import. Only that of an imported source changes.
  func movingSource(
    after event: ImportEvent, _ prepared: PreparedSource, _ reports: [ConversionReport]
  ) -> ImportEvent {
    guard options.movesSources, case .imported(let item, let recordings, let warnings, _) = event
    else { return event }
    let remainder = SourceRemainder(of: prepared.info, after: reports)
    let fate: SourceFate =
      if !remainder.isWhole {
        .stays(StayReason(.notWhole, remainder.parts.joined(separator: "; ")))
      } else if let missing = recordings.first(where: { !isInPlace($0) }) {
        .stays(StayReason(.notWhole, "\(missing.filePath) is no longer in the library"))
      } else if let reason = reasonToKeep(prepared.source) {
        .stays(reason)
      } else {
        remove(ifStill: prepared.source.identity)
      }
    return .imported(item, recordings, warnings: warnings, source: fate)
  }

  /// Returns whether a published file is still there. On a disk that several computers share, the
  /// writer lock does not stop the others. Before the row was written, one of them may have
  /// mistaken the file for one that does not belong to the library.
  private func isInPlace(_ recording: Recording) -> Bool {
    let status = try? library.tree.status(of: recording.filePath)
    return status == .regular(size: recording.ingestion.fileSize)
  }

  /// Returns the reason why a source stays although all of it is in the library: it may be the only
  /// copy that this library or another one has. A mount can show a library's files where no marker
  /// is above them.
  private func reasonToKeep(_ source: HashedSource) -> StayReason? {
    if item.path.namesLibraryFile {
      return StayReason(
        .ofLibrary, "its name is that of a file in a library; remove it yourself if none needs it")
    }
    do {
      return try isOwn(source)
        ? StayReason(.ofLibrary, "it is a file of this library, under another name") : nil
    } catch {
      return StayReason(.refused, HoldfastError(itemFailure: error).explanation)
    }
  }

  private func isOwn(_ source: HashedSource) throws -> Bool {
    try library.catalog.files.matching(sha256: source.hash).contains { row in
      guard let path = RelativePath(row.filePath),
        let own = try? library.tree.openForReading(path).identity()
      else { return false }
      return own.isSameFile(as: source.identity)
    }
  }

  private func remove(ifStill identity: FileIdentity) -> SourceFate {
    do throws(HoldfastError) {
      switch try item.route.remove(ifStill: identity) {
      case .removed: return .moved
      case .isLink:
        return .stays(
          StayReason(.link, "it is a link; remove it and what it points to yourself"))
      case .hasChanged:
        return .stays(StayReason(.sourceChanged, "it has changed since it was read"))
      case .isMissing: return .stays(StayReason(.sourceChanged, "it is no longer there"))
      }
    } catch let error where error.code == .unsafePath {
      return .stays(StayReason(.link, "a link has taken the place of a folder above it"))
    } catch {
      return .stays(StayReason(.refused, error.clause))
    }
  }
}

extension SourcePath {
  fileprivate var namesLibraryFile: Bool {
    RelativePath("\(RelativePath.root)/\(name)")?.recordingID != nil
  }
}
