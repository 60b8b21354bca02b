internal import HoldfastModel
internal import HoldfastStorage

extension SourceImport {
  /// Removes the source of an import whose rows are written, if that was asked for and nothing is
  /// lost by it. Whatever goes wrong now, the recordings stay.
  ///
  /// - Parameters:
  ///   - event: How the import ended; only that of an imported source changes.
  ///   - prepared: The source.
  ///   - reports: What was done for each recording that it became.
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
        .stays(StayReason(.notWhole, "\(missing.filePath) is not in the library any more"))
      } else {
        Self.remove(item.path, ifStill: prepared.source.identity)
      }
    return .imported(item, recordings, warnings: warnings, source: fate)
  }

  /// Whether a file that was published is still there: on a disk of several computers another one,
  /// which the lock does not keep out, may have taken it for a stranger's before its row was there.
  private func isInPlace(_ recording: Recording) -> Bool {
    let status = try? library.tree.status(of: recording.filePath)
    return status == .regular(size: recording.ingestion.fileSize)
  }

  private static func remove(_ path: SourcePath, ifStill identity: FileIdentity) -> SourceFate {
    do throws(StorageError) {
      switch try SourceFile.remove(path, ifStill: identity) {
      case .removed: return .moved
      case .isLink:
        return .stays(
          StayReason(.link, "it is a link; remove it and what it points to yourself"))
      case .hasChanged:
        return .stays(StayReason(.sourceChanged, "it has changed since it was read"))
      case .isMissing: return .stays(StayReason(.sourceChanged, "it is not there any more"))
      }
    } catch {
      return .stays(StayReason(.refused, error.reason))
    }
  }
}
