import CFFmpeg
import HoldfastModel

/// A decoder that tests whether a stream decodes to what the scaler can read. It is sent packets
/// until one frame has come out, or all packets if all are to be decoded.
final class TrialDecoder {
  /// The most packets that a decoder may need before its first frame. Frame reordering and
  /// threading need some twenty at most; damage at the start may cost more.
  private static let patience = 250

  private let decoder: Decoder?
  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  private let frame: Frame
  private let decodesAll: Bool
  /// The mastering display that the first frame names; `nil` if it names none.
  private(set) var mastering: MasteringDisplay?
  private var packets = 0
  /// Whether a frame has come out that can be converted; `nil` while that is unknown.
  private(set) var result: Bool?
  /// When the first frame is presented, in ticks; `nil` if the frame does not say, or may not be
  /// the first.
  private(set) var start: Int64?
  /// Whether the presentation time of the first frame can be known. It cannot after silence was
  /// skipped, nor in AVI, which says only when packets are stored.
  private var knowsStart = true
  /// Whether the sample rate of sound changes partway.
  private(set) var changesRate = false
  private var rate: CInt?
  /// The number of packets that did not decode cleanly: the decoder refused them, complained about
  /// them, or had to make up part of what they hold.
  private(set) var damagedPackets = 0

  /// Opens a decoder on one thread, because its complaints are counted on the calling thread.
  init(_ stream: UnsafeMutablePointer<AVStream>, decodesAll: Bool) throws(HoldfastError) {
    self.decodesAll = decodesAll
    parameters = stream.parameters
    frame = try Frame()
    decoder = try? Decoder(stream, threads: 1, checksChecksums: decodesAll)
    if decoder == nil { result = false }
  }

  /// Sends a packet, or `nil` at the end of the stream.
  func add(_ packet: UnsafeMutablePointer<AVPacket>?) throws(HoldfastError) {
    guard result == nil || decodesAll, decoder != nil else { return }
    // A voice memo may begin with minutes of silence, which must not use up ``patience``.
    if let packet, decoder?.isSilence(packet) == true {
      knowsStart = false
      return
    }
    packets += 1
    if let packet, packet.presentation == nil { knowsStart = false }
    var hasDecoded = false
    var (isClean, isReadable) = (true, true)
    let complaints = cff_log_complaints()
    let isTaken = try decoder?.decode(packet, into: frame.pointer) { frame throws(HoldfastError) in
      if result == nil, !hasDecoded, knowsStart { start = frame.presentation }
      if result == nil { mastering = mastering ?? MasteringDisplay(frame) }
      hasDecoded = true
      if frame.pointee.width > 0 {
        isReadable = sws_isSupportedInput(AVPixelFormat(rawValue: frame.pointee.format)) != 0
      }
      if let rate, rate != frame.pointee.sample_rate { changesRate = true }
      rate = frame.pointee.sample_rate
      if frame.isDamaged { isClean = false }
    }
    if isTaken == false || !isClean || cff_log_complaints() != complaints { damagedPackets += 1 }
    if hasDecoded {
      // From now on the stream's parameters hold its decoder's findings, as after FFmpeg's own
      // description of streams.
      if result == nil { try decoder?.describe(into: parameters) }
      result = isReadable
    } else if packet == nil || packets > Self.patience {
      result = result ?? false
    }
  }
}
