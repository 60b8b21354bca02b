import Glibc

/// The reason why a media file was refused, or why work on it failed.
public struct MediaError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. The set is open; match one with `catch MediaError.Code.overLimit`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not a regular file: a directory, a FIFO, a device.
    public static let notAFile = Code(rawValue: "notAFile")
    /// An empty file.
    public static let empty = Code(rawValue: "empty")
    /// Not a media file, or a kind that Holdfast does not accept.
    public static let notAccepted = Code(rawValue: "notAccepted")
    /// An encrypted file.
    public static let encrypted = Code(rawValue: "encrypted")
    /// No picture or sound that can be played.
    public static let nothingToPlay = Code(rawValue: "nothingToPlay")
    /// The picture is larger than Holdfast decodes.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// Longer than a recording may last.
    public static let overLimit = Code(rawValue: "overLimit")
    /// A copy was requested of a picture that is higher than was asked for.
    public static let tooHighToCopy = Code(rawValue: "tooHighToCopy")
    /// Too long, and it cannot be split.
    public static let cannotSplit = Code(rawValue: "cannotSplit")
    /// A copy was requested that cannot be made.
    public static let cannotCopy = Code(rawValue: "cannotCopy")
    /// A damaged file, which cannot be read to its end.
    public static let damaged = Code(rawValue: "damaged")
    /// The output does not match the plan.
    public static let checkFailed = Code(rawValue: "checkFailed")
    /// The system refused to read.
    public static let inputRefused = Code(rawValue: "inputRefused")
    /// The system refused to write, because the disk is full or failing.
    public static let outputRefused = Code(rawValue: "outputRefused")
    /// The process that reads and makes media crashed, was killed, or cannot be used.
    public static let worker = Code(rawValue: "worker")
    /// The process that reads and makes media made no progress for too long.
    public static let stalled = Code(rawValue: "stalled")
    /// The process that reads and makes media took longer than a file of that length may take.
    public static let overdue = Code(rawValue: "overdue")
    /// There is not enough memory.
    public static let memory = Code(rawValue: "memory")
    /// A media library failed where it should not have.
    public static let library = Code(rawValue: "library")
  }

  /// The kind of the error.
  public var code: Code
  /// The text that follows the file's name for a person: one clause with the figure.
  public var reason: String
  /// The operation that failed, such as "write the trailer".
  public var operation: String?
  /// FFmpeg's own last message. It helps to find the cause, and is not shown to a person.
  public var detail: String?
  /// The system's error number, if the system refused.
  public var errno: CInt?
  /// The index of the stream that could not be copied or encoded, if only one stream failed.
  public var stream: Int?

  /// Makes an error.
  public init(
    _ code: Code, _ reason: String, operation: String? = nil, detail: String? = nil,
    errno: CInt? = nil
  ) {
    self.code = code
    self.reason = reason
    self.operation = operation
    self.detail = detail
    self.errno = errno
  }

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
  public static func overLimit(seconds: Double) -> MediaError {
    MediaError(
      .overLimit,
      "\(seconds.tenthsRoundedUp) s long; recordings may last \(RecordingLimit.seconds.tenthsRoundedUp) s"
    )
  }

  /// The error for an answer that does not fit its job, or holds figures that no file can have.
  package static var senselessAnswer: MediaError {
    MediaError(
      .worker, "the decoder gave no sensible answer about this file", operation: "answer")
  }

  /// Returns the error for a copy that was requested but cannot be made.
  static func cannotCopy(because reason: String, _ code: Code = .cannotCopy) -> MediaError {
    MediaError(code, "the picture cannot be copied (\(reason))")
  }

  /// The text that follows the file's name for a person.
  public var description: String { reason }
}

extension MediaError.Code {
  /// Lets `catch MediaError.Code.overLimit` match an error of that kind.
  public static func ~= (code: MediaError.Code, error: any Error) -> Bool {
    (error as? MediaError)?.code == code
  }
}
