internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastModel

/// `holdfast init`
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a new library.",
    discussion: """
      No other command makes a library: where there is none, its disk may not be mounted. The folder \
      is made if it does not exist; a folder that holds other things is refused. The folder above it \
      must exist, except for the default place. A library that is there already stays as it is.

      A network filesystem is refused, because the locks of one computer may be unknown to another. With \
      --shared-disk you promise that only one computer writes to the library at a time. \
      holdfast doctor --shared-disk does the same for a library that is there already.
      """)

  @Argument(
    help: ArgumentHelp(
      "The library's folder; without it the one --library stands for.", valueName: "dir"),
    completion: .directory)
  var folder: String?

  @Flag(help: "Allow a network filesystem, to which one computer at a time will write.")
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
    let location = try folder.map { LibraryLocation(path: $0) } ?? common.location()
    let (library, isNew) = try ExplainedError.whileMaking {
      let isNew = try Library.create(
        at: location, onSharedDisk: sharedDisk, patience: common.patience)
      return (try Library.open(at: location, for: .reading), isNew)
    }
    if console.isJSON {
      return try console.json(
        MadeLibrary(event: isNew ? "made" : "exists", library: library.path, id: library.uuid()))
    }
    let path = library.path.escapedForDisplay
    console.result(
      isNew ? "Made a new library in \(path)." : "There is a library in \(path) already.")
  }
}

/// The output of `init --json`.
private struct MadeLibrary: Encodable {
  var event: String
  var library: String
  var id: UUID
}
