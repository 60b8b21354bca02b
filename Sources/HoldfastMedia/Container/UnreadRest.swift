import Glibc
import HoldfastModel

/// Finds a second recording behind the first one of a file, as when two files were joined. FFmpeg
/// reads only the first, without a word, or takes what marks the second for sound.
///
/// But for AMR, only the names and sizes of a file's outermost chunks are read. In an MP4, those
/// are its boxes.
struct UnreadRest {
  /// The form of a container's chunks.
  private struct Form {
    /// The bytes before the first chunk.
    var start: Int64
    var nameLength = 4
    var sizeLength = 4
    var isBigEndian = true
    /// Whether a chunk's size counts its name and its size.
    var countsHeader = false
    /// Whether a chunk of an odd size is followed by an empty byte.
    var isPadded = false
    /// The chunks that a file has once. If one comes again, it is another recording's.
    var single: Set<[UInt8]>
    /// The names with which the file itself begins.
    var files: Set<String> = []
    /// Whether names are letters, so that anything else is not a chunk.
    var hasWords = true
    /// Whether a chunk's size comes before its name, as in an MP4.
    var isSizeFirst = false

    /// The least size that stands for an unknown one.
    var unknown: UInt64 { sizeLength == 8 ? 1 << 63 : 0xFFFF_FFFF }
  }

  /// The first bytes of ASF's header object (ASF specification, 10.1).
  private static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  /// Fewer bytes than this behind the last chunk are tags, or a writer's mistake.
  private static let least: Int64 = 4096
  private static let mostChunks = 4096

  private static func form(of container: String) -> Form? {
    func names(_ words: String...) -> Set<[UInt8]> { Set(words.map { Array($0.utf8) }) }
    return switch container {
    case "wav":
      Form(
        start: 12, isBigEndian: false, isPadded: true, single: names("data"),
        files: ["RIFF", "RIFX", "RF64"])
    case "aiff": Form(start: 12, isPadded: true, single: names("SSND"), files: ["FORM"])
    case "caf": Form(start: 8, sizeLength: 8, single: names("data"), files: ["caff"])
    case "mov": Form(start: 0, countsHeader: true, single: names("moov"), isSizeFirst: true)
    case "asf":
      Form(
        start: 0, nameLength: 16, sizeLength: 8, isBigEndian: false, countsHeader: true,
        single: [header], hasWords: false)
    default: nil
    }
  }

  /// Returns a clause about the rest of the file that is not read; `nil` if there is none.
  static func find(in source: OpenMedia, _ container: String, size: Int64) -> String? {
    if container == "amr" {
      return AMRFrames.areJoined(source)
        ? "another recording follows in it, and is garbled where it begins" : nil
    }
    guard let form = form(of: container) else { return nil }
    var seen: Set<[UInt8]> = []
    var rest: String?
    walk(source, as: form) { chunk in
      let isWord = chunk.name.allSatisfy { (0x20..<0x7F).contains($0) }
      let isAgain = form.single.contains(chunk.name) && !seen.insert(chunk.name).inserted
      let isFile = form.files.contains(word(chunk.name)) && chunk.place > form.start
      let bytes = size - chunk.place
      if isAgain || isFile, form.countsHeader || bytes >= least {
        rest = "another recording follows in it, which is not read"
      } else if form.hasWords, !isWord {
        if bytes >= least, !isEmpty(source, at: chunk.place) {
          rest = "\(bytes) bytes after its sound are not read"
        }
        return false
      }
      return rest == nil
    }
    return rest
  }

  /// Whether the sound of a WAV, an AIFF or a CAF goes on to the file's end, because its size was
  /// never written: a recorder that streams does not know it.
  static func isOpenEnded(_ source: OpenMedia, _ container: String) -> Bool {
    guard ["wav", "aiff", "caf"].contains(container), let form = form(of: container) else {
      return false
    }
    var isOpen = false
    walk(source, as: form) { chunk in
      guard ["data", "SSND"].contains(word(chunk.name)) else { return true }
      isOpen = chunk.length == 0 || chunk.length >= form.unknown
      return false
    }
    return isOpen
  }

  private struct Chunk {
    var name: [UInt8]
    /// Where it begins, in bytes from the file's beginning.
    var place: Int64
    /// How many bytes it has, as it says itself.
    var length: UInt64
  }

  /// Calls `body` with each chunk until it returns `false`, or a chunk ends behind the file.
  private static func walk(_ source: OpenMedia, as form: Form, body: (Chunk) -> Bool) {
    var place = form.start
    let width = form.nameLength + form.sizeLength
    for _ in 0..<mostChunks {
      guard let bytes = read(source, at: place, count: width) else { return }
      let name = Array(form.isSizeFirst ? bytes[form.sizeLength...] : bytes[..<form.nameLength])
      let digits = form.isSizeFirst ? bytes[..<form.sizeLength] : bytes[form.nameLength...]
      var length = number(form.isBigEndian ? Array(digits) : digits.reversed())
      var header = Int64(width)
      if form.isSizeFirst, length == 1, let long = read(source, at: place + header, count: 8) {
        length = number(long)
        header += 8
      }
      guard body(Chunk(name: name, place: place, length: length)) else { return }
      let whole = Int64(clamping: length)
      let content = form.countsHeader ? whole - header : whole
      // A chunk of unknown size goes on to the file's end.
      guard content >= 0, content < 1 << 60, !form.single.contains(name) || content > 0 else {
        return
      }
      place += header + content + (form.isPadded ? content & 1 : 0)
    }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func word(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  private static func isEmpty(_ source: OpenMedia, at place: Int64) -> Bool {
    read(source, at: place, count: Int(least))?.allSatisfy { $0 == 0 } ?? true
  }

  private static func read(_ source: OpenMedia, at place: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(source.descriptor, &bytes, count, off_t(place)) == count ? bytes : nil
  }
}
