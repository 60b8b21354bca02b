import Glibc

/// The size of a terminal in cells.
package struct TerminalSize {
  package private(set) var columns = 80
  package private(set) var rows = 24

  /// Asks the terminal behind a descriptor. If it does not answer, the size is 80 × 24.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
  package init(of descriptor: CInt) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return }
    if size.ws_col > 0 { columns = Int(size.ws_col) }
    if size.ws_row > 0 { rows = Int(size.ws_row) }
  }
}
