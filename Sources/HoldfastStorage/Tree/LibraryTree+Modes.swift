internal import Glibc

extension LibraryTree {
  /// The mode that the library's folder has on a filesystem where modes have no effect.
  ///
  /// All files there have the mode of the mount. `nil` where modes take effect.
  public var modeOfMount: UInt32? {
    guard let root = try? directory.file.identity(),
      let type = SystemCalls.filesystemType(of: directory.file)
    else { return nil }
    if Self.modelessFilesystems.contains(type) { return root.permissions }
    // FUSE filesystems may or may not keep modes. Folders are made with 0700 and files with 0600,
    // so if both have the same mode, the filesystem does not keep modes.
    guard type == Self.fuse,
      let marker = try? SystemCalls.identity(of: directory.place(Layout.marker)),
      marker.permissions == root.permissions
    else { return nil }
    return root.permissions
  }

  /// FAT, exFAT, NTFS (both drivers) and SMB, by the numbers in statfs(2) and `linux/magic.h`.
  private static let modelessFilesystems: Set<UInt32> = [
    0x4D44, 0x2011_BAB0, 0x5346_544E, 0x7366_746E, 0x517B, 0xFF53_4D42, 0xFE53_4D42,
  ]
  private static let fuse: UInt32 = 0x6573_5546
}
