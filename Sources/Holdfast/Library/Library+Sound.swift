public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// What was measured of a recording's sound, for its row.
public struct MeasuredSound: Hashable, Sendable {
  /// The recording.
  public let id: RecordingID
  /// What its sound is like; without figures if it has none.
  public let profile: SoundProfile
  /// SHA-256 of what was measured.
  fileprivate let file: SHA256Digest
}

extension Library {
  /// What a recording's sound is like; `nil` where it was not measured yet. Imports do not measure it:
  /// where sound is only copied, that would take longer than everything else.
  ///
  /// - Throws: `CatalogError`.
  public func sound(of id: RecordingID) throws -> SoundProfile? {
    try LibraryError.translating { try catalog.sound(of: id) }
  }

  /// Decodes a recording's sound, and measures it.
  ///
  /// - Returns: What ``note(_:)`` writes down.
  /// - Throws: ``LibraryError`` when the library was opened without an engine, or the sound cannot be decoded;
  ///   `StorageError` when the file cannot be read.
  public func measureSound(of recording: Recording) async throws -> MeasuredSound {
    try await LibraryError.translating {
      let (engine, tree, path) = (try mediaEngine(), tree, recording.filePath)
      let source = try await onOwnThread { _ in try tree.openForReading(path) }
      var profile = SoundProfile(loudness: nil, truePeak: nil, peaks: [])
      do {
        profile = try await engine.soundProfile(
          of: OpenMedia(descriptor: source.descriptor, name: path.name))
      } catch let error as MediaError where error.code != .nothingToPlay {
        throw LibraryError(.soundUnmeasured, "\(path): \(error.reason)", underlying: error)
      } catch is MediaError {}
      // A decoder gives whole frames: the last may end after the recording does. The row may say any length.
      let steps = min(
        Double(SoundProfile.mostPeaks), max(recording.duration / SoundProfile.step, 0))
      profile.peaks = Array(profile.peaks.prefix(Int(steps.rounded(.up))))
      let hash = try await onOwnThread { stop in try source.sha256(until: stop) }
      return MeasuredSound(id: recording.id, profile: profile, file: hash)
    }
  }

  /// Writes down what was measured of a recording, unless that was not the file which its row speaks of: one
  /// that is damaged, or was replaced meanwhile.
  ///
  /// - Throws: ``LibraryError`` when the library was opened for reading; `LockTimeout`; `CatalogError`.
  public func note(_ sound: MeasuredSound) throws {
    try whileLocked { try catalog.setSound(sound.profile, ofFile: sound.file, of: sound.id) }
  }

  /// Draws a recording's sound as a picture, outside of the library.
  ///
  /// - Parameters:
  ///   - job: What is drawn, and how.
  ///   - path: The new file's path; nothing is there yet.
  /// - Returns: What it became.
  /// - Throws: ``LibraryError`` when the library was opened without an engine; `MediaError`;
  ///   `StorageError` when the file cannot be made. No file is left then.
  public func drawWaveform(
    _ job: WaveformJob, toFile path: String
  ) async throws -> ThumbnailReport {
    try await LibraryError.translating {
      let engine = try mediaEngine()
      let output = try await onOwnThread { _ in try NewFile(at: SourcePath(path)) }
      let report = try await engine.waveform(
        job, output: OpenMedia(descriptor: output.file.descriptor, name: "waveform"))
      try await onOwnThread { _ in try output.commit() }
      return report
    }
  }
}
