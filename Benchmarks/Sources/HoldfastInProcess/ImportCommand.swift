import ArgumentParser
import Holdfast
import HoldfastMedia
import HoldfastModel

/// `bench-in-process import`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import as the command does, without a worker.")

  @Argument var library: String
  @Argument var paths: [String]

  func run() async throws {
    let library = try Library.open(
      at: LibraryLocation(path: library), for: .writing, engine: FFmpegEngine())
    for try await _ in try library.importRecordings(paths) {}
  }
}
