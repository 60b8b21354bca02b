import CFFmpeg
import CJPEG
import Glibc
import HoldfastModel

/// Writes a photo as a library keeps it: a JPEG without metadata.
///
/// A JPEG's picture data is copied. Its orientation and its colour profile stay. PNG and WebP are
/// decoded and written upright.
enum Photo {
  static func run(
    _ source: OpenMedia, output: OpenMedia, call: RunningCall
  ) throws(HoldfastError) -> PhotoReport {
    let count = try regularFileSize(source)
    guard count <= PhotoLimit.bytes else {
      throw HoldfastError(
        .tooLarge,
        "has \(count) bytes; a photo may have \(PhotoLimit.bytes / 1_000_000) MB")
    }
    let bytes = try AcceptedContainers.firstBytes(of: source, atMost: Int(count))
    if bytes.starts(with: [0xFF, 0xD8]) { return try copy(bytes, to: output) }
    return try encode(bytes, to: output, call)
  }

  // MARK: JPEG

  private static func copy(
    _ bytes: [UInt8], to output: OpenMedia
  ) throws(HoldfastError) -> PhotoReport {
    let segments = try JPEGSegments(bytes)
    guard let size = segments.size, size.width > 0, size.height > 0 else {
      throw HoldfastError(.damaged, "is a JPEG without a picture")
    }
    guard size.width * size.height <= PhotoLimit.pixels else {
      throw HoldfastError(
        .tooLarge,
        "its picture is \(size.width) × \(size.height); at most "
          + "\(PhotoLimit.pixels / 1_000_000) million pixels are accepted")
    }
    let written = segments.stripped
    // What is written is read to its end, so that a damaged photo is not kept as a good one.
    var message = [CChar](repeating: 0, count: 200)
    var hasStrayBytes = false
    guard cjpeg_check(written, written.count, &hasStrayBytes, &message) == 0 else {
      throw damaged(message)
    }
    guard hasStrayBytes else {
      try write(written, to: output)
      return PhotoReport(size: size, bytes: written.count, isCopied: true)
    }
    // A reader skips them, so anything may be in them.
    var (jpeg, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    guard cjpeg_rewrite(written, written.count, &jpeg, &count, &message) == 0, let jpeg else {
      throw damaged(message)
    }
    defer { free(jpeg) }
    try output.write(UnsafeRawBufferPointer(start: jpeg, count: count))
    return PhotoReport(size: size, bytes: count, isCopied: true)
  }

  private static func damaged(_ message: [CChar]) -> HoldfastError {
    HoldfastError(.damaged, "cannot be read as a JPEG; it is damaged", detail: text(message))
  }

  private static func write(_ bytes: [UInt8], to output: OpenMedia) throws(HoldfastError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(HoldfastError) in try output.write(buffer) }
    }
    try result.get()
  }

  private static func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  // MARK: Other formats

  private static func encode(
    _ bytes: [UInt8], to output: OpenMedia, _ call: RunningCall
  ) throws(HoldfastError) -> PhotoReport {
    let codec = try codec(of: bytes)
    // WebP names its size in three ways, so memory is asked for as for the largest picture.
    call.willDecode(pixels: PictureLimit.pixels)
    let frame = try decode(bytes, as: codec)
    let picture = frame.pointer
    try PictureLimit.check(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height))
    call.step()
    let block = codec == AV_CODEC_ID_PNG ? Exif.block(inPNG: bytes) : Exif.block(inWebP: bytes)
    let upright = try makeUpright(
      picture, stored: Orientation(exif: block.flatMap(Exif.orientation) ?? 1))
    call.step()
    let made = upright.pointer
    let profile = Self.profile(of: picture)
    var (jpeg, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    var message = [CChar](repeating: 0, count: 200)
    let result = cjpeg_compress_rgb(
      made.pointee.data.0, made.pointee.linesize.0, made.pointee.width, made.pointee.height,
      PhotoLimit.quality, profile, profile.count, &jpeg, &count, &message)
    guard result == 0, let jpeg else {
      throw HoldfastError(.library, "libjpeg could not write the photo", detail: text(message))
    }
    defer { free(jpeg) }
    try output.write(UnsafeRawBufferPointer(start: jpeg, count: count))
    let size = PictureSize(width: Int(made.pointee.width), height: Int(made.pointee.height))
    return PhotoReport(size: size, bytes: count, isCopied: false)
  }

  private static func codec(of bytes: [UInt8]) throws(HoldfastError) -> AVCodecID {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      return AV_CODEC_ID_PNG
    }
    guard bytes.count >= 12 else { throw unknown }
    if bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
      return AV_CODEC_ID_WEBP
    }
    if bytes[4..<8].elementsEqual("ftyp".utf8) {
      // A phone's HEIC consists of tiles, which FFmpeg does not put together.
      throw HoldfastError(
        .notAccepted, "is a HEIC or AVIF, or a video; convert a photo to JPEG")
    }
    throw unknown
  }

  private static let unknown = HoldfastError(
    .notAccepted, "is not a JPEG, PNG or WebP; convert it to JPEG")

  /// Decodes a file that is a single packet.
  private static func decode(
    _ bytes: [UInt8], as codec: AVCodecID
  ) throws(HoldfastError) -> Frame {
    let found = try check(avcodec_find_decoder(codec), "find a decoder for the photo")
    let context = try check(avcodec_alloc_context3(found), "allocate a decoder")
    defer { release(context) { avcodec_free_context($0) } }
    context.pointee.thread_count = 1
    context.pointee.max_pixels = Int64(PictureLimit.pixels)
    context.pointee.err_recognition |= AV_EF_CRCCHECK
    try check(avcodec_open2(context, found, nil), "open the photo's decoder")
    let packet = try Packet()
    try check(av_new_packet(packet.pointer, CInt(bytes.count)), "read the photo")
    bytes.withUnsafeBytes { buffer in
      if let base = buffer.baseAddress { memcpy(packet.pointer.pointee.data, base, buffer.count) }
    }
    let frame = try Frame()
    let sent = avcodec_send_packet(context, packet.pointer)
    if sent >= 0 { avcodec_send_packet(context, nil) }
    guard sent >= 0, avcodec_receive_frame(context, frame.pointer) >= 0 else {
      throw HoldfastError(
        .damaged,
        "cannot be decoded: it is damaged, animated, or larger than "
          + "\(PictureLimit.pixels / 1_000_000) million pixels; convert it to JPEG",
        detail: String(cString: cff_log_last()).escapedForDisplay)
    }
    return frame
  }

  /// Returns a copy with 8 bits each of red, green and blue, on white where it was transparent.
  private static func makeUpright(
    _ picture: UnsafeMutablePointer<AVFrame>, stored orientation: Orientation
  ) throws(HoldfastError) -> Frame {
    picture.pointee.pts = 0
    let chain = PictureFilters.photo(
      FrameShape(picture, of: nil), turned: orientation)
    let filters = try FilterGraph(chain, for: picture, timeBase: AVRational(num: 1, den: 25))
    let filtered = try Frame()
    let made = try Frame()
    let target = made.pointer
    // The filters take the frame, whose profile is still needed.
    let copy = try Frame()
    try check(av_frame_ref(copy.pointer, picture), "decode the photo")
    func keep(_ frame: UnsafeMutablePointer<AVFrame>) {
      if target.pointee.width == 0 { av_frame_move_ref(target, frame) }
    }
    try filters.filter(copy.pointer, into: filtered.pointer, keep)
    if target.pointee.width == 0 { try filters.filter(nil, into: filtered.pointer, keep) }
    guard target.pointee.width > 0 else {
      throw HoldfastError(.library, "the filters gave no picture")
    }
    return made
  }

  /// Returns the colour profile of pictures whose values stay as they are.
  private static func profile(of picture: UnsafeMutablePointer<AVFrame>) -> [UInt8] {
    let colour = FrameColour(picture)
    guard colour.isRGB, !colour.isHDR, !colour.isWideGamut,
      let data = av_frame_get_side_data(picture, AV_FRAME_DATA_ICC_PROFILE),
      data.pointee.size <= 1 << 20
    else { return [] }
    return Array(UnsafeBufferPointer(start: data.pointee.data, count: data.pointee.size))
  }
}

extension Orientation {
  /// Returns the orientation for a value of Exif's tag; upright for a value that it does not name.
  fileprivate init(exif value: Int) {
    self =
      switch value {
      case 2: Orientation(clockwise: 0, isMirrored: true)
      case 3: Orientation(clockwise: 180)
      case 4: Orientation(clockwise: 180, isMirrored: true)
      case 5: Orientation(clockwise: 270, isMirrored: true)
      case 6: Orientation(clockwise: 90)
      case 7: Orientation(clockwise: 90, isMirrored: true)
      case 8: Orientation(clockwise: 270)
      default: .upright
      }
  }
}
