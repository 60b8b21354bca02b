import Foundation

/// The error of a media engine.
public typealias MediaError = HoldfastError

extension HoldfastError.Code {
  /// The codes of a media engine's errors.
  package static let media: Set<Self> = [
    .notAFile, .empty, .notAccepted, .encrypted, .nothingToPlay, .tooLarge, .overLimit,
    .tooHighToCopy, .cannotSplit, .cannotCopy, .damaged, .checkFailed, .inputRefused,
    .outputRefused, .worker, .stalled, .overdue, .memory, .library,
  ]
}

extension HoldfastError {
  package init(systemError error: CInt, as kind: Code, operation: String) {
    self.init(
      kind, "could not \(operation): \(unsafe String(cString: strerror(error)))",
      operation: operation, errno: error)
  }

  /// Returns the error for a source that is longer than a recording may last.
  ///
  /// An import throws it when the header already says so, ``ConversionPlan`` when the packets do,
  /// and the check of an output when the new file is too long. It names no remedy, because the
  /// library knows no options: `HoldfastConsole/Text/Remedy.swift` adds the command's.
  ///
  /// - Parameter seconds: The length in seconds.
  public static func overLimit(seconds: Double) -> HoldfastError {
    var error = HoldfastError(
      .overLimit,
      "\(seconds.tenthsRoundedUp) s long; recordings may last "
        + "\(RecordingLimit.seconds.tenthsRoundedUp) s")
    error.duration = seconds
    return error
  }

  /// The error for an answer that does not fit its job, or holds figures that no file can have.
  package static var senselessAnswer: HoldfastError {
    HoldfastError(
      .worker, "the decoder gave no sensible answer about this file", operation: "answer")
  }

  /// Returns the error for a copy that was requested but cannot be made.
  static func cannotCopy(because reason: String, _ code: Code = .cannotCopy) -> HoldfastError {
    HoldfastError(code, "the picture cannot be copied (\(reason))")
  }
}
