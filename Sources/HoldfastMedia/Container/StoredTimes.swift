import CFFmpeg

/// Works out when pictures are shown if the file says only when they are stored.
///
/// AVI counts pictures only as they are stored. FFmpeg assumes that a picture is shown when it
/// leaves the decoder, which is late by the number of reordered pictures, or when it is stored if
/// nothing was reordered. In truth the first picture shown has the time of the first one stored,
/// and so on.
struct StoredTimes {
  /// Whether the stream does not say when its pictures are presented. The first packet decides.
  private var isUntimed: Bool?
  private var times: [Int64] = []
  private var next = 0

  /// Notes a packet's time before the packet is decoded.
  mutating func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    let isUntimed = self.isUntimed ?? (packet.presentation == nil)
    self.isUntimed = isUntimed
    if isUntimed, let time = packet.decoding { times.append(time) }
  }

  /// Forgets the last packet's time, because it is damaged and gives no picture.
  mutating func lose() {
    if next < times.count { times.removeLast() }
  }

  /// Returns when the next picture that leaves the decoder is shown, in ticks; `nil` if unknown.
  mutating func presentation(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    guard next < times.count else { return frame.presentation }
    defer { next += 1 }
    return times[next]
  }
}
