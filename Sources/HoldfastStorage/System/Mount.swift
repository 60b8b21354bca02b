internal import Glibc

/// What kind of filesystem an open folder lies on.
package enum Mount {
  /// The filesystem's type as the kernel names it; `nil` if it cannot be told.
  ///
  /// The mount is found by its number, for one path may lie under another mount by now: proc(5),
  /// `/proc/self/fdinfo` and `/proc/self/mountinfo`.
  static func type(of file: OpenFile) -> String? {
    let lines = (try? text("/proc/self/fdinfo/\(file.descriptor)"))?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("mnt_id:") }),
      let id = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last,
      let table = try? text("/proc/self/mountinfo")
    else { return nil }
    return type(ofMount: id, in: table)
  }

  /// A mount's type in the text of a `mountinfo`.
  package static func type(ofMount id: Substring, in table: String) -> String? {
    for line in table.split(separator: "\n") where line.hasPrefix("\(id) ") {
      // How many fields there are before the dash differs.
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex else { return nil }
      return String(fields[dash + 1])
    }
    return nil
  }

  /// Whether a filesystem of this type may be in use on two computers at once.
  ///
  /// Its locks may then keep out processes of one of them only. Of a program behind FUSE nobody knows
  /// where it keeps the files, be it an encrypting one whose files lie in a folder that is synchronised.
  /// The exceptions are `fuseblk`, which has a disk of its own (NTFS, exFAT), and `fuse-overlayfs`, which
  /// is the root of one container.
  package static func isNetwork(_ type: String) -> Bool {
    if type == "fuse" || type.hasPrefix("fuse.") { return type != "fuse.fuse-overlayfs" }
    return networkTypes.contains(type)
  }

  private static let networkTypes: Set = [
    "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs", "gfs2", "glusterfs",
    "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "prl_fs", "pvfs2",
    "smb2",
    "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "wekafs",
  ]

  private static func text(_ path: String) throws(StorageError) -> String {
    try SystemCalls.open(Place(path), O_RDONLY).text()
  }
}

extension LibraryTree {
  /// Refuses a library on a filesystem that may be in use on two computers at once, unless its marker
  /// says that only one of them writes at a time: the writer lock may keep out those of one computer
  /// only, and that a second lock is refused here proves nothing about another computer.
  ///
  /// - Throws: ``StorageError`` with the code `networkFilesystem`.
  public func refuseUnpromisedNetwork() throws(StorageError) {
    if marker.sharedDisk != true { try directory.refuseNetwork() }
  }

  /// Writes into the marker that only one computer at a time will write to the library.
  ///
  /// - Parameter lock: The writer lock.
  /// - Returns: Whether that was new.
  /// - Throws: ``StorageError`` when the marker cannot be read or written; it is then as it was.
  public func allowSharedDisk(under lock: borrowing WriterLock) throws -> Bool {
    var marker = try LibraryMarker.read(in: directory) ?? marker
    if marker.sharedDisk == true { return false }
    marker.sharedDisk = true
    try marker.write(in: directory, replacing: true)
    return true
  }
}

extension Directory {
  /// Refuses a folder on a filesystem that may be in use on two computers at once.
  func refuseNetwork() throws(StorageError) {
    let type = Mount.type(of: file)
    // Without /proc, the filesystem's number tells the most frequent ones.
    guard type.map(Mount.isNetwork) ?? SourceFile.isRemote(file) else { return }
    throw StorageError(.networkFilesystem, "open", path: file.path, detail: type)
  }
}
