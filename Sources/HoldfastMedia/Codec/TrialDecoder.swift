internal import CFFmpeg
internal import HoldfastModel

/// Tries whether a stream decodes: it is sent packets until one frame has come out, or all of them.
final class TrialDecoder {
  /// As many packets as a decoder may swallow before its first frame (frame reordering and
  /// threading need at most some twenty; damage at the start may cost more).
  private static let patience = 250

  private let decoder: Decoder?
  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  private let frame: Frame
  private let decodesAll: Bool
  /// What the first frame says of the display that it was made on; `nil` for nothing.
  private(set) var mastering: MasteringDisplay?
  private var packets = 0
  /// Whether a frame has come out; `nil` as long as the question is open.
  private(set) var result: Bool?
  /// When the first frame is presented, in ticks; `nil` if it does not say, or may not be the first.
  private(set) var start: Int64?
  /// Whether it is known when what comes out first is presented: not of silence that was passed over,
  /// and not in AVI, which says only when packets are stored.
  private var knowsStart = true
  /// Packets that did not decode cleanly: the decoder refused them, complained of them, or had to
  /// make up some of what they hold.
  private(set) var damagedPackets = 0

  /// Opens a decoder on one thread: its complaints are counted on the thread that calls it.
  init(_ stream: UnsafeMutablePointer<AVStream>, decodesAll: Bool) throws(MediaError) {
    self.decodesAll = decodesAll
    parameters = stream.parameters
    frame = try Frame()
    decoder = try? Decoder(stream, threads: 1, checksChecksums: decodesAll)
    if decoder == nil { result = false }
  }

  /// Sends a packet, or `nil` at the end of the stream.
  func add(_ packet: UnsafeMutablePointer<AVPacket>?) throws(MediaError) {
    guard result == nil || decodesAll, decoder != nil else { return }
    // A voice memo may begin with minutes of silence.
    if let packet, decoder?.isSilence(packet) == true {
      knowsStart = false
      return
    }
    packets += 1
    if let packet, packet.presentation == nil { knowsStart = false }
    var hasDecoded = false
    var isClean = true
    let complaints = cff_log_complaints()
    let isTaken = try decoder?.decode(packet, into: frame.pointer) { frame throws(MediaError) in
      if result == nil, !hasDecoded, knowsStart { start = frame.presentation }
      if result == nil { mastering = mastering ?? MasteringDisplay(frame) }
      hasDecoded = true
      if frame.isDamaged { isClean = false }
    }
    if isTaken == false || !isClean || cff_log_complaints() != complaints { damagedPackets += 1 }
    if hasDecoded {
      // From now on the stream says of itself what its decoder has found out, as FFmpeg's own
      // description of streams has it.
      if result == nil { try decoder?.describe(into: parameters) }
      result = true
    } else if packet == nil || packets > Self.patience {
      result = result ?? false
    }
  }
}
