import CFFmpeg
import Glibc
import HoldfastModel

/// Throws a `HoldfastError` if an FFmpeg function returned a negative code; otherwise returns the
/// code.
///
/// `EAGAIN` and end of file are results, not errors. Test for them first.
@discardableResult
func check(
  _ code: CInt, _ operation: String, as kind: HoldfastError.Code = .library
) throws(HoldfastError) -> CInt {
  guard code < 0 else { return code }
  throw HoldfastError(
    ffmpeg: code, operation: operation, as: code == -ENOMEM && kind == .library ? .memory : kind,
    reason: "FFmpeg could not \(operation)")
}

/// Throws a `HoldfastError` if a pointer is null, as FFmpeg returns it when memory runs out;
/// otherwise returns the pointer.
func check<T>(_ pointer: T?, _ operation: String) throws(HoldfastError) -> T {
  guard let pointer else {
    throw HoldfastError(.memory, "not enough memory to \(operation)", operation: operation)
  }
  return pointer
}

/// Frees an object of FFmpeg's by a function that also clears the pointer that it is given.
func release<Object>(
  _ object: UnsafeMutablePointer<Object>,
  by free: (UnsafeMutablePointer<UnsafeMutablePointer<Object>?>) -> Void
) {
  var pointer: UnsafeMutablePointer<Object>? = object
  free(&pointer)
}

extension HoldfastError {
  /// Creates an error for an FFmpeg code. Its detail is the last error that FFmpeg logged on this
  /// thread, or FFmpeg's text for the code.
  init(ffmpeg code: CInt, operation: String, as kind: HoldfastError.Code, reason: String) {
    let lastWord = String(cString: cff_log_last())
    let detail = lastWord.isEmpty ? ffmpegWord(for: code) : lastWord
    self.init(kind, reason, operation: operation, detail: detail.escapedForDisplay)
  }
}

private func ffmpegWord(for code: CInt) -> String {
  var text = [CChar](repeating: 0, count: 128)
  av_strerror(code, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
