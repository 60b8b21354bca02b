/// Everything that Holdfast asks of a media library, one file at a time.
///
/// Jobs and reports are values without paths. Files are passed only as open descriptors. If the
/// calling task is cancelled, a call throws `CancellationError`. Every other failure is a
/// ``HoldfastError``.
public protocol MediaEngine: Sendable {
  /// Does one job.
  ///
  /// The other calls make a job, pass it to this one, and return the value in its report.
  ///
  /// - Parameters:
  ///   - job: What to do, with which files. The call for each kind of job says how its files must
  ///     be open.
  ///   - progress: Called from any thread with the share of a conversion that is done, from 0 to 1.
  ///     Other jobs do not call it.
  /// - Returns: The report that ``MediaJob`` names for this kind of job.
  /// - Throws: ``HoldfastError`` if the job fails, `CancellationError` if the task was cancelled.
  func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> MediaReport
}

extension MediaEngine {
  /// Describes the contents of a file.
  ///
  /// - Parameters:
  ///   - source: The file, open for reading.
  ///   - depth: Whether to trust the header, or to read the packets as well.
  ///   - isAlone: Whether to use a process that has seen no other file. Do so when the answer
  ///     decides whether the source may be deleted. It makes no difference to an engine without
  ///     processes of its own.
  /// - Throws: ``HoldfastError`` if Holdfast does not accept the file.
  public func probe(
    _ source: OpenMedia, depth: ProbeDepth, isAlone: Bool = false
  ) async throws -> MediaInfo {
    let report = try await perform(.probe(source, depth: depth, isAlone: isAlone)) { _ in }
    guard case .probed(let info) = report else { throw HoldfastError.senselessAnswer }
    return info
  }

  /// Makes the file that `plan` describes.
  ///
  /// - Parameters:
  ///   - plan: The treatment of each stream.
  ///   - source: The file, open for reading.
  ///   - output: An empty file, open for reading and writing.
  ///   - progress: Called from any thread with the share that is done, from 0 to 1.
  /// - Returns: A report with the figures that ``check(_:source:output:)`` needs.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    let report = try await perform(
      .convert(plan, source: source, output: output), progress: progress)
    guard case .converted(let conversion) = report else { throw HoldfastError.senselessAnswer }
    return conversion
  }

  /// Opens an output again and compares it with the plan. Copied packets are also compared with the
  /// source, one by one.
  ///
  /// - Parameters:
  ///   - report: What ``convert(_:source:output:progress:)`` reported about the output.
  ///   - source: The source, open for reading.
  ///   - output: The output, open for reading.
  /// - Throws: ``HoldfastError`` with code ``HoldfastError/Code/checkFailed``, which names the
  ///   failed check and its figures.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    let report = try await perform(.check(report, source: source, output: output)) { _ in }
    guard case .checked(let check) = report else { throw HoldfastError.senselessAnswer }
    return check
  }

  /// Makes a JPEG of one picture of a video, or of many: upright, with square pixels, without
  /// metadata.
  ///
  /// - Parameters:
  ///   - job: The size, the quality and which picture.
  ///   - source: The video, open for reading.
  ///   - output: An empty file, open for writing.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await draw(.thumbnail(job, source: source, output: output))
  }

  /// Decodes a recording's sound and measures it.
  ///
  /// - Parameter source: The recording, open for reading.
  /// - Throws: ``HoldfastError``, with code ``HoldfastError/Code/nothingToPlay`` for a file without
  ///   sound.
  public func soundProfile(of source: OpenMedia) async throws -> SoundProfile {
    let report = try await perform(.measureSound(source)) { _ in }
    guard case .measured(let profile) = report else { throw HoldfastError.senselessAnswer }
    return profile
  }

  /// Writes a recording's sound as a WAV file with one channel of 16 bits at 16 kHz, without the
  /// silence before the first sound.
  ///
  /// - Parameters:
  ///   - source: The recording, open for reading.
  ///   - output: An empty file, open for writing.
  /// - Throws: ``HoldfastError``, with code ``HoldfastError/Code/nothingToPlay`` for a file without
  ///   sound.
  public func decodeSound(of source: OpenMedia, to output: OpenMedia) async throws -> DecodedSound {
    let report = try await perform(.decodeSound(source: source, output: output)) { _ in }
    guard case .decoded(let sound) = report else { throw HoldfastError.senselessAnswer }
    return sound
  }

  /// Writes a photo as a JPEG without metadata. A JPEG's picture data is copied, and its
  /// orientation and colour profile stay. A PNG or a WebP is decoded and written upright.
  ///
  /// - Parameters:
  ///   - source: The photo, open for reading.
  ///   - output: An empty file, open for writing.
  /// - Throws: ``HoldfastError``, with code ``HoldfastError/Code/tooLarge`` for a photo over
  ///   ``PhotoLimit``.
  public func photo(_ source: OpenMedia, to output: OpenMedia) async throws -> PhotoReport {
    let report = try await perform(.photo(source: source, output: output)) { _ in }
    guard case .photo(let photo) = report else { throw HoldfastError.senselessAnswer }
    return photo
  }

  /// Draws sound as a greyscale picture without metadata.
  ///
  /// - Parameters:
  ///   - job: What to draw, and how.
  ///   - output: An empty file, open for writing.
  public func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport {
    try await draw(.waveform(job, output: output))
  }

  private func draw(_ job: MediaJob) async throws -> ThumbnailReport {
    let report = try await perform(job) { _ in }
    guard case .drawn(let drawing) = report else { throw HoldfastError.senselessAnswer }
    return drawing
  }
}
