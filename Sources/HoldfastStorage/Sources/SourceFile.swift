package import HoldfastModel

/// Opens untrusted files, which are only ever read.
package enum SourceFile {
  /// Opens a file that a person named, of any kind, for reading. Links are followed.
  package static func open(_ path: SourcePath) throws(HoldfastError) -> OpenFile {
    try SourceRoute(typed: path).open()
  }

  /// Whether the file is on FUSE, NFS, SMB or 9P, such as a phone over MTP or another machine. Such
  /// a file is copied to this machine once, and the copy is used from then on.
  package static func isRemote(_ file: OpenFile) -> Bool {
    SystemCalls.filesystemType(of: file).map(isRemote) ?? false
  }

  /// Whether a filesystem with this magic number belongs to another machine or to a program. The
  /// numbers are from `linux/magic.h` and statfs(2).
  static func isRemote(filesystemType: UInt32) -> Bool {
    let fuse: UInt32 = 0x6573_5546
    let nfs: UInt32 = 0x6969
    let smb: UInt32 = 0x517B
    let cifs: UInt32 = 0xFF53_4D42
    let smb2: UInt32 = 0xFE53_4D42
    let plan9: UInt32 = 0x0102_1997
    return [fuse, nfs, smb, cifs, smb2, plan9].contains(filesystemType)
  }
}
