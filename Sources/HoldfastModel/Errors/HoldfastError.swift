/// The reason why a library could not do as asked, or why one of many items failed.
///
/// Every error of a library is one of these, except `CancellationError` and what a caller's own
/// closure throws. Match one by its code:
///
/// ```swift
/// do {
///   library = try Library.open(at: location, for: .writing)
/// } catch HoldfastError.Code.noLibrary {
///   try Library.create(at: location)
/// }
/// ```
public struct HoldfastError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. The set is open.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Lets `catch HoldfastError.Code.noLibrary` match an error of that kind.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? HoldfastError)?.code == code
    }
  }

  /// The error that led to another one.
  public indirect enum Cause: Hashable, Sendable {
    /// Another error of Holdfast's.
    case error(HoldfastError)
    /// The rule that a value breaks.
    case rule(RuleError)
    /// The wait for the writer lock.
    case timeout(LockTimeout)
  }

  /// The part of Holdfast that made an error. Two parts may use one code.
  package enum Layer: Sendable { case media, storage, catalog, library }

  /// The kind of the error.
  public var code: Code
  /// One clause with the figures. It does not repeat the path of a file or the name of an item
  /// that the error is about. It names no command and no option, because the program that shows it
  /// knows what its user can do.
  public var reason: String
  /// What was being done, such as "open" or "write the trailer".
  public var operation: String?
  /// The file, folder or database that the error is about, not escaped for display.
  public var path: String?
  /// The kind of record that was looked for, if the error is about one.
  public var record: RecordKind?
  /// The system's error number, if the system refused.
  public var errno: CInt?
  /// The index of the stream that could not be copied or encoded, if only one stream failed.
  public var stream: Int?
  /// The length in seconds of a source that is longer than a recording may last.
  public var duration: Double?
  /// FFmpeg's own last message. It helps to find the cause, and is not shown to a person.
  public var detail: String?
  /// The error that led to this one.
  public var cause: Cause?
  package var layer: Layer

  /// Makes an error.
  public init(
    _ code: Code, _ reason: String, operation: String? = nil, path: String? = nil,
    record: RecordKind? = nil, detail: String? = nil, errno: CInt? = nil, cause: Cause? = nil
  ) {
    self.code = code
    self.reason = reason
    self.operation = operation
    self.path = path
    self.record = record
    self.errno = errno
    self.detail = detail
    self.cause = cause
    layer = Code.media.contains(code) ? .media : .library
  }

  /// Makes an error about a file, whose sentence begins with the file's path.
  package init(
    _ code: Code, _ reason: String, operation: String?, of path: String?, errno: CInt? = nil,
    in layer: Layer
  ) {
    self.init(code, reason, operation: operation, path: path, errno: errno)
    self.layer = layer
  }

  /// The sentence for a person.
  public var description: String {
    guard let path, [.storage, .catalog].contains(layer) else { return reason }
    return "\(path.escapedForDisplay): \(reason)"
  }

  /// The wait for the writer lock that ended without the lock.
  package var timeout: LockTimeout? {
    if case .timeout(let timeout) = cause { timeout } else { nil }
  }
}

extension HoldfastError {
  /// Makes the error of a value that breaks a rule.
  public init(_ rule: RuleError) {
    self.init(.invalidValue, rule.description, cause: .rule(rule))
  }

  /// Makes the error of a wait for the writer lock.
  package init(_ timeout: LockTimeout) {
    self.init(.locked, timeout.reason, path: timeout.library, cause: .timeout(timeout))
  }
}
