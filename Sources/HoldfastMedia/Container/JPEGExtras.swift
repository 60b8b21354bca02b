import CFFmpeg
import CJPEG
import HoldfastModel

/// The parts of a JPEG beside its picture: EXIF, XMP, a colour profile, comments.
enum JPEGExtras {
  /// The largest file that is read, in bytes.
  private static let mostBytes = Int64(PhotoLimit.mostBytes)

  /// Returns the names of the file's segments that are not JFIF's.
  static func names(in source: OpenMedia) throws(HoldfastError) -> [String] {
    let size = try regularFileSize(source)
    guard size <= mostBytes else {
      throw HoldfastError(.tooLarge, "has \(size) bytes, more than any thumbnail or photo")
    }
    let bytes = try AcceptedContainers.firstBytes(of: source, atMost: Int(size))
    var extras: CUnsignedInt = 0
    var message = [CChar](repeating: 0, count: 200)
    guard cjpeg_find_extras(bytes, bytes.count, &extras, &message) == 0 else {
      throw HoldfastError(
        .damaged, "cannot be read as a JPEG",
        detail: String(
          decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    // Those that a photo keeps have names of their own.
    let kept = (try? JPEGSegments(bytes).kept) ?? []
    var names = (0..<16).filter { extras & 1 << $0 != 0 }.map { number in
      JPEGSegments.Kept(rawValue: kept.contains(number) ? number : -1)?.name ?? "APP\(number)"
    }
    if extras & CUnsignedInt(cjpeg_comment) != 0 { names.append("COM") }
    if extras & CUnsignedInt(cjpeg_stray_bytes) != 0 { names.append("stray bytes") }
    return names
  }
}
