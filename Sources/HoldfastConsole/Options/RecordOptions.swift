package import ArgumentParser
package import Holdfast
package import HoldfastWorkerPool

/// The options of a command that imports a recording with the entry that it logs.
package struct RecordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A voice memo or clip in which you say it. It is imported as a reflection, and the entry "
        + "names it. If it is refused, nothing is logged.",
      valueName: "file"), completion: .file())
  package var record: String?

  @Flag(
    help: """
      Keep only the first \(Int(RecordingLimit.seconds)) s of the recording; by default a longer \
      one is refused.
      """)
  package var trim = false

  @OptionGroup package var engine: EngineOptions

  package init() {}

  package func validate() throws {
    if trim, record == nil { throw ValidationError("--trim needs --record.") }
  }

  /// Runs `log` with the import's options and a media engine.
  ///
  /// - Throws: `ExitCode.interrupted` when a signal stopped it, and whatever `log` throws.
  package func importing<Value: Sendable>(
    _ log: @escaping @Sendable (ImportOptions, WorkerPool) async throws -> Value
  ) async throws -> Value {
    let options = ImportOptions(
      purpose: .reflection, conversion: ConversionOptions(overLimit: trim ? .trim : .refuse))
    do {
      return try await engine.interruptibly { try await log(options, $0) }
    } catch var error as HoldfastError where error.code == .overLimit {
      error.operation = "log"
      throw error
    }
  }
}

extension Console {
  /// Prints notes about a recording that was imported with an entry.
  package func note(_ recording: ImportedRecording) {
    if !recording.isNew {
      note("note: the library already had the recording, as \(recording.id.short)")
    }
    for warning in recording.warnings { note("note: \(warning)") }
  }
}
