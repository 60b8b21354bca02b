import CFFmpeg
import HoldfastModel

extension PictureReader {
  /// Decodes the pictures that are shown at some times, in ticks of the stream and in rising order.
  /// Passes each to `body`, with the position of its time in `times`.
  ///
  /// Reading only goes forward. Each picture is decoded from the keyframe before it, or from the
  /// last picture if no keyframe comes in between. The reader must be new.
  func pictures(
    at times: [Int64], of shown: PictureTimes,
    _ body: (Int, borrowing Frame) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    let search = try PictureSearch(self, shown)
    for (number, time) in times.enumerated() {
      try search.find(time)
      let copy = try Frame()
      // The next time may want the same picture again.
      try check(av_frame_ref(copy.pointer, search.found.pointer), "keep a picture")
      try body(number, copy)
    }
  }
}

/// A search through a video, forward from picture to picture.
private final class PictureSearch {
  let found: Frame
  private var hasFound = false
  /// A picture that is already decoded and is shown later.
  private let next: Frame
  private var hasNext = false

  private let reader: PictureReader
  private let shown: PictureTimes
  /// The keyframes in the order of decoding, as positions in ``shown``.
  private let keyframes: [Int]
  /// Whether the container can seek to a keyframe and still give the same pictures after it.
  private let isIndexed: Bool
  /// The position in ``shown`` of the last packet that was read; -1 before the first.
  private var position = -1
  /// Whether that packet is still to be decoded.
  private var holdsPacket = false
  private var isAtEnd = false

  /// The most failures of a decoder while it gives out its last pictures. It holds fewer pictures
  /// than that.
  private static let mostFailures = 256

  init(_ reader: PictureReader, _ shown: PictureTimes) throws(HoldfastError) {
    self.reader = reader
    self.shown = shown
    let container = reader.demuxer.container
    isIndexed = ["mov", "matroska"].contains(container)
    keyframes =
      reader.isDecodedFromStart ? [] : shown.keyframes.filter(shown.shown.indices.contains)
    found = try Frame()
    next = try Frame()
  }

  /// Finds the picture that is shown at a time. Times must not go back.
  func find(_ time: Int64) throws(HoldfastError) {
    let last = shown.shown.indices.filter { shown.shown[$0] <= time }
      .max { shown.shown[$0] < shown.shown[$1] }
    // Only in containers that keep presentation times does a packet say when its picture is shown.
    // In others, the picture after it must be decoded to know.
    let exact = isIndexed ? last.map { shown.shown[$0] } : nil
    let before = keyframes.filter { $0 <= last ?? 0 && shown.shown[$0] <= time }.suffix(2)
    if let keyframe = before.last, !hasFound || keyframe > position + 1 {
      try go(to: keyframe)
    }
    if try decode(until: time, exact: exact) { return }
    // Some keyframes do not give all the pictures after them. Then the keyframe before does.
    if isIndexed, before.count == 2, let earlier = before.first {
      try go(to: earlier)
      if try decode(until: time, exact: exact) { return }
    }
    // If a picture is damaged, the one before it is shown.
    if hasFound { return }
    // No picture that is shown by then can be decoded. The first picture after it is the nearest.
    if !hasNext { hasNext = try receive() }
    guard hasNext else {
      throw HoldfastError(.damaged, "its picture there cannot be decoded; choose another time")
    }
    advance()
  }

  /// Decodes up to the last picture that is shown at or before a time: at `exact`, if that is
  /// known. Returns whether ``found`` is that picture.
  private func decode(until time: Int64, exact: Int64?) throws(HoldfastError) -> Bool {
    while true {
      if hasFound, let exact, (found.pointer.presentation ?? .min) >= exact { return true }
      if !hasNext { hasNext = try receive() }
      guard hasNext, (next.pointer.presentation ?? .min) <= time else {
        return hasFound && exact == nil
      }
      advance()
    }
  }

  private func advance() {
    av_frame_unref(found.pointer)
    av_frame_move_ref(found.pointer, next.pointer)
    (hasFound, hasNext) = (true, false)
  }

  /// Goes to a keyframe. It must be ahead, unless the container has an index.
  private func go(to keyframe: Int) throws(HoldfastError) {
    if position >= 0 { avcodec_flush_buffers(reader.decoder.context) }
    (hasFound, hasNext, isAtEnd) = (false, false, false)
    // If it is the next packet, it need not seek.
    if !holdsPacket, keyframe == position + 1 { return }
    let time = shown.shown[keyframe]
    if isIndexed {
      reader.demuxer.seek(stream: reader.stream.index, to: time)
      if try !skip(to: time) {
        // The index may have led past the keyframe, so search from the start.
        reader.demuxer.seek(stream: reader.stream.index, to: reader.start)
        _ = try skip(to: time)
      }
    } else {
      _ = try skip(to: time)
    }
    position = keyframe
  }

  /// Reads up to the keyframe that is shown at a time. Returns whether it was found. If the
  /// container has an index and a later keyframe comes first, returns `false` at once.
  private func skip(to time: Int64) throws(HoldfastError) -> Bool {
    holdsPacket = false
    while try read() {
      guard reader.packet.pointer.isKeyframe, let shown = reader.packet.shown else { continue }
      if shown == time {
        holdsPacket = true
        return true
      }
      if isIndexed, shown > time { return false }
    }
    return false
  }

  /// Reads the stream's next packet. Returns `false` at the end.
  private func read() throws(HoldfastError) -> Bool {
    while case .packet = try reader.demuxer.read(into: reader.packet.pointer) {
      if Int(reader.packet.pointer.pointee.stream_index) == reader.stream.index { return true }
    }
    return false
  }

  /// Decodes the picture that is shown next. Returns `false` if there is none.
  private func receive() throws(HoldfastError) -> Bool {
    let decoder = reader.decoder.context
    var failures = 0
    while true {
      let code = avcodec_receive_frame(decoder, next.pointer)
      if code >= 0 {
        if reader.isDecodedFromStart {
          next.pointer.pointee.pts =
            reader.stored.presentation(of: next.pointer) ?? next.pointer.pointee.pts
        }
        try reader.noteSize(of: next)
        return true
      }
      if code == cff_error_eof { return false }
      if isAtEnd {
        // At the end, good pictures may follow a damaged one.
        failures += 1
        guard code != cff_error_again, failures < Self.mostFailures else { return false }
        continue
      }
      if holdsPacket {
        holdsPacket = false
      } else if try read() {
        if !reader.packet.pointer.isDiscarded, reader.packet.shown != nil { position += 1 }
        reader.stored.note(reader.packet.pointer)
      } else {
        isAtEnd = true
      }
      // If a packet is damaged, only that packet is lost.
      let isTaken = avcodec_send_packet(decoder, isAtEnd ? nil : reader.packet.pointer) >= 0
      if !isTaken, !isAtEnd { reader.stored.lose() }
    }
  }
}

extension Packet {
  /// When the packet's picture is shown, as far as the packet says.
  fileprivate var shown: Int64? { pointer.presentation ?? pointer.decoding }
}
