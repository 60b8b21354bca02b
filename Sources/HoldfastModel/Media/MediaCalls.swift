/// The calls of ``MediaEngine``, made on the calling thread.
///
/// A worker process runs them, one job at a time.
package protocol MediaCalls: Sendable {
  /// How many times something has been read, decoded or written so far. While work is stalled, the
  /// number does not change.
  var steps: UInt64 { get }

  /// The number of the header that is being read; `nil` while none is.
  ///
  /// Nothing is decoded while a header is read. Reading the header of an honest file takes only a
  /// moment.
  var header: UInt64? { get }

  /// See ``MediaEngine/probe(_:depth:)``.
  func probe(_ source: OpenMedia, depth: ProbeDepth) throws(MediaError) -> MediaInfo

  /// See ``MediaEngine/convert(_:source:output:progress:)``.
  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) throws(MediaError) -> ConversionReport

  /// See ``MediaEngine/check(_:source:output:)``.
  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> CheckReport

  /// See ``MediaEngine/thumbnail(_:source:output:)``.
  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport

  /// See ``MediaEngine/soundProfile(of:)``.
  func soundProfile(of source: OpenMedia) throws(MediaError) -> SoundProfile

  /// See ``MediaEngine/waveform(_:output:)``.
  func waveform(_ job: WaveformJob, output: OpenMedia) throws(MediaError) -> ThumbnailReport

  /// Does the work that takes long on first use. Later calls run in copies of this process, which
  /// then do not have to do it again.
  func prepare()

  /// Returns the libraries that read and make media.
  func libraries() -> MediaLibraries
}
