internal import Glibc

extension Staging {
  /// How often it is asked whether a file has writers left, ten milliseconds apart: a descriptor that
  /// was given up in this process is closed in a moment.
  private static let patience = 200

  /// Opens a file that was written here, for reading, once nobody can write to it any more.
  ///
  /// Whoever wrote it has ended, or says that it is done. This asks the kernel: what is hashed from here
  /// on stays as it is. (NFS and SMB give no lease without the server, and the answer says nothing.)
  ///
  /// - Parameter name: The file's name.
  /// - Throws: ``StorageError``: `stillWritten` when somebody has it open for writing, or what the system
  ///   says.
  public func openWritten(_ name: String) throws(StorageError) -> OpenFile {
    guard let file = try directory.existingFile(name, O_RDONLY) else {
      throw StorageError(.missing, "open", path: directory.place(name).path, errno: ENOENT)
    }
    guard !SourceFile.isRemote(file) else { return file }
    var tries = 0
    while SystemCalls.hasWriters(file) {
      tries += 1
      guard tries < Self.patience else {
        throw StorageError(.stillWritten, "read", path: file.path)
      }
      usleep(10_000)
    }
    return file
  }
}
