import Foundation
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The contents of a file, and when it was recorded.
public struct SourceProbe: Codable, Hashable, Sendable {
  /// The engine's findings in the file.
  public var info: MediaInfo
  /// When the file was recorded, and how that is known.
  public var recorded: RecordingTimestamp

  /// Examines a file, without a library.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - depth: How far the probe goes.
  ///   - engine: The engine that reads the file.
  /// - Throws: `HoldfastError` with the reason why the file would be refused; `CancellationError`.
  public static func run(
    _ path: String, depth: ProbeDepth = .packets, engine: any MediaEngine
  ) async throws -> SourceProbe {
    let path = SourcePath(path)
    do {
      let file = try await onOwnThread { _ in try SourceFile.open(path) }
      // The engine only borrows the descriptor.
      defer { withExtendedLifetime(file) {} }
      let identity = try file.identity()
      var info = try await engine.probe(
        OpenMedia(descriptor: file.descriptor, name: path.name), depth: depth)
      (info.creation, info.isCreationLocal) = (info.creationInZone(.current), nil)
      info.transcript = nil
      let recorded = RecordingTimestamp(of: info, name: path.name, identity: identity, now: Date())
      return SourceProbe(info: info, recorded: recorded)
    } catch let error where !(error is CancellationError) {
      throw HoldfastError(itemFailure: error, of: path)
    }
  }
}
