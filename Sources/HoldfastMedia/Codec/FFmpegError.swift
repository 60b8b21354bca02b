internal import CFFmpeg
internal import Glibc
internal import HoldfastModel

/// Turns a negative return of an FFmpeg function into a ``MediaError``.
///
/// `EAGAIN` and end of file are results, not errors: ask for them before.
@discardableResult
func check(
  _ code: CInt, _ operation: String, as kind: MediaError.Code = .library
) throws(MediaError) -> CInt {
  guard code < 0 else { return code }
  throw MediaError(
    ffmpeg: code, operation: operation, as: code == -ENOMEM && kind == .library ? .memory : kind,
    reason: "FFmpeg could not \(operation): \(ffmpegWord(for: code))")
}

/// Turns a null pointer, which FFmpeg returns when memory ran out, into a ``MediaError``.
func check<T>(_ pointer: T?, _ operation: String) throws(MediaError) -> T {
  guard let pointer else {
    throw MediaError(.memory, "not enough memory to \(operation)", operation: operation)
  }
  return pointer
}

extension MediaError {
  /// Makes an error of an FFmpeg code, with FFmpeg's own last word on this thread.
  init(ffmpeg code: CInt, operation: String, as kind: MediaError.Code, reason: String) {
    let lastWord = String(cString: cff_log_last())
    self.init(
      kind, reason, operation: operation,
      detail: lastWord.isEmpty ? nil : lastWord.escapedForDisplay)
  }
}

/// FFmpeg's words for an error code.
func ffmpegWord(for code: CInt) -> String {
  var text = [CChar](repeating: 0, count: 128)
  av_strerror(code, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
