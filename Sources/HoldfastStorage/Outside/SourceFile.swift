internal import Glibc

/// Opening a stranger's file, which is only ever read.
public enum SourceFile {
  /// Opens a file for reading, whatever it is: who reads it says what kinds it takes. A FIFO does
  /// not make it wait.
  ///
  /// A symbolic link that a person named is followed.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``StorageError``: `notAFile` for a socket, `missing`, or what the system says.
  public static func open(_ path: SourcePath) throws(StorageError) -> OpenFile {
    do throws(StorageError) {
      return try SystemCalls.open(Place(path.bytes), O_RDONLY | O_NONBLOCK | O_NOCTTY)
    } catch let error where error.errno == ENXIO {
      throw StorageError(.notAFile, "open", path: error.path, errno: ENXIO)
    }
  }

  /// Whether the file comes over FUSE, NFS, SMB or 9P: a phone over MTP, another machine.
  ///
  /// Such a file is copied once and then worked on here.
  public static func isRemote(_ file: OpenFile) -> Bool {
    SystemCalls.filesystemType(of: file).map(isRemote) ?? false
  }

  /// Whether a filesystem of this magic number is another machine's, or a program's.
  ///
  /// The numbers are those of `linux/magic.h` and of statfs(2).
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
