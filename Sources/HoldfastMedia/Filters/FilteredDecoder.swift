import CFFmpeg
import HoldfastModel

/// Decodes a stream and sends its frames through filters. The filters are rebuilt whenever the
/// frames change their shape.
final class FilteredDecoder {
  private let decoder: Decoder
  private let decoded: Frame
  private let filtered: Frame
  private let prepare: (UnsafeMutablePointer<AVFrame>) -> Bool
  private let makeFilters:
    (UnsafeMutablePointer<AVFrame>, FrameShape) throws(HoldfastError) -> FilterGraph
  private let stream: UnsafeMutablePointer<AVStream>
  private var filters: FilterGraph?
  private var filtersShape: FrameShape?
  private var wasInterlaced = false
  /// The first filters that were built, in FFmpeg's syntax.
  private(set) var description: String?
  private(set) var packets = 0
  /// The number of packets that the decoder could not decode. Only those packets are lost.
  private(set) var damagedPackets = 0
  /// The number of frames that the decoder had to make up in part.
  private(set) var damagedFrames = 0

  /// - Parameters:
  ///   - threads: How many threads decode; 0 for as many as there are cores.
  ///   - prepare: Gives each decoded frame its time on the output's clock. Frames for which it
  ///     returns `false` are left out.
  ///   - makeFilters: Builds the filters for frames of the same shape as the one it is given.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: CInt,
    prepare: @escaping (UnsafeMutablePointer<AVFrame>) -> Bool,
    makeFilters:
      @escaping (UnsafeMutablePointer<AVFrame>, FrameShape) throws(HoldfastError) ->
      FilterGraph
  ) throws(HoldfastError) {
    self.stream = stream
    decoder = try Decoder(stream, threads: threads)
    decoded = try Frame()
    filtered = try Frame()
    self.prepare = prepare
    self.makeFilters = makeFilters
  }

  func decode(
    _ packet: UnsafeMutablePointer<AVPacket>, _ body: FrameHandler
  ) throws(HoldfastError) {
    packets += 1
    if try !send(packet, body) { damagedPackets += 1 }
  }

  /// Whether most packets could not be decoded, and not just a few at the beginning.
  var isMostlyDamaged: Bool {
    damagedPackets > Self.fewPackets && damagedPackets > packets / 2
  }

  private static let fewPackets = 8

  /// Flushes the decoder and the filters, and passes their output to `body`.
  func finish(_ body: FrameHandler) throws(HoldfastError) {
    // Decoders with several threads report errors in the last packets only now.
    if try !send(nil, body) { damagedPackets += 1 }
    try drain(body)
  }

  private func send(
    _ packet: UnsafeMutablePointer<AVPacket>?, _ body: FrameHandler
  ) throws(HoldfastError) -> Bool {
    try decoder.decode(packet, into: decoded.pointer) { frame throws(HoldfastError) in
      guard prepare(frame) else { return }
      let hasNonNumbers =
        frame.pointee.nb_samples > 0
        ? try check(cff_silence_non_numbers(frame), "read the samples") > 0 : false
      if frame.isDamaged || hasNonNumbers { damagedFrames += 1 }
      var shape = FrameShape(frame, of: stream)
      // A stream that was interlaced once will be again. The deinterlacer lets other pictures pass,
      // so it stays in place instead of being removed and added again with each change.
      if wasInterlaced { shape.isInterlaced = true }
      if shape != filtersShape {
        try drain(body)
        filters = try makeFilters(frame, shape)
        filtersShape = shape
        description = description ?? filters?.description
        wasInterlaced = shape.isInterlaced
      }
      try filters?.filter(frame, into: filtered.pointer, body)
    }
  }

  private func drain(_ body: FrameHandler) throws(HoldfastError) {
    try filters?.filter(nil, into: filtered.pointer, body)
    filters = nil
    filtersShape = nil
  }
}
