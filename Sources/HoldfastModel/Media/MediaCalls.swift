/// The calls of ``MediaEngine``, each made on the thread that calls: what a worker process runs,
/// one job at a time.
package protocol MediaCalls: Sendable {
  /// How often something was read, decoded or written so far: work that stalls stays where it is.
  var steps: UInt64 { get }

  /// The number of the header that is being read; `nil` while none is. Nothing is decoded meanwhile,
  /// and with every honest file it is the matter of a moment.
  var header: UInt64? { get }

  /// As ``MediaEngine/probe(_:depth:)``.
  func probe(_ source: OpenMedia, depth: ProbeDepth) throws(MediaError) -> MediaInfo

  /// As ``MediaEngine/convert(_:source:output:progress:)``.
  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) throws(MediaError) -> ConversionReport

  /// As ``MediaEngine/check(_:source:output:)``.
  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> CheckReport

  /// As ``MediaEngine/thumbnail(_:source:output:)``.
  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport

  /// As ``MediaEngine/soundProfile(of:)``.
  func soundProfile(of source: OpenMedia) throws(MediaError) -> SoundProfile

  /// As ``MediaEngine/waveform(_:output:)``.
  func waveform(_ job: WaveformJob, output: OpenMedia) throws(MediaError) -> ThumbnailReport

  /// Makes ready what takes long when it is first used: the calls that follow are made in copies of this
  /// process, and need not do it again.
  func prepare()

  /// What media are read and made with.
  func libraries() -> MediaLibraries
}
