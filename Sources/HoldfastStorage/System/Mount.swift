import Glibc
import HoldfastModel

/// The kind of filesystem that an open folder is on.
package enum Mount {
  /// Returns the filesystem's type as the kernel names it, or `nil` if that is unknown.
  ///
  /// The mount is found by its number, because another mount may cover the path by now: proc(5),
  /// `/proc/self/fdinfo` and `/proc/self/mountinfo`.
  static func type(of file: OpenFile) -> String? {
    let lines = text("/proc/self/fdinfo/\(file.descriptor)")?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("mnt_id:") }),
      let id = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last,
      let table = text(SystemCalls.mountsPath)
    else { return nil }
    return type(ofMount: id, in: table)
  }

  package static func type(ofMount id: Substring, in table: String) -> String? {
    for line in table.split(separator: "\n") where line.hasPrefix("\(id) ") {
      // The number of fields before the dash varies.
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex else { return nil }
      return String(fields[dash + 1])
    }
    return nil
  }

  /// Whether two computers may use a filesystem of this type at once.
  ///
  /// Its locks may then stop only the processes of one of them. Where a program behind FUSE keeps
  /// its files is unknown: an encrypting one may keep them in a synchronised folder. The exceptions
  /// are `fuseblk`, which has its own disk (NTFS, exFAT), and `fuse-overlayfs`, which is the root
  /// of one container.
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

  /// The most bytes of the kernel's list of mounts. Some computers have a hundred thousand.
  private static let longestTable: Int64 = 256 << 20

  /// Returns a file of `/proc` as text; `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    try? SystemCalls.open(DirectoryRelativePath(path), O_RDONLY).text(atMost: longestTable)
  }

  /// Returns the folders where filesystems of a type are mounted.
  ///
  /// - Parameter type: The type, as proc(5) describes it for `/proc/self/mountinfo`: `fuse.ifuse`.
  package static func folders(ofType type: String) -> [String] {
    guard let table = text(SystemCalls.mountsPath) else { return [] }
    return table.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.endIndex, fields.count > 4,
        fields[dash + 1] == type
      else { return nil }
      // Blanks are written as numbers.
      return String(fields[4]).replacing("\\040", with: " ").replacing("\\011", with: "\t")
        .replacing("\\012", with: "\n").replacing("\\134", with: "\\")
    }
  }
}

extension Directory {
  func refuseNetwork(to operation: String) throws(HoldfastError) {
    let type = Mount.type(of: file)
    // Without /proc, the filesystem's magic number identifies the most common ones.
    guard type.map(Mount.isNetwork) ?? SourceFile.isRemote(file) else { return }
    throw HoldfastError(.networkFilesystem, operation: operation, path: file.path, detail: type)
  }
}
