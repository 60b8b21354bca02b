import CFFmpeg
import HoldfastModel

/// The findings of reading a file from its beginning to its end.
struct PacketReading {
  var streams: [Int: StreamMeasurement] = [:]
  /// Whether damage ended the reading. If not, the file was read to its end.
  var isCutShort = false
  /// The number of packets of each stream that the container calls damaged.
  private var corrupt: [Int: Int] = [:]
  /// How many pictures at the beginning of each stream do not decode, because the keyframe that
  /// they need is not in the file.
  var picturesLost: [Int: Int] = [:]
  /// When the last packet of any stream ends on the file's own clock, in seconds.
  private var end = -Double.infinity

  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    let index = Int(packet.pointee.stream_index)
    if packet.isCorrupt { corrupt[index, default: 0] += 1 }
    streams[index]?.add(packet)
    if let time = packet.presentation ?? packet.decoding {
      let over = Double(time) + Double(max(0, packet.pointee.duration))
      end = max(end, over * timeBase.seconds)
    }
  }

  /// Returns which of some streams must be decoded to know whether they are damaged. FFmpeg's
  /// parsers complain about packets that decode, and where two files were joined, its demuxers call
  /// whole packets damaged. Of a chained Ogg, only the decoder knows each link's sample rate.
  func doubtful(_ indices: some Sequence<Int>, in demuxer: borrowing Demuxer) -> Set<Int> {
    if demuxer.isChained { return Set(indices) }
    let unframed = demuxer.streams.filter(\.isUnframed).map(\.index)
    return Set(
      indices.filter { !unframed.contains($0) && (corrupt[$0] != nil || demuxer.doubts($0)) })
  }

  /// Returns the damage in some streams, each finding as a clause about the file.
  ///
  /// - Parameter decoded: How many packets do not decode, by the index of each stream that was
  ///   decoded because it was ``doubtful(_:in:)``.
  func damage(
    in demuxer: borrowing Demuxer, to indices: some Sequence<Int>, decoded: [Int: Int] = [:]
  ) -> [String] {
    var findings: [String] = []
    if isCutShort { findings.append("it is damaged, and was read only up to the damage") }
    let indices = Array(indices)
    let packets = indices.reduce(0) { $0 + (decoded[$1] ?? corrupt[$1] ?? 0) }
    if packets > 0 {
      findings.append("\(packets.counted("packet")) of it \(packets.noun("is", "are")) damaged")
    }
    let losses = demuxer.losses(of: indices)
    if losses > 0 {
      let were = losses.noun("was", "were")
      findings.append("it is damaged at \(losses.counted("place")), which \(were) skipped")
    }
    // In an MP4 with one index, only an edit list makes the clock fall: it repeats a part.
    if !demuxer.readsPacketsAlone, indices.contains(where: { (streams[$0]?.clockFalls ?? 0) > 0 }) {
      findings.append("its clock jumps back partway; some of what follows may be lost")
    }
    for index in indices {
      guard let lost = picturesLost[index], lost > 0 else { continue }
      findings.append(
        "\(lost.counted("picture")) before its first keyframe \(lost.noun("is", "are")) lost")
    }
    if indices.contains(where: { lacksPackets($0, demuxer) }) {
      findings.append("its end is missing: it holds fewer packets than its index names")
    }
    return findings
  }

  /// Whether the index of an MP4 names packets of a stream that the file does not hold, because it
  /// is cut off.
  private func lacksPackets(_ index: Int, _ demuxer: borrowing Demuxer) -> Bool {
    guard demuxer.container == "mov", let packets = streams[index]?.packets,
      let stream = demuxer.streams.first(where: { $0.index == index })
    else { return false }
    return packets < Int(avformat_index_get_entries_count(stream))
  }

  /// Returns when everything has ended on the file's own clock, in seconds. This is the longest
  /// duration that a header may rightly claim.
  ///
  /// A file lasts from the beginning of its clock, whenever picture and sound begin, to the end of
  /// its longest track. For tracks that are not kept, the header of an MP4 is believed, because
  /// some have a length but no packet.
  func end(in demuxer: borrowing Demuxer, of info: MediaInfo) -> Double {
    var end = end
    guard demuxer.container == "mov" else { return end }
    for stream in demuxer.streams where ![info.video, info.audio].contains(stream.index) {
      guard let length = Int64(ticks: stream.pointee.duration), length > 0 else { continue }
      let start = Int64(ticks: stream.pointee.start_time) ?? 0
      end = max(end, (Double(start) + Double(length)) * stream.timeBase.seconds)
    }
    return end
  }
}
