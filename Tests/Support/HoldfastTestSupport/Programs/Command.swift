import Foundation
import HoldfastModel
import HoldfastSupport
import Subprocess
import SystemPackage

/// A program's result.
public struct CommandResult: Sendable {
  /// The exit status, or 128 and the signal's number for a program that a signal ended.
  public var status: Int32
  /// The bytes written to standard output.
  public var outputBytes: [UInt8]
  /// The text written to standard error.
  public var errorOutput: String

  /// The text written to standard output.
  public var output: String { String(decoding: outputBytes, as: UTF8.self) }
}

/// A program that ended unexpectedly.
public struct CommandFailure: Error, CustomStringConvertible {
  /// The program and its arguments.
  public var command: [String]
  /// Its result.
  public var result: CommandResult

  /// The command line, the status and the last words.
  public var description: String {
    "\(command.joined(separator: " ")): status \(result.status): \(result.errorOutput.suffix(2000))"
  }
}

/// A program that is running.
public struct RunningCommand: Sendable {
  /// The process identifier, which is its process group's as well.
  public let processIdentifier: Int32
  fileprivate let sender: @Sendable (Signal, Bool) -> Bool

  /// Sends a signal, such as `SIGKILL`, to the process or to its whole group.
  ///
  /// - Returns: Whether a process was still there to receive it.
  @discardableResult
  public func send(_ signal: Int32, toGroup: Bool = false) -> Bool {
    sender(Signal(rawValue: signal), toGroup)
  }
}

/// Runs programs from tests: Holdfast's own and others.
///
/// Programs are found in `PATH` unless their name holds a slash, read nothing from standard input,
/// and may write up to 64 MB each to standard output and standard error. `env` starts them, so a
/// program that cannot be found is status 127, and a program's name must not hold `=`.
///
/// They run in ``zoneAtNoon``, unless the test sets `TZ`.
public enum Command {
  /// The name of a time zone in which it was about noon when the tests began.
  ///
  /// Entries that a test logs today are then still today's when it reads them. In other zones,
  /// midnight might come in between.
  public static let zoneAtNoon: String = {
    let hour = Int(Date().timeIntervalSince1970) / 3600 % 24
    // The names of these zones count westwards.
    return "Etc/GMT\(hour < 12 ? "" : "+")\(hour - 12)"
  }()

  private static let outputLimit = 64 << 20

  private static let cores = ProcessInfo.processInfo.activeProcessorCount
  /// Tests run all at once, and a hundred programs on two cores would only wait for each other.
  private static let working = AsyncSemaphore(2 * cores)
  /// Programs that a test watches, answers or kills wait most of their time, so they leave the
  /// others' places alone.
  private static let waiting = AsyncSemaphore(6 * cores)
  /// Whether this task runs beside a program that holds the semaphore. Its programs then do not
  /// wait: if they queued behind every other test, the first program would wait for minutes.
  @TaskLocal private static var hasPlace = false

  /// Runs a program to its end; no more than a few run at a time.
  ///
  /// - Parameters:
  ///   - program: A name to be found in `PATH`, or a path.
  ///   - arguments: Its arguments, passed as they are.
  ///   - environment: Variables added to the tests' own.
  ///   - workingDirectory: Where it runs; where the tests run if `nil`.
  ///   - isMostlyIdle: Whether it waits most of its time, so that others run meanwhile.
  /// - Returns: Its result, whatever its status.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil, isMostlyIdle: Bool = false
  ) async throws -> CommandResult {
    try await start(
      program, arguments, environment, workingDirectory, within: isMostlyIdle ? waiting : working
    ) { _ in }
  }

  /// Runs a program that must succeed.
  ///
  /// - Throws: ``CommandFailure`` for a status other than 0.
  public static func output(
    of program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil, isMostlyIdle: Bool = false
  ) async throws -> CommandResult {
    let result = try await run(
      program, arguments, environment: environment, workingDirectory: workingDirectory,
      isMostlyIdle: isMostlyIdle)
    guard result.status == 0 else {
      throw CommandFailure(command: [program] + arguments, result: result)
    }
    return result
  }

  /// Starts a program in its own process group, and waits for its end after `body`. Programs that
  /// `body` runs are started at once.
  ///
  /// ```swift
  /// let result = try await Command.start(Command.holdfast, ["import", path]) { process in
  ///   try await Task.sleep(for: .milliseconds(20))
  ///   process.send(SIGKILL, toGroup: true)
  /// }
  /// ```
  ///
  /// - Parameter body: Is given the running program; when it throws, the program is killed.
  /// - Returns: The program's result.
  public static func start(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    workingDirectory: String? = nil, body: (RunningCommand) async throws -> Void
  ) async throws -> CommandResult {
    try await start(program, arguments, environment, workingDirectory, within: waiting, body)
  }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String],
    _ workingDirectory: String?, within semaphore: AsyncSemaphore,
    _ body: (RunningCommand) async throws -> Void
  ) async throws -> CommandResult {
    guard !hasPlace else {
      return try await launch(program, arguments, environment, workingDirectory, body)
    }
    return try await semaphore.withPermit {
      try await $hasPlace.withValue(true) {
        try await launch(program, arguments, environment, workingDirectory, body)
      }
    }
  }

  private static func launch(
    _ program: String, _ arguments: [String], _ environment: [String: String],
    _ workingDirectory: String?, _ body: (RunningCommand) async throws -> Void
  ) async throws -> CommandResult {
    let number = Standstill.begin([program] + arguments)
    defer { Standstill.end(number) }
    let chdir = workingDirectory.map { ["--chdir=" + $0] } ?? []
    var variables: [Environment.Key: String?] = ["TZ": zoneAtNoon]
    // No test reads or changes the settings of the user who runs it.
    if let folder = TemporaryFolder.currentIfAny {
      variables["XDG_CONFIG_HOME"] = folder + "/config"
    }
    for (name, value) in environment { variables[.init(stringLiteral: name)] = value }
    var options = PlatformOptions()
    options.processGroupID = 0
    // Its path: joining a name with each folder of `PATH` was a tenth of the tests' time, as they
    // start tens of thousands of programs.
    let execution = try await Subprocess.run(
      .path("/usr/bin/env"), arguments: Arguments(chdir + [program] + arguments),
      environment: .inherit.updating(variables), platformOptions: options, input: .none,
      output: .bytes(limit: outputLimit), error: .bytes(limit: outputLimit)
    ) { execution in
      Standstill.note(execution.processIdentifier.value, of: number)
      try await body(
        RunningCommand(processIdentifier: execution.processIdentifier.value) { signal, toGroup in
          (try? execution.send(signal: signal, toProcessGroup: toGroup)) != nil
        })
    }
    let status =
      switch execution.terminationStatus {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
    return CommandResult(
      status: status, outputBytes: execution.standardOutput,
      errorOutput: String(decoding: execution.standardError, as: UTF8.self))
  }
}
