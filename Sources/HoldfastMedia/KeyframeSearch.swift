internal import CFFmpeg
internal import HoldfastModel

extension Demuxer {
  /// Decodes the keyframe at or before a time: the first picture, if there is none.
  ///
  /// - Parameters:
  ///   - stream: The video stream; the others should be discarded.
  ///   - time: The time in ticks of the stream.
  ///   - start: Where the stream starts, in its ticks.
  ///   - frame: Receives the picture.
  func decodeKeyframe(
    of stream: UnsafeMutablePointer<AVStream>, atOrBefore time: Int64, start: Int64,
    into frame: borrowing Frame
  ) throws(MediaError) {
    let packet = try Packet()
    // AVI's palette comes with the first packet, once: whoever seeks does not see it.
    if container == "avi", stream.pixelFormat == AV_PIX_FMT_PAL8 {
      return try decodeFirst(of: stream, into: frame, packet)
    }
    if try findKeyframe(of: stream, atOrBefore: time, start: start, packet),
      try Decoder.decodeAlone(packet, of: stream, into: frame)
    {
      return
    }
    // No keyframe that is shown and decodes by itself: then the first picture that there is.
    seek(stream: stream.index, to: stream.pointee.start_time)
    try decodeFirst(of: stream, into: frame, packet)
  }

  /// Reads the last keyframe's packet whose picture is shown at or before a time.
  private func findKeyframe(
    of stream: UnsafeMutablePointer<AVStream>, atOrBefore time: Int64, start: Int64,
    _ packet: borrowing Packet
  ) throws(MediaError) -> Bool {
    // Seeking goes by decode time in some containers, which lies before the presentation time:
    // the keyframe found may be shown too late. A second earlier there is a better one, or none.
    let second = Int64(1).rescaled(from: AVRational(num: 1, den: 1), to: stream.timeBase)
    for target in [time, time - second, start] {
      seek(stream: stream.index, to: target)
      while case .packet = try read(into: packet.pointer) {
        guard Int(packet.pointer.pointee.stream_index) == stream.index,
          packet.pointer.isKeyframe
        else { continue }
        let shown = packet.pointer.presentation ?? packet.pointer.decoding ?? start
        if shown <= time || target <= start { return true }
        break
      }
    }
    return false
  }

  private func decodeFirst(
    of stream: UnsafeMutablePointer<AVStream>, into frame: borrowing Frame,
    _ packet: borrowing Packet
  ) throws(MediaError) {
    let decoder = try Decoder(stream, threads: 1)
    while case .packet = try read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == stream.index else { continue }
      avcodec_send_packet(decoder.context, packet.pointer)
      if avcodec_receive_frame(decoder.context, frame.pointer) >= 0 { return }
    }
    avcodec_send_packet(decoder.context, nil)
    guard avcodec_receive_frame(decoder.context, frame.pointer) >= 0 else {
      throw MediaError(.damaged, "none of its pictures can be decoded")
    }
  }
}
