public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The measurements of a recording's sound, to be stored in its row.
public struct MeasuredSound: Hashable, Sendable {
  /// The recording.
  public let id: RecordingID
  /// The measurements; without figures if the recording has no sound.
  public let profile: SoundProfile
  fileprivate let file: SHA256Digest
}

/// Decodes and measures a recording's sound.
private struct SoundMeasurement {
  let library: Library
  let recording: Recording

  func run() async throws -> MeasuredSound {
    let (engine, tree, path) = (try library.mediaEngine(), library.tree, recording.filePath)
    let source = try await onOwnThread { _ in try tree.openForReading(path) }
    var profile = SoundProfile(loudness: nil, truePeak: nil, peaks: [])
    do {
      profile = try await engine.soundProfile(
        of: OpenMedia(descriptor: source.descriptor, name: path.name))
    } catch let error as HoldfastError where error.layer == .media && error.code != .nothingToPlay {
      throw HoldfastError(.soundUnmeasured, "\(path): \(error.reason)", cause: .error(error))
    } catch HoldfastError.Code.nothingToPlay {}
    // A decoder gives whole frames, so the last may end after the recording does. The duration
    // comes from the row and may be any number.
    let steps = min(
      Double(SoundProfile.mostPeaks), max(recording.duration / SoundProfile.step, 0))
    profile.peaks = Array(profile.peaks.prefix(Int(steps.rounded(.up))))
    let hash = try await onOwnThread { stop in try source.sha256(until: stop) }
    return MeasuredSound(id: recording.id, profile: profile, file: hash)
  }
}

extension Library {
  /// Returns the measurements of a recording's sound, or `nil` if it has not been measured yet.
  ///
  /// An import does not measure sound: when sound is only copied, measuring would take longer than
  /// the rest of the import.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func sound(of id: RecordingID) throws -> SoundProfile? {
    try catalog.sounds.find(of: id)
  }

  /// Decodes and measures a recording's sound.
  ///
  /// - Returns: The measurements, for ``note(_:)`` to store.
  /// - Throws: `HoldfastError` when the library was opened without an engine, when the sound
  ///   cannot be decoded, and when the file cannot be read.
  public func measureSound(of recording: Recording) async throws -> MeasuredSound {
    try await SoundMeasurement(library: self, recording: recording).run()
  }

  /// Stores the measurements in the recording's row.
  ///
  /// It stores nothing if the measured file is not the one that the row describes: it is damaged,
  /// or was replaced meanwhile.
  ///
  /// - Throws: `HoldfastError` when the library was opened for reading, or the catalog cannot be
  ///   written.
  public func note(_ sound: MeasuredSound) throws {
    try whileLocked { try catalog.sounds.set(sound.profile, ofFile: sound.file, of: sound.id) }
  }

  /// Draws a recording's sound as a picture, in a file outside the library.
  ///
  /// - Parameters:
  ///   - job: What to draw, and how.
  ///   - path: The path of the new file. Nothing may be there yet.
  /// - Returns: A report about the picture.
  /// - Throws: `HoldfastError` when the library was opened without an engine, and when the file
  ///   cannot be made. No file is left behind.
  public func drawWaveform(
    _ job: WaveformJob, toFile path: String
  ) async throws -> ThumbnailReport {
    let engine = try mediaEngine()
    let output = try await onOwnThread { _ in try NewFile(at: SourcePath(path)) }
    let report = try await engine.waveform(
      job, output: OpenMedia(descriptor: output.file.descriptor, name: "waveform"))
    try await onOwnThread { _ in try output.commit() }
    return report
  }
}
