import Foundation

/// Numbered media files that are damaged or malicious.
///
/// A mutant depends only on its number and the series' seed, as long as the files that mutants are
/// made from stay the same: both numbers reproduce the mutant.
public struct MediaMutants: Sendable {
  /// One mutant.
  public struct Mutant: Sendable {
    /// The file's bytes.
    public var bytes: [UInt8]
    /// The extension of the file that it was made from.
    public var fileExtension: String
    /// The path of that file.
    public var origin: String
    /// Further random numbers for this mutant.
    public var random: SeededNumbers
  }

  /// Larger files would only take longer.
  private static let largestFile = 250_000

  private let seed: UInt64
  /// The files that mutants are made from, one list for each extension.
  private let kinds: [[String]]

  /// Begins a series, of the fixtures and of the corpus if there is one.
  public init(seed: UInt64) {
    self.seed = seed
    let paths = Self.files(in: Repository.root + "/fixtures") + Self.files(in: Corpus.folder)
    kinds = Dictionary(grouping: paths) { Self.fileExtension(of: $0) }
      .sorted { $0.key < $1.key }.map(\.value)
  }

  /// Makes a mutant.
  ///
  /// - Parameter number: Its number in the series, from 1.
  /// - Throws: When one of the files cannot be read.
  public func mutant(_ number: Int) throws -> Mutant {
    // The generator's own step between neighbours would make their numbers overlap.
    var start = SeededNumbers(seed: seed)
    var random = SeededNumbers(seed: start.next() ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
    let origin = file(&random)
    let other = try contents(of: file(&random))
    let kind = Self.fileExtension(of: origin)
    var mutation = Mutation(
      of: try contents(of: origin), format: .media, random: SeededNumbers(seed: random.next()))
    mutation.change(splicing: other)
    var bytes = mutation.bytes
    // Readers skip pages with a wrong checksum, and would never see half of them.
    if random.next().isMultiple(of: 2) { OggPages.correctChecksums(&bytes) }
    return Mutant(bytes: bytes, fileExtension: kind, origin: origin, random: random)
  }

  private func file(_ random: inout SeededNumbers) -> String {
    // Rare kinds are as frequent as common ones, and so are fields that are in many files.
    let isAnyFile = Bool.random(using: &random)
    let files =
      isAnyFile ? kinds.flatMap(\.self) : kinds[Int.random(in: kinds.indices, using: &random)]
    return files[Int.random(in: files.indices, using: &random)]
  }

  private func contents(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  private static func files(in folder: String?) -> [String] {
    guard let folder, let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    return names.compactMap { $0 as? String }.filter { name in
      guard !["md", "tsv"].contains(fileExtension(of: name)),
        let values = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)"),
        values[.type] as? FileAttributeType == .typeRegular, let size = values[.size] as? Int
      else { return false }
      return (1...largestFile).contains(size)
    }.sorted().map { "\(folder)/\($0)" }
  }

  private static func fileExtension(of path: String) -> String {
    URL(filePath: path).pathExtension.lowercased()
  }
}

extension Mutation.Format {
  /// Every container that Holdfast imports.
  static let media = Mutation.Format(
    landmarks: names.map { Array($0.utf8) } + identifiers, reach: -8...48, pieces: numbers)

  /// Types of boxes, chunks, pages and blocks, as text.
  private static let names =
    """
    ftyp moov mvhd trak tkhd edts elst mdia mdhd hdlr minf vmhd smhd dinf dref stbl stsd stts ctts \
    stsc stsz stz2 stco co64 stss sgpd sbgp udta meta keys ilst data mvex mehd trex moof mfhd traf \
    tfhd tfdt trun sidx mfra tfra mdat free avc1 avcC hvc1 hev1 hvcC mp4a esds wave chan colr pasp \
    clap fiel alac samr damr vp09 vpcC Opus dOps sinf schi tenc apch twos sowt gmhd tmcd \
    RIFF RF64 ds64 WAVE AVI LIST hdrl avih strl strh strf indx movi idx1 00dc 01wb odml dmlh INFO \
    fmt fact bext FORM AIFF AIFC COMM SSND FVER caff desc pakt kuki chan \
    OggS OpusHead OpusTags vorbis theora FLAC fLaC Speex ID3 APIC TXXX Xing Info VBRI LAME TAG #!AMR
    """.split(separator: " ").map(String.init)

