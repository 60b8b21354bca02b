internal import CFFmpeg
internal import HoldfastModel

/// How much a file has given out, against what a file of its size can hold.
///
/// An index may name the same bytes over and over, a compressed packet may hold a thousand times its
/// size, and a block of Matroska 256 packets without a byte in them: a file of a megabyte could be
/// read for hours.
struct PacketAmount {
  /// Packets that any file may hold: five hours of AMR, whose packets of silence have a byte.
  private static let freePackets: Int64 = 1_000_000
  /// Bytes of the file for each packet more than that.
  private static let bytesPerPacket: Int64 = 8
  /// Bytes that any file may give out.
  private static let freeBytes: Int64 = 64 << 20
  /// How many times its size a file may give out beyond that: Matroska may compress packets, and
  /// uncompressed pictures shrink to a quarter.
  private static let mostTimes: Int64 = 4

  private let mostPackets: Int64
  private let mostBytes: Int64
  private var packets: Int64 = 0
  private var bytes: Int64 = 0

  init(fileSize: Int64) {
    // A server may claim any size.
    let fileSize = min(fileSize, 1 << 60)
    mostPackets = Self.freePackets + fileSize / Self.bytesPerPacket
    mostBytes = Self.freeBytes + fileSize * Self.mostTimes
  }

  /// Counts one more packet.
  ///
  /// - Throws: ``MediaError`` when there are more than the file can hold.
  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) {
    packets += 1
    bytes += Int64(packet.pointee.size)
    guard packets <= mostPackets, bytes <= mostBytes else {
      throw MediaError(
        .damaged,
        "gives out more than it can hold (\(packets) packets, \(bytes >> 20) MB); it is damaged, or "
          + "not a recording")
    }
  }
}
