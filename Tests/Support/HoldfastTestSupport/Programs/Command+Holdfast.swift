import Foundation

extension Command {
  /// The path of the tested `holdfast` program: the build beside the tests, unless
  /// `$HOLDFAST_PROGRAM` names another.
  ///
  /// - Throws: ``ProgramNotBuilt`` when there is none.
  public static var holdfast: String {
    get throws {
      try ProcessInfo.processInfo.environment["HOLDFAST_PROGRAM"] ?? builtHoldfast
    }
  }

  /// The path of the `holdfast` program built with the tests. The tests' own programs are beside
  /// it.
  ///
  /// It is beside the test bundle or a few folders above it, in any `--scratch-path`.
  ///
  /// - Throws: ``ProgramNotBuilt`` when there is none.
  public static var builtHoldfast: String {
    get throws {
      let runner = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      // If the test runner loads the bundle as a library, only the bundle's path leads there.
      let starts: [String?] = [
        runner, Bundle.main.bundlePath, CommandLine.arguments.first, testBundle,
      ]
      for start in starts.compactMap(\.self) {
        guard let found = program(above: URL(fileURLWithPath: start)) else { continue }
        return found
      }
      let builds = Repository.root + "/.build"
      let triples = (try? FileManager.default.contentsOfDirectory(atPath: builds)) ?? []
      for configuration in ["debug", "release"] {
        for triple in triples.sorted() {
          let path = "\(builds)/\(triple)/\(configuration)/holdfast"
          if isProgram(path) { return path }
        }
      }
      throw ProgramNotBuilt()
    }
  }

  /// The path of the `holdfast-worker` program, beside the other.
  ///
  /// - Throws: ``ProgramNotBuilt`` when there is no `holdfast`.
  public static var holdfastWorker: String { get throws { try holdfast + "-worker" } }

  /// The value of `--test-bundle-path`, if SwiftPM's own runner runs the tests.
  private static var testBundle: String? {
    let arguments = CommandLine.arguments
    guard let option = arguments.firstIndex(of: "--test-bundle-path") else { return nil }
    return arguments.dropFirst(option + 1).first
  }

  private static func program(above start: URL) -> String? {
    var folder = start
    for _ in 0..<4 {
      folder.deleteLastPathComponent()
      let path = folder.appendingPathComponent("holdfast").path
      if isProgram(path) { return path }
    }
    return nil
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}

/// The tests cannot find the `holdfast` program.
public struct ProgramNotBuilt: Error, CustomStringConvertible {
  /// The missing program, and the way to build it.
  public var description: String { "holdfast is not built; run swift build" }
}
