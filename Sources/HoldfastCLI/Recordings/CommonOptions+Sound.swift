import Holdfast
import HoldfastConsole

extension CommonOptions {
  /// Returns the measurements of a recording's sound, from its row or by measuring it now.
  ///
  /// A new measurement is stored for next time. If another command is writing, or storing fails, it
  /// is dropped without a message.
  func sound(
    of recording: Recording, in library: Library, with options: EngineOptions
  ) async throws -> SoundProfile {
    if let known = try library.sound(of: recording.id) { return known }
    return try await options.withEngine { engine in
      let measured = try await openLibrary(for: .reading, engine: engine)
        .measureSound(of: recording)
      try? openLibrary(for: .writing, patience: patience.atMost(0)).note(measured)
      return measured.profile
    }
  }
}

extension SoundProfile {
  /// Its figures as text; `nil` for silence.
  var words: String? {
    let figures = [
      loudness.map { "\($0.oneDecimal) LUFS" }, truePeak.map { "true peak \($0.oneDecimal) dBTP" },
    ].compactMap(\.self)
    return figures.isEmpty ? nil : figures.joined(separator: ", ")
  }
}
