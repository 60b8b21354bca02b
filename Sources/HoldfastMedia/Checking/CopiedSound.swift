import CFFmpeg
import HoldfastModel

/// A decoder for copied sound whose source has no index, so that only the packets show what they
/// hold. It decodes the output as a player does that knows only the output's header.
///
/// Decoding all of a long note would take a fifth of its import, so only every second packet is
/// decoded. That finds every change that lasts, and damage of more than one packet.
final class CopiedSound {
  /// The most sound that a decoder may need to learn what its header does not say, in seconds:
  /// whether the sound has spectral band replication and parametric stereo.
  private static let learning = 0.5
  /// The length up to which every packet is decoded, in seconds.
  private static let short = 60.0

  private let isShort: Bool
  private let decoder: Decoder
  private let frame: Frame
  private var format: SoundFormat?
  private var heard = 0.0
  private var changed: SoundFormat?
  private var damagedPackets = 0
  private var isNextSkipped = false

  init(_ output: UnsafeMutablePointer<AVStream>) throws(HoldfastError) {
    // If the length is unknown, every packet is decoded.
    isShort = Double(output.pointee.duration) * av_q2d(output.timeBase) <= Self.short
    decoder = try Decoder(output, threads: 1)
    frame = try Frame()
  }

  /// Decodes a packet, unless the sound is long and the packet before was decoded; or with `nil`
  /// what the decoder still holds.
  func add(_ packet: UnsafeMutablePointer<AVPacket>?) throws(HoldfastError) {
    let isSkipped = isNextSkipped && !isShort && packet != nil
    isNextSkipped.toggle()
    if isSkipped { return }
    let isIntact = try decoder.decode(packet, into: frame.pointer) { frame throws(HoldfastError) in
      note(frame)
    }
    if !isIntact { damagedPackets += 1 }
  }

  private func note(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard frame.pointee.sample_rate > 0 else { return }
    let next = SoundFormat(
      sampleRate: Int(frame.pointee.sample_rate), channels: Int(frame.pointee.ch_layout.nb_channels)
    )
    if heard < Self.learning { format = next }
    if let format, next != format { changed = changed ?? next }
    heard += Double(frame.pointee.nb_samples) / Double(next.sampleRate)
  }

  /// - Parameter known: How many packets are known to be incomplete in the source.
  func verify(knownDamage known: Int) throws(HoldfastError) {
    if let format, let changed {
      throw .failedCheck(
        "its sound changes partway, from \(format.words) to \(changed.words)")
    }
    guard damagedPackets <= known else {
      throw .failedCheck(
        "\(damagedPackets.counted("packet")) of its sound \(damagedPackets.noun("does", "do")) not "
          + "decode")
    }
  }
}
