internal import Glibc

/// How much a terminal shows at once.
struct TerminalSize {
  private(set) var columns = 80
  private(set) var rows = 24

  /// Asks the terminal behind a descriptor; one that does not say is taken for an old one.
  ///
  /// The corresponding C function is `ioctl` with `TIOCGWINSZ`.
  init(of descriptor: CInt) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return }
    if size.ws_col > 0 { columns = Int(size.ws_col) }
    if size.ws_row > 0 { rows = Int(size.ws_row) }
  }
}
