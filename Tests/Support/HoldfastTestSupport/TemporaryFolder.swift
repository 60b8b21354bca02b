import Foundation
public import Testing

/// A trait that gives each test, and each case of a parameterised test, its own folder.
///
/// ```swift
/// @Test("A clip is imported whole", .temporaryFolder)
/// func importsClip() throws {
///   let library = TemporaryFolder.current + "/library"
/// ```
///
/// The folder is private (mode 0700) and is removed after the test with everything in it.
public struct TemporaryFolder: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal private static var path: String?

  /// The running test's folder; `nil` if it has none.
  static var currentIfAny: String? { path }

  /// A suite hands the trait on to its tests.
  public var isRecursive: Bool { true }

  /// The running test's folder, an absolute path without symbolic links.
  public static var current: String {
    guard let path else { preconditionFailure("the test lacks the trait .temporaryFolder") }
    return path
  }

  /// Runs a test with its own folder.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTemporaryFolder { path in
      try await Self.$path.withValue(path) { try await function() }
    }
  }
}

extension Trait where Self == TemporaryFolder {
  /// Gives the test a private folder, ``TemporaryFolder/current``, that is removed afterwards.
  public static var temporaryFolder: Self { TemporaryFolder() }
}

/// Runs `body` with the path of a new private folder, and removes the folder afterwards.
///
/// - Throws: What `body` throws, or a `POSIXError` when the folder cannot be made.
public func withTemporaryFolder<Result>(
  _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
  var template = Array((base + "/holdfast-test.XXXXXX").utf8CString)
  guard mkdtemp(&template) != nil else {
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
  defer { removeTree(template) }
  return try await body(
    String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
}

/// Removes a file or folder with its contents, read-only folders and names outside UTF-8 included;
/// never follows a symbolic link.
private func removeTree(_ path: [CChar]) {
  if unlink(path) == 0 { return }
  _ = chmod(path, 0o700)
  if let folder = opendir(path) {
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
        }
      }
      if name == [46, 0] || name == [46, 46, 0] { continue }
      removeTree(path.dropLast() + [47] + name)
    }
    closedir(folder)
  }
  rmdir(path)
}
