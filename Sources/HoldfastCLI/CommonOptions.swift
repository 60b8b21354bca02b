public import ArgumentParser
internal import Foundation
internal import Holdfast
public import HoldfastModel

/// What every subcommand takes.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: ArgumentHelp(
      """
      The library's folder; without it $HOLDFAST_LIBRARY, else $XDG_DATA_HOME/holdfast, else \
      $HOME/.local/share/holdfast.
      """, valueName: "dir"))
  var libraryPath: String?

  @Flag(help: "Print JSON: one document, or one a line from commands that stream.")
  var json = false

  @Flag(help: "Print results and errors only.")
  var quiet = false

  @Flag(name: .customLong("no-color"), help: "Print without colours.")
  var noColor = false

  /// Opens the library that the options name.
  ///
  /// - Parameters:
  ///   - access: What it is opened for.
  ///   - engine: What media are read and made with.
  func openLibrary(
    for access: Library.Access, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    let location = try LibraryLocation.resolve(
      option: libraryPath, environment: ProcessInfo.processInfo.environment)
    return try Library.open(at: location, for: access, engine: engine)
  }

  /// Opens the library for writing, or for planning to, and says what that made or put right.
  func openLibraryToWrite(
    _ access: Library.Access = .writing, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    let library = try openLibrary(for: access, engine: engine)
    if library.isNew {
      let made = access == .planning ? "Would make" : "Made"
      console.note("\(made) a new library in \(library.path.escapedForDisplay).")
    }
    if let trouble = library.trouble { console.error("note: \(trouble)") }
    if library.hasRecovered { console.note("Put right what an interrupted command had left.") }
    return library
  }

  /// Where the command prints.
  var console: Console { Console(isQuiet: quiet, isJSON: json, mayColor: !noColor) }
}

extension RecordingType: ExpressibleByArgument {}
extension RecordingPurpose: ExpressibleByArgument {}
extension OverLimitPolicy: ExpressibleByArgument {}
extension VideoPolicy: ExpressibleByArgument {}
extension RecordingQuery.Sort: ExpressibleByArgument {}
extension StatisticsPeriod: ExpressibleByArgument {}

extension ExitCode {
  /// At least one item failed or was refused; the others are done.
  static let someFailed = ExitCode(3)
  /// Something was found that is not as it should be.
  static let found = ExitCode(4)
  /// A person interrupted the command.
  static let interrupted = ExitCode(130)
}
