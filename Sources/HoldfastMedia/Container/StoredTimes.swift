internal import CFFmpeg

/// When pictures are shown of which only is known when they are stored.
///
/// AVI counts pictures only as they are stored, and FFmpeg takes one for shown when it leaves the
/// decoder, some reordered pictures late, or when it is stored, if nothing was reordered. The first
/// that is shown has the time of the first that is stored, and so on.
struct StoredTimes {
  /// Whether the stream does not say when its pictures are presented; decided by the first packet.
  private var isUntimed: Bool?
  private var times: [Int64] = []
  private var next = 0

  /// Looks at a packet before it is decoded.
  mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    let isUntimed = self.isUntimed ?? (packet.presentation == nil)
    self.isUntimed = isUntimed
    if isUntimed, let time = packet.decoding { times.append(time) }
  }

  /// The last packet gives no picture: it is damaged.
  mutating func lose() {
    if next < times.count { times.removeLast() }
  }

  /// When the next picture that leaves the decoder is shown.
  mutating func presentation(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    guard next < times.count else { return frame.presentation }
    defer { next += 1 }
    return times[next]
  }
}
