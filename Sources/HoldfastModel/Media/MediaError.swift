internal import Glibc

/// Why a media file was refused, or why work on it failed.
public struct MediaError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error: an open set, matched by `catch MediaError.Code.overLimit`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not a regular file: a directory, a FIFO, a device.
    public static let notAFile = Code(rawValue: "notAFile")
    /// Nothing in it.
    public static let empty = Code(rawValue: "empty")
    /// Not a media file, or a kind that Holdfast does not take.
    public static let notAccepted = Code(rawValue: "notAccepted")
    /// Encrypted.
    public static let encrypted = Code(rawValue: "encrypted")
    /// No picture or sound that can be played.
    public static let nothingToPlay = Code(rawValue: "nothingToPlay")
    /// The picture is larger than Holdfast decodes.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// Longer than a recording may last.
    public static let overLimit = Code(rawValue: "overLimit")
    /// Too long, and it cannot be split.
    public static let cannotSplit = Code(rawValue: "cannotSplit")
    /// A copy was asked for that cannot be made.
    public static let cannotCopy = Code(rawValue: "cannotCopy")
    /// Damaged: it cannot be read to its end.
    public static let damaged = Code(rawValue: "damaged")
    /// The output is not what was planned.
    public static let checkFailed = Code(rawValue: "checkFailed")
    /// The system refused to read.
    public static let inputRefused = Code(rawValue: "inputRefused")
    /// The system refused to write: the disk is full, or failing.
    public static let outputRefused = Code(rawValue: "outputRefused")
    /// The process that reads and makes media crashed, was killed or cannot be used.
    public static let worker = Code(rawValue: "worker")
    /// The process that reads and makes media got nowhere for too long.
    public static let stalled = Code(rawValue: "stalled")
    /// The process that reads and makes media took longer than a file of that length may take.
    public static let overdue = Code(rawValue: "overdue")
    /// There is not enough memory.
    public static let memory = Code(rawValue: "memory")
    /// A library failed where it should not have.
    public static let library = Code(rawValue: "library")
  }

  /// The kind of the error.
  public var code: Code
  /// What a person reads after the file's name: one clause with the figure.
  public var reason: String
  /// What was being done, such as "write the trailer".
  public var operation: String?
  /// FFmpeg's own last word.
  public var detail: String?
  /// The system's error number, if it was the system that refused.
  public var errno: CInt?
  /// The index of the stream that could not be copied or encoded, if it was one alone.
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

  /// Makes the error of a system call that failed.
  package init(systemError error: CInt, as kind: Code, operation: String) {
    self.init(
      kind, "could not \(operation): \(unsafe String(cString: strerror(error)))",
      operation: operation, errno: error)
  }

  /// The refusal of a source that is longer than a recording may last.
  ///
  /// - Parameter seconds: How long the source is, in seconds.
  public static func overLimit(seconds: Double) -> MediaError {
    MediaError(
      .overLimit,
      "\(seconds.tenths) s long; recordings may last \(RecordingLimit.seconds.tenths) s")
  }

  /// The refusal of a copy that was asked for and cannot be made.
  static func cannotCopy(because reason: String) -> MediaError {
    MediaError(.cannotCopy, "the picture cannot be copied (\(reason))")
  }

  /// What a person reads after the file's name, with FFmpeg's own last word if there is one.
  public var description: String { detail.map { "\(reason) (\($0))" } ?? reason }
}

extension MediaError.Code {
  /// Lets `catch MediaError.Code.overLimit` match an error of that kind.
  public static func ~= (code: MediaError.Code, error: any Error) -> Bool {
    (error as? MediaError)?.code == code
  }
}

extension Double {
  /// The number with at most three decimals, rounded down: what is said to be there, is.
  package var thousandths: String {
    let thousandths = (self * 1000 + 1e-6).rounded(.down)
    guard abs(thousandths) < 1e15 else { return description }
    let (whole, rest) = Int64(thousandths).quotientAndRemainder(dividingBy: 1000)
    guard rest != 0 else { return "\(whole)" }
    var decimals = String(String(abs(rest) + 1000).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }

  /// The number with at most one decimal, as a person reads it: `120`, `185.3`.
  ///
  /// Rounded up, so that what is refused never reads as what is allowed: 120.14 is `120.2`.
  public var tenths: String {
    let tenths = (self * 10 - 1e-6).rounded(.up)
    guard abs(tenths) < 1e15 else { return description }
    let whole = Int64(tenths)
    return whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\(abs(whole % 10))"
  }
}
