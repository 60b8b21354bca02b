import CFFmpeg
import HoldfastModel

/// The filters of an encode.
struct PictureChain {
  /// The filters between the decoder and the table, or the encoder, in FFmpeg's syntax.
  let filters: String
  /// The conversion after them; `nil` if they do everything.
  let tones: ToneConversion?

  init(_ filters: String, tones: ToneConversion?) {
    self.filters = filters
    self.tones = tones
  }
}

/// A conversion of high dynamic range to standard range.
struct ToneConversion {
  /// The filters that convert the colours of the table, in FFmpeg's syntax.
  let filters: String
  /// The filters behind the table; empty for none.
  let after: String

  /// The conversion as the report records it.
  var description: String { "table of (\(filters))" + (after.isEmpty ? "" : ",\(after)") }
}

/// Converts high dynamic range to what a standard screen shows.
///
/// FFmpeg's filters bring every pixel to linear light and back. Here they do so only for the colours
/// of a table. A picture takes a third of the time, and is within SSIM 0.995 of what the filters
/// make of it.
final class ToneTable {
  private let table: OpaquePointer
  private let after: String
  private let timeBase: AVRational
  private let converted: Frame
  private let filtered: Frame
  private var graph: FilterGraph?

  init(_ conversion: ToneConversion, timeBase: AVRational) throws(MediaError) {
    after = conversion.after
    self.timeBase = timeBase
    converted = try Frame()
    filtered = try Frame()
    let grid = try Frame()
    try check(cff_tone_grid(grid.pointer), "make a table of colours")
    grid.pointer.pointee.pts = 0
    let filters = try FilterGraph(conversion.filters, for: grid.pointer, timeBase: timeBase)
    var made: OpaquePointer?
    try filters.filter(grid.pointer, into: filtered.pointer) { frame in
      if made == nil { made = cff_tone_table_new(frame) }
    }
    table = try check(made, "make a table of colours")
  }

  deinit { av_free(UnsafeMutableRawPointer(table)) }

  func convert(
    _ frame: UnsafeMutablePointer<AVFrame>,
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) {
    let picture = converted.pointer
    defer { av_frame_unref(picture) }
    try check(
      cff_tone_table_apply(table, frame, picture, CInt(av_cpu_count())), "convert the colours")
    guard !after.isEmpty else { return try body(picture) }
    // All pictures have the same shape, or there would be another table.
    if graph == nil { graph = try FilterGraph(after, for: picture, timeBase: timeBase) }
    try graph?.filter(picture, into: filtered.pointer, body)
  }
}
