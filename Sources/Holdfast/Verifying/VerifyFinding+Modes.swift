import HoldfastStorage

extension VerifyFinding {
  /// Returns the one finding for a library that others may read because its filesystem has no
  /// modes. Returns `nil` if each file has its own mode, or if the mount keeps others out.
  static func modesOfMount(of tree: LibraryTree) -> VerifyFinding? {
    guard let mode = tree.modeOfMount, mode & 0o077 != 0 else { return nil }
    return VerifyFinding(
      .wrongMode, path: ".",
      detail: "modes do not take effect on this disk, on which everything has mode "
        + "\(String(mode, radix: 8)): mount it so that only you may read it, for example with "
        + "umask=077")
  }
}
