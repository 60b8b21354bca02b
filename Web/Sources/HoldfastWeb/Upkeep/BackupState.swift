internal import Holdfast

/// What Settings says about the backups.
struct BackupState: Sendable {
  /// The folder; empty if none was named yet.
  let folder: String
  let sentence: String

  /// Looks for the last backup, on a disk that may not be there.
  ///
  /// - Throws: `LibraryError` when the library cannot be read.
  init(of library: Library) throws {
    guard let folder = try library.backupFolder() else {
      self.folder = ""
      sentence = "There is no backup yet. Name a folder on another disk, such as a USB stick."
      return
    }
    self.folder = folder
    let uuid = try library.uuid()
    do {
      let backups = try Library.backups(in: folder).filter { $0.library == uuid }
      sentence =
        backups.max { $0.moment < $1.moment }.map { last in
          "The last backup was made on \(last.moment.localText): "
            + "\(last.recordings.counted("recording")), \(last.bytes.megabytes)."
            + (last.missing > 0 ? " It lacks \(last.missing.counted("file"))." : "")
        } ?? "There is no backup of this library in \(folder)."
    } catch {
      sentence =
        "The last backup cannot be seen: \(WebProblem(error).detail). Is its disk connected?"
    }
  }
}
