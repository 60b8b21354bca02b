import CFFmpeg
import Glibc
import HoldfastModel

/// Writes a recording's sound as transcribers read it: a WAV file with one channel of 16 bits at
/// 16 kHz. No sample is made louder or quieter.
struct SpeechDecode: ~Copyable {
  /// The same conversion, in one step, that the `ffmpeg` program makes for `-ac 1 -ar 16000`.
  private static let filters =
    "aformat=sample_fmts=s16:sample_rates=\(DecodedSound.sampleRate):channel_layouts=mono"
  /// The silence that is kept before the first sound, in samples.
  private static let lead = DecodedSound.sampleRate / 5

  private var samples: [Int16] = []
  /// How many samples of silence before the first sound were left out.
  private var skipped = 0
  private var peak = 0
  /// When the first sample of all is heard, in seconds.
  private var begin: Double?

  /// Decodes the first sound stream of `source`. Throws if there is none, or none of it decodes.
  static func run(
    _ source: OpenMedia, output: OpenMedia, call: RunningCall
  ) throws(HoldfastError) -> DecodedSound {
    let demuxer = try Demuxer(source, description: .header, call: call)
    guard
      let stream = demuxer.streams.first(where: {
        $0.parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
      })
    else { throw HoldfastError(.nothingToPlay, "it has no sound") }
    let index = Int(stream.pointee.index)
    demuxer.discardStreams { $0 != index }
    var speech = SpeechDecode()
    var begin: Double?
    let decoder = try FilteredDecoder(stream, threads: 1) { frame in
      begin = begin ?? frame.presentation.map { Double($0) * av_q2d(stream.timeBase) }
      frame.pointee.pts = frame.presentation ?? cff_no_pts
      return true
    } makeFilters: { frame, _ throws(HoldfastError) in
      try FilterGraph(filters, for: frame, timeBase: stream.timeBase)
    }
    let packet = try Packet()
    while case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == index else { continue }
      try decoder.decode(packet.pointer) { frame in speech.add(frame) }
    }
    try decoder.finish { frame in speech.add(frame) }
    if speech.samples.isEmpty, decoder.damagedPackets > 0 {
      throw HoldfastError(.damaged, "its sound does not decode")
    }
    speech.begin = begin
    return try speech.write(to: output)
  }

  private mutating func add(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard let plane = frame.pointee.extended_data[0] else { return }
    let count = Int(frame.pointee.nb_samples)
    let room = DecodedSound.mostSamples - samples.count - skipped
    let added = UnsafeBufferPointer(
      start: UnsafeRawPointer(plane).assumingMemoryBound(to: Int16.self),
      count: max(min(count, room), 0))
    let wasSilent = peak <= DecodedSound.silence
    for sample in added { peak = max(peak, Int(sample.magnitude)) }
    samples.append(contentsOf: added)
    if wasSilent { skipSilence() }
  }

  /// Drops the samples before the first sound, except for the last ones before it.
  private mutating func skipSilence() {
    let first = samples.firstIndex { $0.magnitude > DecodedSound.silence } ?? samples.count
    guard first > Self.lead else { return }
    // Whole milliseconds, so that times can be shifted back exactly.
    let count = (first - Self.lead) / 16 * 16
    samples.removeFirst(count)
    skipped += count
  }

  private consuming func write(to output: OpenMedia) throws(HoldfastError) -> DecodedSound {
    let data = UInt32(2 * samples.count)
    let rate = UInt32(DecodedSound.sampleRate)
    var header = Array("RIFF".utf8) + Self.bytes(data + 36) + Array("WAVEfmt ".utf8)
    header += Self.bytes(UInt32(16)) + Self.bytes(UInt16(1)) + Self.bytes(UInt16(1))
    header += Self.bytes(rate) + Self.bytes(2 * rate)
    header += Self.bytes(UInt16(2)) + Self.bytes(UInt16(16))
    header += Array("data".utf8) + Self.bytes(data)
    let content =
      header + samples.withUnsafeBytes { $0.map(\.self) }
    var offset = 0
    while offset < content.count {
      let size = content.withUnsafeBytes {
        pwrite(
          output.descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset,
          off_t(offset))
      }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else {
        throw HoldfastError(systemError: errno, as: .outputRefused, operation: "write")
      }
      offset += size
    }
    let start = Int((max(begin ?? 0, 0) * 1000).rounded()) + skipped / 16
    let silence = samples.firstIndex { $0.magnitude > DecodedSound.silence } ?? 0
    return DecodedSound(
      samples: samples.count, startTime: start, firstSound: start + silence / 16, peak: peak)
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
