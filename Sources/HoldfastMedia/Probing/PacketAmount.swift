import CFFmpeg
import HoldfastModel

/// The packets and bytes that a file has given out, compared with the most that a file of its size
/// can hold.
///
/// An index may name the same bytes over and over. A compressed packet may hold a thousand times
/// its size. A block of Matroska may hold 256 packets without a byte in them. So reading a file of
/// a megabyte could take hours.
struct PacketAmount {
  /// The number of packets that any file may hold. This allows five hours of AMR, whose packets of
  /// silence have one byte.
  private static let freePackets: Int64 = 1_000_000
  /// The bytes that the file must have for each packet beyond that.
  private static let bytesPerPacket: Int64 = 8
  /// The number of bytes that any file may give out.
  private static let freeBytes: Int64 = 64 << 20
  /// The multiple of its size that a file may give out beyond that. Matroska may compress packets,
  /// and uncompressed pictures shrink to a quarter.
  private static let mostTimes: Int64 = 4

  private let mostPackets: Int64
  private let mostBytes: Int64
  private var packets: Int64 = 0
  private var bytes: Int64 = 0

  init(fileSize: Int64) {
    // Bounded, because a file server may claim any size.
    let fileSize = min(fileSize, 1 << 60)
    mostPackets = Self.freePackets + fileSize / Self.bytesPerPacket
    mostBytes = Self.freeBytes + fileSize * Self.mostTimes
  }

  /// Counts one more packet. Throws if the file gives out more packets or bytes than it can hold.
  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    packets += 1
    bytes += Int64(packet.pointee.size)
    guard packets <= mostPackets, bytes <= mostBytes else {
      throw HoldfastError(
        .damaged,
        "gives out more than it can hold (\(packets) packets, \(bytes >> 20) MB); it is damaged, "
          + "or not a recording")
    }
  }
}
