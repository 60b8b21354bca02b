import Glibc
package import HoldfastModel

extension Staging {
  /// The most checks for remaining writers of a file, ten milliseconds apart. A descriptor that was
  /// released in this process is closed within moments.
  private static let patience = 200

  /// Opens for reading a file that was written here, once no process can write to it any more.
  ///
  /// Call it when the writer has ended or has said that it is done. This method asks the kernel, so
  /// that the bytes that are hashed cannot change later. (NFS and SMB grant no lease without their
  /// server, so files on them are not checked.)
  ///
  /// - Throws: `HoldfastError`: `stillWritten` when a process has it open for writing, `missing`,
  ///   or a system error.
  package func openWritten(_ name: String) throws(HoldfastError) -> OpenFile {
    let file = try directory.openFile(name)
    guard !SourceFile.isRemote(file) else { return file }
    var tries = 0
    while SystemCalls.hasWriters(file) {
      tries += 1
      guard tries < Self.patience else {
        throw HoldfastError(.stillWritten, operation: "read", path: file.path)
      }
      usleep(10_000)
    }
    return file
  }

  /// Waits until a file that was made here is on the disk, before it is moved to the cache.
  package func sync(_ name: String) throws(HoldfastError) {
    try SystemCalls.sync(directory.openFile(name, to: "sync"))
  }
}
