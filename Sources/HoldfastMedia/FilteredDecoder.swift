internal import CFFmpeg
internal import HoldfastModel

/// Decodes a stream and sends its frames through filters, which are built anew whenever the frames
/// change their size or format.
final class FilteredDecoder {
  private let decoder: Decoder
  private let decoded: Frame
  private let filtered: Frame
  private let prepare: (UnsafeMutablePointer<AVFrame>) -> Bool
  private let makeFilters: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> FilterGraph
  private var filters: FilterGraph?
  private var filtersShape: FrameShape?
  /// Packets that the decoder could not take; each is its own loss alone.
  private(set) var damagedPackets = 0
  /// Frames of which the decoder had to make up something.
  private(set) var damagedFrames = 0

  /// Opens a decoder.
  ///
  /// - Parameters:
  ///   - stream: The stream whose packets will be decoded.
  ///   - threads: How many threads decode; 0 for as many as there are cores.
  ///   - prepare: Gives each decoded frame its time on the output's clock; `false` leaves it out.
  ///   - makeFilters: Builds the filters for frames like the one it is given.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: CInt,
    prepare: @escaping (UnsafeMutablePointer<AVFrame>) -> Bool,
    makeFilters: @escaping (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> FilterGraph
  ) throws(MediaError) {
    decoder = try Decoder(stream, threads: threads)
    decoded = try Frame()
    filtered = try Frame()
    self.prepare = prepare
    self.makeFilters = makeFilters
  }

  /// Decodes a packet, and hands what comes out of the filters to `body`.
  func decode(
    _ packet: UnsafeMutablePointer<AVPacket>,
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) {
    if try !send(packet, body) { damagedPackets += 1 }
  }

  /// Hands out what is left in decoder and filters.
  func finish(
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) {
    // Decoders on several threads complain of the last packets only now.
    if try !send(nil, body) { damagedPackets += 1 }
    try drain(body)
  }

  private func send(
    _ packet: UnsafeMutablePointer<AVPacket>?,
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) -> Bool {
    try decoder.decode(packet, into: decoded.pointer) { frame throws(MediaError) in
      guard prepare(frame) else { return }
      if frame.isDamaged { damagedFrames += 1 }
      let shape = FrameShape(frame)
      if shape != filtersShape {
        try drain(body)
        filters = try makeFilters(frame)
        filtersShape = shape
      }
      try filters?.filter(frame, into: filtered.pointer, body)
    }
  }

  private func drain(
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) {
    try filters?.filter(nil, into: filtered.pointer, body)
    filters = nil
    filtersShape = nil
  }
}

/// What filters are built for.
private struct FrameShape: Equatable {
  let format: CInt
  let width: CInt
  let height: CInt
  let sampleRate: CInt
  let channels: CInt
  let channelMask: UInt64

  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    format = frame.pointee.format
    width = frame.pointee.width
    height = frame.pointee.height
    sampleRate = frame.pointee.sample_rate
    channels = frame.pointee.ch_layout.nb_channels
    channelMask = frame.pointee.ch_layout.u.mask
  }
}
