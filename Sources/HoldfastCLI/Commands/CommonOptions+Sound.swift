internal import Holdfast
internal import HoldfastModel

extension CommonOptions {
  /// What a recording's sound is like: what its row says, or else what is measured now. That is written
  /// down for the next time, unless somebody else is writing; nobody is told of it.
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
  /// Its figures, for people; `nil` for silence.
  var words: String? {
    let figures = [
      loudness.map { "\($0.tenths) LUFS" }, truePeak.map { "true peak \($0.tenths) dBTP" },
    ].compactMap(\.self)
    return figures.isEmpty ? nil : figures.joined(separator: ", ")
  }
}
