public import Foundation
internal import Glibc
public import HoldfastModel

extension LibraryTree {
  /// Whether a recording's file lies in the trash, where a deletion that died has left it.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - id: The recording.
  /// - Throws: ``StorageError`` when the system cannot say.
  public func isInTrash(_ path: RelativePath, of id: RecordingID) throws(StorageError) -> Bool {
    guard let folder = try directory.existing(Layout.trash)?.existing(id.uuidString) else {
      return false
    }
    return try SystemCalls.identity(of: folder.place(path.name)) != nil
  }

  /// Ends the deletions that died: `.trash/<ID>/` holds a recording's files under their own names.
  func recoverTrash(
    _ report: inout RecoveryReport, _ hasRow: (UUID) throws -> Bool
  ) throws {
    guard let trash = try directory.existing(Layout.trash) else { return }
    for entry in try trash.entries() {
      guard let id = entry.uuid, entry.kind == .directory,
        let folder = try trash.existing(id.uuidString)
      else {
        report.leftAlone.append(Place(in: trash.file, entry.name).path)
        continue
      }
      if try hasRow(id) {
        report.restored += try restore(folder, of: id, &report)
        try trash.removeEmpty(id.uuidString)
      } else {
        try empty(folder, of: id, &report)
        if try trash.removeEmpty(id.uuidString) { report.deleted.append(id) }
      }
    }
  }

  /// Moves a recording's files back to where its row says they are; never over another file. One whose
  /// bytes are in its place already, because a backup was copied over the library say, is dropped.
  private func restore(
    _ folder: Directory, of id: RecordingID, _ report: inout RecoveryReport
  ) throws(StorageError) -> [RelativePath] {
    let folders = try RecordingFolders(in: directory)
    var restored: [RelativePath] = []
    for (place, path) in try files(in: folder, of: id, &report) {
      do throws(StorageError) {
        try SystemCalls.rename(place, to: folders.place(path))
        restored.append(path)
      } catch let error where error.code == .exists {
        if isTwin(place, of: path) {
          try SystemCalls.unlink(place)
          restored.append(path)
        } else {
          report.leftAlone.append(place.path)
        }
      }
    }
    try folders.sync(RelativePath.all(of: id))
    return restored
  }

  /// Whether a file of the trash has the bytes that are in its place, and they are on the disk.
  private func isTwin(_ place: Place, of path: RelativePath) -> Bool {
    do {
      let published = try openForReading(path)
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      guard try SystemCalls.openBeneath(place, flags).hasBytes(of: published) else { return false }
      try SystemCalls.sync(published)
      return true
    } catch {
      return false  // What cannot be read is kept, and keeps nobody from writing to the library.
    }
  }

  private func empty(
    _ folder: Directory, of id: RecordingID, _ report: inout RecoveryReport
  ) throws(StorageError) {
    for (place, _) in try files(in: folder, of: id, &report) { try SystemCalls.unlink(place) }
  }

  /// The files of a deletion that are the recording's, and where they came from.
  private func files(
    in folder: Directory, of id: RecordingID, _ report: inout RecoveryReport
  ) throws(StorageError) -> [(place: Place, path: RelativePath)] {
    var files: [(place: Place, path: RelativePath)] = []
    for entry in try folder.entries() {
      let place = Place(in: folder.file, entry.name)
      let path = RelativePath.all(of: id).first { $0.name == entry.text }
      if let path, entry.kind == .regular {
        files.append((place, path))
      } else if entry.kind == .directory, entry.text == RelativePath.root {
        // What an erase set aside: it was seen to before, and named if it could not go back.
      } else {
        report.leftAlone.append(place.path)
      }
    }
    return files
  }
}
