import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Has a program transcribe recordings, batch by batch.
struct TranscriptionRun: Sendable {
  /// The most recordings for one start of the program. Loading a model takes seconds.
  private static let batch = 50

  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let transcriber: any Transcriber
  let options: TranscriptionOptions

  func run(_ report: @escaping @Sendable (TranscriptionEvent) -> Void) async throws {
    let named = options.isNew ? [] : options.ids ?? []
    let ids = try await onOwnThread { _ in try wanted() }
    for id in named where !ids.contains(id) && options.share == nil {
      report(.skipped(id, try reason(toSkip: id)))
    }
    let total = ids.count
    report(.planned(total))
    var waiting = ids[...]
    var isProven = false
    while !waiting.isEmpty {
      try Task.checkCancellation()
      let ids = waiting.prefix(Self.batch)
      waiting.removeFirst(ids.count)
      let batch = TranscriptionBatch(run: self, staging: try await tree.makeStaging())
      do {
        try await batch.transcribe(ids, isProven: &isProven, report)
      } catch {
        batch.end()
        throw error
      }
      batch.end()
      report(.progress(total - waiting.count))
    }
  }

  private func reason(toSkip id: RecordingID) throws -> HoldfastError {
    guard try library.transcript(of: id)?.state == .never else {
      return HoldfastError(.hasTranscript, "the recording \(id.short) has a transcript")
    }
    return HoldfastError(
      .hasTranscript, "the recording \(id.short) is never to be transcribed",
      operation: "transcribe")
  }

  private func wanted() throws -> [RecordingID] {
    let ids =
      try options.ids.map { ids in
        try ids.filter { id in
          try library.transcript(of: id).map { options.replaced.include($0) } ?? true
        }
      } ?? library.recordingsToTranscribe(replacing: options.replaced)
    return options.share.map { share in ids.filter { share.contains($0.uuidString.utf8) } } ?? ids
  }
}

/// The recordings of one start of the program, and what it is started again for.
private struct TranscriptionBatch: Sendable {
  /// A recording whose sound was decoded.
  struct Sound: Sendable {
    var recording: Recording
    var decoded: DecodedSound

    var id: RecordingID { recording.id }
    var file: String { "\(id.uuidString).wav" }
    var document: String { "\(id.uuidString).json" }
  }

  /// The most starts in a row from which nothing came, before another recording than the next one
  /// tells whether the program is at fault, or the recordings are.
  private static let mostFailures = 2
  /// The same for a program that has transcribed a recording in this run. Each start may take long.
  private static let mostFailuresOfProven = 8

  let run: TranscriptionRun
  let staging: Staging
  /// A person may write a transcript while the program runs.
  let start = Date()

  /// Removes everything that was made for the batch. What cannot be removed is left to recovery.
  func end() {
    try? staging.removeProgramFolder()
    try? staging.remove()
  }

  /// - Parameter isProven: Whether the program has transcribed a recording in this run.
  func transcribe(
    _ ids: ArraySlice<RecordingID>, isProven: inout Bool,
    _ report: (TranscriptionEvent) -> Void
  ) async throws {
    var sounds: [Sound] = []
    var silent: [Transcript] = []
    for id in ids {
      try Task.checkCancellation()
      do {
        let sound = try await decode(id)
        if sound.decoded.isSilent {
          silent.append(transcript(of: id, SpokenWords()))
          try staging.removeFile(named: sound.file)
        } else {
          sounds.append(sound)
        }
      } catch let error as HoldfastError where error.code == .nothingToPlay {
        try await keep([transcript(of: id, SpokenWords())]) { _ in }
        report(
          .skipped(id, HoldfastError(.noSound, "the recording \(id.short) has no sound")))
      } catch let error as HoldfastError {
        report(.failed(id, error))
      }
    }
    try await keep(silent, report)
    try await transcribe(sounds, isProven: &isProven, report)
  }

