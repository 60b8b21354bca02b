import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a new library.",
    discussion: """
      No other command makes a library: if a command finds none, its disk may not be mounted. The \
      folder is made if it does not exist. A folder that holds other things is refused, and so is \
      a folder inside another library or a backup. The folder above it must exist, except for the \
      default place. An existing library is not changed.

      A network filesystem is refused, because two computers may not see each other's locks. With \
      --shared-disk you promise that only one computer writes to the library at a time. For an \
      existing library, use holdfast doctor --shared-disk.
      """)

  @Argument(
    help: ArgumentHelp(
      "The library's folder (default: as for --library).", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Flag(help: "Allow a network filesystem: only one computer will write to it at a time.")
  var sharedDisk = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if folder != nil, common.libraryPath != nil {
      throw ValidationError("Name the folder once: as DIR, or with --library.")
    }
    if folder?.isEmpty == true { throw ValidationError("DIR must not be empty.") }
  }

  func run() throws {
    let console = common.console
    let location = try LibraryLocation.resolve(
      option: folder ?? common.libraryPath, environment: ProcessInfo.processInfo.environment)
    let isNew = try Library.create(
      at: location, onSharedDisk: sharedDisk, patience: common.patience)
    let library = try Library.open(at: location, for: .reading, journals: KnownJournals.all)
    if console.isJSON {
      return try console.json([
        "event": isNew ? "made" : "exists", "library": library.path,
        "id": library.uuid().uuidString,
      ])
    }
    let path = library.path.escapedForDisplay
    console.result(
      isNew ? "Made a new library in \(path)." : "There is already a library in \(path).")
  }
}
