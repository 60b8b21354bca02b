import CFFmpeg
import Glibc
import HoldfastModel

/// The containers that are accepted, and the reasons for which other files are refused.
enum AcceptedContainers {
  /// The names of FFmpeg's demuxers for the containers that docs/media.md lists.
  ///
  /// To add a container:
  ///
  /// 1. Add its name here and in `docs/media.md`, and a line in `CHANGELOG.md`.
  /// 2. Make a fixture in `scripts/make-fixtures`. Describe it in `fixtures/README.md`, and add its
  ///    row to `fixtures/MANIFEST.tsv`.
  /// 3. Add the fixture to the list in `HostileTests.mutations`.
  /// 4. Check each place that compares a `container` with a name.
  /// 5. See that `NotMedia`, the extensions that a walk of a folder skips, does not have its own.
  static let demuxers: Set<String> = [
    "mov", "matroska", "ogg", "wav", "caf", "aiff", "amr", "amrnb", "amrwb", "mp3", "aac", "flac",
    "avi", "asf", "mpegts",
  ]

  /// Returns the first of a demuxer's names, such as `mov` of `mov,mp4,m4a,3gp,3g2,mj2`.
  static func name(of format: UnsafePointer<AVInputFormat>) -> String {
    String(String(cString: format.pointee.name).prefix { $0 != "," })
  }

  /// Returns the container's name if FFmpeg recognised an accepted one. The error tells a person
  /// why the file is refused.
  static func accept(_ format: UnsafePointer<AVInputFormat>) throws(HoldfastError) -> String {
    let name = name(of: format)
    if demuxers.contains(name) { return name }
    let what =
      switch name {
      case "hls", "applehttp", "dash", "concat", "imf":
        "is a playlist, which only points at other files; import those"
      case "sdp", "rtsp", "rtp": "is a session description, which only points at a stream"
      case "webvtt", "srt", "ass", "subviewer", "microdvd", "sami", "ttml", "lrc", "tedcaptions":
        "holds subtitles only"
      case "gif", "apng", "webp", "webp_pipe", "avif", "jpegxl_anim":
        "is a picture or an animation without sound; convert an animation to MP4 to import it"
      case "image2", "ico", "iff": "is a still image, not a recording"
      case let pipe where pipe.hasSuffix("_pipe"): "is a still image, not a recording"
      default:
        "is in a format that Holdfast does not accept "
          + "(\(format.pointee.long_name.map { String(cString: $0) } ?? name)); convert it to MP4"
      }
    throw HoldfastError(.notAccepted, what)
  }

  /// Refuses a file by its first bytes, before FFmpeg reads it. These are kinds that FFmpeg would
  /// open as something else, or follow to another file.
  static func refuseByFirstBytes(_ bytes: [UInt8]) throws(HoldfastError) {
    if bytes.starts(with: Array("#EXTM3U".utf8)) || bytes.starts(with: Array("ffconcat ".utf8)) {
      throw HoldfastError(
        .notAccepted, "is a playlist, which only points at other files; import those")
    }
    if bytes.starts(with: Array("v=0\r\n".utf8)) || bytes.starts(with: Array("v=0\no=".utf8)) {
      throw HoldfastError(.notAccepted, "is a session description, which only points at a stream")
    }
    // HEIF and AVIF are ISO base media files (ISO/IEC 23008-12 §10.2), so FFmpeg opens them as mov.
    if bytes.count >= 12, Array(bytes[4..<8]) == Array("ftyp".utf8) {
      let brand = String(decoding: bytes[8..<12], as: UTF8.self)
      let stillBrands: Set = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis",
        "avio", "jxl ",
      ]
      let sequenceBrands: Set = ["hevc", "hevx", "msf1", "avis"]
      if stillBrands.contains(brand) {
        let what = sequenceBrands.contains(brand) ? "an image sequence" : "a still image"
        throw HoldfastError(
          .notAccepted, "is \(what) (\(brand.escapedForDisplay)), not a recording")
      }
    }
  }

  static func unrecognised(_ bytes: [UInt8]) -> HoldfastError {
    if bytes.allSatisfy({ $0 == 0 }) {
      return HoldfastError(.notAccepted, "holds nothing but zeros; copy it from the phone again")
    }
    if bytes.starts(with: Array("ID3".utf8)) {
      return HoldfastError(.nothingToPlay, "holds tags or cover art, but no sound")
    }
    let isText = !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    if isText { return HoldfastError(.notAccepted, "is text, not a recording") }
    return HoldfastError(
      .damaged, "cannot be opened as audio or video; it is damaged, cut off, or not a recording")
  }

  /// Returns the first bytes of a file, up to `most`.
  static func firstBytes(
    of media: OpenMedia, atMost most: Int = 4096
  ) throws(HoldfastError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    var done = 0
    while done < most {
      let count = bytes.withUnsafeMutableBytes {
        pread(media.descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw HoldfastError(systemError: errno, as: .inputRefused, operation: "read")
      }
      if count == 0 { break }
      done += count
    }
    return Array(bytes.prefix(done))
  }
}