  private func transcribe(
    _ sounds: [Sound], isProven: inout Bool, _ report: (TranscriptionEvent) -> Void
  ) async throws {
    var waiting = sounds
    var failures = 0
    while !waiting.isEmpty {
      var rest: [Sound] = []
      // The program may have stopped at the next one again.
      if failures >= Self.mostFailures, let other = waiting.indices.randomElement() {
        rest = waiting
        waiting = [rest.remove(at: other)]
      }
      let (folder, files) = (
        try staging.makeProgramFolder(), waiting.map { staging.path(ofFile: $0.file) }
      )
      let failure = try await run.transcriber.run(
        TranscriberJob(
          files: files, folder: folder,
          seconds: waiting.reduce(0) { $0 + $1.decoded.seconds }))
      let results = waiting.map { sound in (sound, Result { try document(of: sound) }) }
      // It may have filled the disk.
      try? staging.removeProgramFolder()
      var (made, missing) = ([Transcript](), [Sound]())
      for case (let sound, .success(let words)) in results {
        if let words {
          made.append(transcript(of: sound.id, words))
        } else {
          missing.append(sound)
        }
      }
      try await keep(made, report)
      // A document that cannot be read would be the same again.
      for case (let sound, .failure(let error)) in results {
        report(.failed(sound.id, Self.error(failure ?? Self.reason(of: error))))
      }
      if missing.count < results.count { isProven = true }
      failures = missing.count < results.count ? 0 : failures + 1
      let isHopeless =
        failures > (isProven ? Self.mostFailuresOfProven : Self.mostFailures)
      // The program may have stopped at the first one, which gets one start as the first of all.
      // The others get more without it.
      if failures > 0 {
        for sound in isHopeless ? missing + rest : [missing.removeFirst()] {
          report(.failed(sound.id, Self.error(failure ?? "the program wrote no transcript of it")))
        }
      }
      if isHopeless {
        throw HoldfastError(
          .transcriber,
          "\(run.transcriber.name) failed on \(failures) recordings in a row"
            + (failure.map { ": \($0)" } ?? ""))
      }
      waiting = rest + missing
    }
  }

  private static func error(_ reason: String) -> HoldfastError {
    HoldfastError(.transcriber, "not transcribed: \(reason)")
  }

  private static func reason(of error: any Error) -> String {
    (error as? RuleError)?.description ?? HoldfastError(itemFailure: error).reason
  }

  private func decode(_ id: RecordingID) async throws -> Sound {
    let (library, tree, staging) = (run.library, run.tree, staging)
    let (recording, source) = try await onOwnThread { _ in
      let recording = try library.found(
        library.catalog.recordings.find(id: id), kind: .recordings, id: id)
      return (recording, try tree.openForReading(recording.filePath))
    }
    let media = OpenMedia(descriptor: source.descriptor, name: recording.filePath.name)
    let name = "\(id.uuidString).wav"
    do {
      let (decoded, _) = try await staging.writing(name) { file in
        try await run.engine.decodeSound(
          of: media, to: OpenMedia(descriptor: file.descriptor, name: name))
      }
      return Sound(recording: recording, decoded: decoded)
    } catch {
      try? staging.removeFile(named: name)
      throw error
    }
  }

  /// Returns the words in the program's document; `nil` if it wrote none.
  private func document(of sound: Sound) throws -> SpokenWords? {
    guard
      let bytes = try staging.programFile(
        named: sound.document, atMost: Int64(TranscriberDocument.mostBytes))
    else { return nil }
    return try TranscriberDocument.words(
      in: bytes, of: sound.decoded,
      duration: Int((sound.recording.duration * 1000).rounded()))
  }

  private func transcript(of id: RecordingID, _ words: SpokenWords) -> Transcript {
    Transcript(
      of: id, words, source: .program,
      program: run.transcriber.name.cut(to: Transcript.longestName - 1),
      model: run.transcriber.model?.cut(to: Transcript.longestName - 1), createdAt: .now)
  }

  /// Keeps transcripts, except those of recordings that were deleted or written by a person
  /// meanwhile.
  private func keep(
    _ transcripts: [Transcript], _ report: (TranscriptionEvent) -> Void
  ) async throws {
    guard !transcripts.isEmpty else { return }
    let (library, options, start) = (run.library, run.options, start)
    let kept = try await onOwnThread { _ in
      try library.keepTranscripts(transcripts, replacing: options.replaced, madeSince: start)
    }
    for transcript in transcripts where kept.contains(transcript.id) { report(.made(transcript)) }
  }
}
