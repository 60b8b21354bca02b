internal import HoldfastModel

extension LibraryTree {
  /// Returns the folder to which the library is backed up, as the marker has it now.
  ///
  /// - Throws: ``StorageError`` when the marker cannot be read.
  public func backupFolder() throws(StorageError) -> String? {
    try LibraryMarker.read(in: directory)?.backupFolder
  }

  /// Notes in the marker to which folder the library is backed up.
  ///
  /// A path too long for a marker is not noted, and removes the present one.
  ///
  /// - Parameters:
  ///   - path: The folder; `nil` for none.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError`` when the marker cannot be read or written. It is then unchanged,
  ///   unless only the sync of its folder failed.
  public func setBackupFolder(_ path: String?, under lock: borrowing WriterLock) throws {
    var marker = try LibraryMarker.read(in: directory) ?? marker
    let present = marker.backupFolder
    marker.backupFolder = path
    if try marker.json().count > LibraryMarker.sizeLimit { marker.backupFolder = nil }
    guard marker.backupFolder != present else { return }
    try marker.write(in: directory, replacing: true)
  }
}
