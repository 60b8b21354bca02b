package import Holdfast

extension CommonOptions {
  /// Opens the library for a journal's command. Throws `journalNotEnabled` if the journal is not
  /// enabled in it.
  package func openLibrary(
    for access: Library.Access, _ journal: Journal, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    let library = try openLibrary(for: access, engine: engine)
    guard try library.enabledJournals().contains(journal.name) else {
      // Its tables may be there already, and nothing can be enabled.
      if library.warnings.contains(where: { $0.code == .unknownJournal }) {
        throw HoldfastError(
          .unknownJournal,
          "the journal \"\(journal.name)\" cannot be used, because a newer Holdfast has changed "
            + "the library's journals; use that version", path: library.path)
      }
      throw HoldfastError(
        .journalNotEnabled,
        "the journal \"\(journal.name)\" is not enabled in the library in "
          + library.path.escapedForDisplay,
        path: library.path, record: journal.kinds.first?.kind)
    }
    return library
  }
}