  /// Elements of EBML, objects of ASF, start codes of MPEG and H.264, headers of frames.
  private static let identifiers: [[UInt8]] = [
    [0x1A, 0x45, 0xDF, 0xA3], [0x18, 0x53, 0x80, 0x67], [0x11, 0x4D, 0x9B, 0x74],
    [0x15, 0x49, 0xA9, 0x66], [0x16, 0x54, 0xAE, 0x6B], [0x1F, 0x43, 0xB6, 0x75],
    [0x1C, 0x53, 0xBB, 0x6B], [0x19, 0x41, 0xA4, 0x69], [0x12, 0x54, 0xC3, 0x67],
    [0x2A, 0xD7, 0xB1], [0x44, 0x89], [0x22, 0xB5, 0x9C], [0x63, 0xA2], [0x73, 0xC5],
    [0x23, 0xE3, 0x83], [0x56, 0xAA], [0x56, 0xBB], [0x75, 0xA2], [0x42, 0x82], [0x4D, 0x80],
    [0x30, 0x26, 0xB2, 0x75], [0xA1, 0xDC, 0xAB, 0x8C], [0x91, 0x07, 0xDC, 0xB7],
    [0x36, 0x26, 0xB2, 0x75], [0xB5, 0x03, 0xBF, 0x5F], [0x90, 0x08, 0x00, 0x33],
    [0x00, 0x00, 0x01, 0xE0], [0x00, 0x00, 0x01, 0xC0], [0x00, 0x00, 0x01, 0x67],
    [0x00, 0x00, 0x01, 0x68], [0x00, 0x00, 0x01, 0x65], [0x00, 0x00, 0x01, 0xBA],
    [0x47, 0x40], [0x47, 0x41], [0xFF, 0xF1], [0xFF, 0xF9], [0xFF, 0xFB], [0xFF, 0xF8],
  ]

  /// The limits of integers of all widths in both byte orders, of floating-point numbers, and of
  /// EBML's.
  private static let numbers: [[UInt8]] = {
    let extremes: [UInt64] = [
      0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0xFF_FFFF, 0x4000_0000,
      0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF,
      0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFE, .max, Double.infinity.bitPattern,
      Double.nan.bitPattern, Double.greatestFiniteMagnitude.bitPattern, (-1.0).bitPattern,
    ]
    let whole = extremes.flatMap { value -> [[UInt8]] in
      [1, 2, 3, 4, 8].flatMap { width -> [[UInt8]] in
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return width == 1 ? [bytes] : [bytes, bytes.reversed()]
      }
    }
    // Lengths of unknown size, of nothing, and of nearly everything (RFC 8794, 6.2).
    let unknown: [UInt8] = [0x01] + Array(repeating: 0xFF, count: 7)
    return whole + [unknown, [0x80], [0x08, 0xFF], [0x10, 0, 0, 0]]
  }()
}

/// Ogg's pages (RFC 3533, 6).
enum OggPages {
  private static let capture = Array("OggS".utf8)
  /// The table of results for the top eight bits of a sum.
  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) -> UInt32 in
    (0..<8).reduce(byte << 24) { (sum: UInt32, _) -> UInt32 in
      let doubled: UInt32 = sum << 1
      return sum & 0x8000_0000 == 0 ? doubled : doubled ^ 0x04C1_1DB7
    }
  }

  /// Gives each page the checksum that its bytes have.
  static func correctChecksums(_ bytes: inout [UInt8]) {
    var start = 0
    while start + 27 <= bytes.count, bytes[start..<start + 4].elementsEqual(capture) {
      let segments = Int(bytes[start + 26])
      guard start + 27 + segments <= bytes.count else { return }
      let body = bytes[start + 27..<start + 27 + segments].reduce(0) { $0 + Int($1) }
      let end = start + 27 + segments + body
      guard end <= bytes.count else { return }
      for place in start + 22..<start + 26 { bytes[place] = 0 }
      let checksum = checksum(of: bytes[start..<end])
      for byte in 0..<4 {
        bytes[start + 22 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte))
      }
      start = end
    }
  }

  private static func checksum(of page: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for byte in page { sum = sum << 8 ^ table[Int(sum >> 24) ^ Int(byte)] }
    return sum
  }
}
