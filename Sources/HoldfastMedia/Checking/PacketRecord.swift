import CFFmpeg
import HoldfastModel

/// The parts of a packet that are compared: its times, whether it is shown, and a hash of its
/// bytes.
struct PacketRecord {
  let presentation: Int64?
  let decoding: Int64?
  let isShown: Bool
  private let digest: Digest
  /// The hash without the parameter sets, which FFmpeg 9 leaves out of a copy of HEVC,
  /// because they are in the header; `nil` if the packet has none, or its units follow their
  /// lengths.
  private var digestWithoutSets: Digest?

  private struct Digest: Equatable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    /// 128-bit Murmur3 is enough: this guards against accidents, not attacks. SHA-256 protects the
    /// file as a whole.
    init(_ hash: OpaquePointer, _ body: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) {
      av_murmur3_init(hash)
      body { av_murmur3_update(hash, $0.baseAddress, $0.count) }
      withUnsafeMutableBytes(of: &self) { bytes in
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        av_murmur3_final(hash, start)
      }
    }
  }

  /// - Parameter startCodes: The form of a packet whose units follow start codes. Its hash is that
  ///   of the packet that the muxer makes of it.
  init(
    _ packet: UnsafeMutablePointer<AVPacket>, hash: OpaquePointer, startCodes: StartCodes? = nil
  ) {
    presentation = packet.presentation
    decoding = packet.decoding
    isShown = !packet.isDiscarded
    let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
    guard let startCodes else {
      digest = Digest(hash) { $0(bytes) }
      return
    }
    var hasSets = false
    func hashed(keepingSets: Bool) -> Digest {
      Digest(hash) { update in
        startCodes.forEachUnit(in: bytes) { unit in
          let isSet = startCodes.isParameterSet(unit)
          if isSet { hasSets = true }
          guard keepingSets || !isSet else { return }
          let length = UInt32(truncatingIfNeeded: unit.count)
          let digits = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
          digits.withUnsafeBufferPointer(update)
          update(UnsafeBufferPointer(rebasing: unit))
        }
      }
    }
    digest = hashed(keepingSets: true)
    if hasSets { digestWithoutSets = hashed(keepingSets: false) }
  }

  /// Whether this is a packet that the muxer may make of a source's.
  func hasBytes(of source: PacketRecord) -> Bool {
    digest == source.digest || digest == source.digestWithoutSets
  }
}

/// The packets of one stream, recorded for a comparison.
struct PacketSequence {
  let timeBase: AVRational
  /// The time that is 0 in the output, in ticks of ``timeBase``.
  let zero: Int64
  /// How many ticks earlier the output's decode times are than these.
  var decodingShift: Int64 = 0
  /// Whether the output must hide exactly the packets that are hidden here. That is not so for
  /// sound: its decoder is given extra packets at the start, which are not heard.
  var isVideo = false
  /// The form of the packets if their units follow start codes; `nil` otherwise.
  var startCodes: StartCodes?
  private(set) var records: [PacketRecord] = []

  mutating func append(_ packet: UnsafeMutablePointer<AVPacket>, hash: OpaquePointer) {
    records.append(PacketRecord(packet, hash: hash, startCodes: startCodes))
  }

  /// Removes hidden packets at the end, as the copy does, and hidden packets before sound that
  /// starts late.
  mutating func finish() {
    while records.last?.isShown == false { records.removeLast() }
    guard !isVideo, let first = records.firstIndex(where: \.isShown),
      (records[first].presentation ?? 0) > zero
    else { return }
    records.removeFirst(first)
  }

  /// Compares a copy with its source, and returns the first difference, in words for a person. The
  /// bytes must be equal, and the times must agree to within one tick of the coarser clock.
  func firstDifference(from source: PacketSequence) -> String? {
    guard records.count == source.records.count else {
      return "\(records.count) packets were written instead of \(source.records.count)"
    }
    let tolerance = max(timeBase.seconds, source.timeBase.seconds) * 1.001
    for (number, (copy, original)) in zip(records, source.records).enumerated() {
      if !copy.hasBytes(of: original) { return "the bytes of packet \(number) differ" }
      if source.isVideo, copy.isShown != original.isShown {
        return "packet \(number) is \(copy.isShown ? "shown" : "hidden"), and should not be"
      }
      let times = [
        (copy.presentation, original.presentation),
        (copy.decoding, original.decoding.map { $0 - source.decodingShift }),
      ]
      for case (let ours?, let theirs?) in times
      where abs(seconds(ours) - source.seconds(theirs)) > tolerance {
        let (ours, theirs) = (seconds(ours), source.seconds(theirs))
        return "packet \(number) is at \(ours) s instead of \(theirs) s"
      }
    }
    return nil
  }

  private func seconds(_ ticks: Int64) -> Double { Double(ticks - zero) * timeBase.seconds }
}

/// A filter that removes the ADTS header from AAC packets, as the muxer does when it copies them.
final class ADTSFilter {
  private var context: UnsafeMutablePointer<AVBSFContext>?

  init(_ stream: UnsafeMutablePointer<AVStream>) throws(HoldfastError) {
    try check(
      av_bsf_alloc(av_bsf_get_by_name("aac_adtstoasc"), &context), "read the packets of ADTS")
    do throws(HoldfastError) {
      let filter = try check(context, "read the packets of ADTS")
      try check(
        avcodec_parameters_copy(filter.pointee.par_in, stream.parameters), "describe ADTS")
      filter.pointee.time_base_in = stream.timeBase
      try check(av_bsf_init(filter), "read the packets of ADTS")
    } catch {
      av_bsf_free(&context)
      throw error
    }
  }

  deinit { av_bsf_free(&context) }

  func apply(to packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    try check(av_bsf_send_packet(context, packet), "remove an ADTS header")
    try check(av_bsf_receive_packet(context, packet), "remove an ADTS header")
  }
}
