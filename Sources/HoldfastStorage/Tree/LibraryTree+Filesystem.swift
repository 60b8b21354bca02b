import Glibc
package import HoldfastModel

extension LibraryTree {
  /// Refuses a library that is not on one filesystem: files could not be moved from staging into
  /// place, nor into the trash.
  package func refuseOtherFilesystems() throws(HoldfastError) {
    try directory.refuseOtherFilesystems()
  }

  /// Refuses a library on a filesystem that two computers may use at once.
  ///
  /// A library is accepted if its marker says that only one computer writes at a time. The writer
  /// lock may stop only the processes of one computer. Even if a second lock is refused here, that
  /// proves nothing about another computer.
  package func refuseUnpromisedNetwork() throws(HoldfastError) {
    if marker.sharedDisk != true { try directory.refuseNetwork(to: "open") }
  }

  /// The mode that all files and folders of the library have on a filesystem where modes have no
  /// effect; `nil` where they take effect.
  package var modeOfMount: UInt32? {
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

extension Directory {
  /// Refuses a library's folder if a part of it is mounted from elsewhere, or is a subvolume. A
  /// bind mount on the same disk counts too, because `rename` and `link` refuse to cross it.
  func refuseOtherFilesystems() throws(HoldfastError) {
    let device = try file.identity().device
    let folders = [
      RelativePath.root, Layout.thumbnails, Layout.photos, Layout.staging, Layout.trash,
      Layout.quarantine, Layout.cache,
    ]
    for name in folders {
      let folder: OpenFile
      do throws(HoldfastError) {
        let flags = SystemCalls.pathOnly | O_DIRECTORY
        folder = try SystemCalls.openOnSameMount(place(name), flags)
      } catch let error where error.code == .missing || [ELOOP, ENOTDIR].contains(error.errno) {
        continue  // Not one of our folders. Each step that needs it reports that.
      }
      guard try folder.identity().device == device else {
        throw HoldfastError(.otherFilesystem, operation: "open", path: folder.path)
      }
    }
  }
}
