internal import HoldfastStorage

extension VerifyFinding {
  /// The one finding for a library on a filesystem without modes that others may read; `nil` where each
  /// file has a mode of its own, and where the mount keeps others out.
  static func modesOfMount(of tree: LibraryTree) -> VerifyFinding? {
    guard let mode = tree.modeOfMount, mode & 0o077 != 0 else { return nil }
    return VerifyFinding(
      .wrongMode, ".",
      "modes do not take effect on this disk, on which everything has mode "
        + "\(String(mode, radix: 8)): mount it so that only you may read it, with umask=077 say")
  }
}
