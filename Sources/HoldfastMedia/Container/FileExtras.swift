import CFFmpeg
import HoldfastModel

/// The parts of an MP4 that ``Muxer`` does not write. The check lists the allowed parts, because
/// those of other programs cannot be listed.
///
/// FFmpeg reads the file and reports which boxes and tags it met. It cannot report parts that it
/// does not read: bytes in `mdat` that no track refers to, bytes after the fields of a box of fixed
/// length, fewer than eight bytes at the file's end, and the content of the pictures and the sound.
enum FileExtras {
  /// Returns the names of boxes, tags and streams that the file should not have, in that order.
  static func names(in demuxer: borrowing Demuxer) throws(HoldfastError) -> [String] {
    guard demuxer.container == "mov" else { return ["\(demuxer.container) instead of MP4"] }
    guard demuxer.boxes.contains("root/moov") else {
      throw HoldfastError(
        .library, "could not be examined: this FFmpeg does not name the boxes that it reads")
    }
    let boxes = demuxer.boxes.filter { !Self.boxes.contains($0) }
    return boxes + tagNames(in: demuxer) + furtherStreams(of: demuxer)
  }

  private static func tagNames(in demuxer: borrowing Demuxer) -> [String] {
    let tags = FileMetadata.tags(of: demuxer)
    // FFmpeg gives a tag that has a language twice, with and without the language.
    let names = tags.keys.filter { name in
      !isPlain(name, tags[name] ?? "")
        && !(name.wholeMatch(of: /(.+)-[a-z]{3}/).map { tags[String($0.1)] == tags[name] } ?? false)
    }
    return names.sorted().prefix(mostTags).map { String($0.prefix(longestName)) }
  }

  private static let mostTags = 100
  private static let longestName = 100

  /// Whether a tag is one of those that every file has.
  private static func isPlain(_ name: String, _ value: String) -> Bool {
    switch name {
    case "major_brand", "minor_version", "compatible_brands", "creation_time": true
    case "handler_name": ["", "VideoHandler", "SoundHandler"].contains(value)
    case "vendor_id": ["FFMP", "[0][0][0][0]"].contains(value)
    case "language": value == "und"
    default: false
    }
  }

  private static func furtherStreams(of demuxer: borrowing Demuxer) -> [String] {
    var seen: Set<StreamInfo.Kind> = []
    var names: [String] = []
    for stream in demuxer.streams {
      let description = stream.describe(in: demuxer.context)
      let isPlain = [.video, .audio].contains(description.kind)
      if isPlain, seen.insert(description.kind).inserted { continue }
      names.append("stream \(stream.index) (\(description.kind.rawValue), \(description.codec))")
    }
    return names
  }

  /// The boxes that FFmpeg's muxers write for H.264, HEVC, AAC and ALAC (libavformat/movenc.c), and
  /// those that the picture's format needs.
  private static let boxes: Set = [
    "root/ftyp", "root/moov", "root/mdat", "root/wide (empty)", "root/free (empty)",
    "moov/mvhd", "moov/trak", "trak/tkhd", "trak/edts", "edts/elst", "trak/tapt", "trak/mdia",
    "mdia/mdhd", "mdia/hdlr", "mdia/minf", "minf/vmhd", "minf/smhd", "minf/hdlr", "minf/dinf",
    "dinf/dref", "minf/stbl",
    "stbl/stsd", "stbl/stts", "stbl/stss", "stbl/stps", "stbl/sdtp", "stbl/ctts", "stbl/cslg",
    "stbl/stsc", "stbl/stsz", "stbl/stco", "stbl/co64", "stbl/sgpd", "stbl/sbgp",
    "stsd/avcC", "stsd/hvcC", "stsd/dvcC", "stsd/dvvC", "stsd/pasp", "stsd/colr", "stsd/fiel",
    "stsd/gama", "stsd/clap", "stsd/mdcv", "stsd/clli", "stsd/btrt",
    "stsd/esds", "stsd/alac", "stsd/chan", "stsd/wave", "wave/frma", "wave/mp4a", "wave/esds",
    "wave/alac", "wave/enda", "wave/[0][0][0][0] (empty)",
    // A place for metadata, without any in it.
    "moov/udta", "udta/meta", "meta/hdlr", "meta/ilst (empty)",
  ]
}
