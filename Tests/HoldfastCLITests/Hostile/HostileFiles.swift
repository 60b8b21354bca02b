import HoldfastTestSupport
import Testing

/// A media file that was crafted to do harm.
struct HostileFile: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Words of its refusal; `nil` if it is imported, empty if either is right.
  var words: String?
  var bytes: @Sendable () async throws -> [UInt8]

  init(
    _ name: String, _ words: String?,
    bytes: @escaping @Sendable () async throws -> [UInt8]
  ) {
    testDescription = name
    self.words = words
    self.bytes = bytes
  }

  static let all = counts + loops + claims + bombs

  private static let million = 1_000_000
  /// Words of a refusal for a header's contents, or for its reading time.
  private static let tooMuch = "it is damaged, or not a recording"

  /// A million repetitions.
  private static let counts = [
    HostileFile("a million empty tracks.mov", "more than 128 streams") {
      QuickTime.file(
        QuickTime.movieHeader(), QuickTime.Track().bytes,
        Bytes.repeated(QuickTime.box("trak"), million))
    },
    HostileFile("20,000 whole tracks.mov", "more than 128 streams") {
      QuickTime.file(
        QuickTime.movieHeader(),
        Bytes.many(20_000) {
          var track = QuickTime.Track()
          track.id = UInt32($0 + 1)
          return track.bytes
        })
    },
    HostileFile("128 tracks of large pictures.mov", "") {
      QuickTime.file(
        QuickTime.movieHeader(),
        Bytes.many(128) {
          var track = QuickTime.Track()
          track.kind = "vide"
          track.id = UInt32($0 + 1)
          track.description = QuickTime.picture("avc1", width: 8192, height: 4880)
          track.samples = (10, 1000)
          return track.bytes
        })
    },
    // FFmpeg 7 skips identical tracks.
    HostileFile("20,000 tracks.mkv", FFmpegRelease.major < 7 ? "more than 128 streams" : nil) {
      let track = Matroska.picture("V_MPEG4/ISO/AVC", width: 1920, height: 1080)
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound(), Bytes.repeated(track, 20_000)),
        Matroska.twoSeconds)
    },
    HostileFile("a million tracks.mkv", "") {
      Matroska.file(
        Matroska.information(),
        Matroska.tracks(Matroska.sound(), Bytes.repeated([0xAE, 0x80], million)),
        Matroska.twoSeconds)
    },
    HostileFile("a million attachments.mkv", "") {
      let attachment = Matroska.element(
        0x61A7, Matroska.element(0x466E, [0x61]), Matroska.element(0x465C, [0]),
        Matroska.number(0x46AE, 1 as UInt8))
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound()),
        Matroska.element(0x1941_A469, Bytes.repeated(attachment, million)), Matroska.twoSeconds)
    },
    HostileFile("100 streams.avi", nil) { AVI.file(streams: 100) },
    HostileFile("100,000 streams.avi", "") { AVI.file(streams: 100_000) },
    HostileFile("a million chapters.mkv", "") { chapters { UInt32($0 + 1) } },
    HostileFile("a million chapters backwards.mkv", "") {
      chapters { UInt32(million - $0) }
    },
    HostileFile("a million chapters of a track.mov", tooMuch) {
      var sound = QuickTime.Track()
      sound.more = QuickTime.box("tref", QuickTime.box("chap", [0, 0, 0, 2]))
      var text = QuickTime.Track()
      (text.kind, text.id, text.samples) = ("text", 2, (UInt32(million), 4))
      text.description = QuickTime.box("text", [0, 0, 0, 0, 0, 0, 0, 1], Bytes.zeros(43))
      text.chunks = ([QuickTime.mediaOffset + 65536], UInt32(million))
      return QuickTime.file(
        QuickTime.movieHeader(), sound.bytes, text.bytes,
        media: [UInt8](repeating: 0xD5, count: 65536)
          + Bytes.repeated([0, 2, 0x61, 0x62], million))
    },
    HostileFile("a million chapters of Nero's.mov", nil) {
      let chapters = Bytes.many(255) { Bytes.big(UInt64($0) * 10_000) + [1, 0x61] }
      let box = QuickTime.fullBox("chpl", version: 1, [0, 0, 0, 0, 255] + chapters)
      return QuickTime.file(
        QuickTime.movieHeader(), QuickTime.Track().bytes,
        QuickTime.box("udta", Bytes.repeated(box, million / 255)))
    },
    HostileFile("a million chapters.mp3", "") {
      ID3.file(
        Bytes.many(million) {
          ID3.frame("CHAP", Bytes.big(UInt32($0) | 1 << 30) + [0] + Bytes.zeros(16))
        })
    },
    HostileFile("a million tags.mkv", "") {
      let key = Matroska.header(0x45A3, length: 4)
      let value = Matroska.element(0x4487, [0x78])
      let start = Matroska.header(0x67C8, length: UInt64(key.count + 4 + value.count)) + key
      let tags = Bytes.many(million) { start + Bytes.big(UInt32($0) | 0x4000_4040) + value }
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound()),
        Matroska.element(0x1254_C367, Matroska.element(0x7373, tags)), Matroska.twoSeconds)
    },
    HostileFile("a million tags.mp3", "") {
      ID3.file(
        Bytes.many(million) { ID3.frame("TXXX", [0] + Array("\($0)".utf8) + [0, 0x78]) })
    },
    HostileFile("a million tags.flac", "") {
      let tags = Bytes.many(million) { Bytes.little(8 as UInt32) + Array("\(million + $0)=".utf8) }
      return FLAC.file(comments: Bytes.zeros(4) + Bytes.little(UInt32(million)) + tags)
    },
    HostileFile("a million pictures.mp3", "") {
      ID3.file(Bytes.repeated(ID3.picture(Bytes.zeros(20)), million))
    },
    HostileFile("four million blocks.mkv", "gives out more than it can hold") {
      let cluster = Matroska.cluster(
        Bytes.repeated(Matroska.block(at: 0, [255] + Bytes.repeated([1], 256), flags: 0x84), 1000))
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound()), Bytes.repeated(cluster, 20))
    },
  ]

  private static func chapters(_ identifier: (Int) -> UInt32) -> [UInt8] {
    let key = Matroska.header(0x73C4, length: 4)
    let rest = Matroska.number(0x91, 1000 as UInt32)
    let start = Matroska.header(0xB6, length: UInt64(key.count + 4 + rest.count)) + key
    let all = Bytes.many(million) { start + Bytes.big(identifier($0)) + rest }
    return Matroska.file(
      Matroska.information(), Matroska.tracks(Matroska.sound()),
      Matroska.element(0x1043_A770, Matroska.element(0x45B9, all)), Matroska.twoSeconds)
  }

  /// Items that a demuxer keeps sorted, in the worst order.
  private static let loops = [
    // Not a million: reading them takes nearly a header's limit, or more on a slow machine.
    HostileFile("an index backwards.mkv", nil) {
      let count = 300_000
      let time = Matroska.header(0xB3, length: 4)
      let rest = Matroska.element(
        0xB7, Matroska.number(0xF7, 1 as UInt8), Matroska.number(0xF1, 100 as UInt8))
      let start = Matroska.header(0xBB, length: UInt64(time.count + 4 + rest.count)) + time
      let cues = Bytes.many(count) { start + Bytes.big(UInt32(count - $0)) + rest }
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound()),
        Matroska.element(0x1C53_BB6B, cues), Matroska.twoSeconds)
    },
    HostileFile("a million keyframes backwards.mkv", "") {
      Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound()),
        Bytes.many(1000) { cluster in
          Matroska.cluster(
            at: UInt32(1000 - cluster) * 1000,
            Bytes.many(1000) { Matroska.block(at: Int16(1000 - $0), [1, 2]) })
        })
    },
  ]

  /// Headers with impossible claims.
  private static let claims =
    [
      HostileFile("a duration of 2^63.mov", nil) {
        var track = QuickTime.Track()
        track.duration = UInt64(Int64.max)
        return QuickTime.file(QuickTime.movieHeader(duration: UInt64(Int64.max)), track.bytes)
      },
      HostileFile("an edit of 2^63.mov", "") {
        var track = QuickTime.Track()
        let times = Bytes.big(Int64.max) + Bytes.big(Int64.max)
        track.more = QuickTime.box(
          "edts", QuickTime.fullBox("elst", version: 1, [0, 0, 0, 1] + times + [0, 1, 0, 0]))
        return QuickTime.file(QuickTime.movieHeader(duration: UInt64(Int64.max)), track.bytes)
      },
      HostileFile("samples of 2^31 ticks.mov", "") {
        var track = QuickTime.Track()
        (track.ticks, track.timeScale) = (UInt32(Int32.max), 1)
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      },
      HostileFile("a million edits.mov", "") {
        var track = QuickTime.Track()
        let edits = Bytes.repeated([0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0], million)
        track.more = QuickTime.box(
          "edts", QuickTime.fullBox("elst", Bytes.big(UInt32(million)) + edits))
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      },
      HostileFile("22 million samples in no bytes.mov", "") {
        var track = QuickTime.Track()
        track.description = QuickTime.sound("mp4a", channels: 2, rate: 48_000)
        (track.samples, track.chunks.samples) = ((21 << 20, 1), 21 << 20)
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      },
      HostileFile("22 million samples in no bytes, eight times.mov", "") {
        QuickTime.file(
          QuickTime.movieHeader(),
          Bytes.many(8) {
            var track = QuickTime.Track()
            track.id = UInt32($0 + 1)
            track.description = QuickTime.sound("mp4a", channels: 2, rate: 48_000)
            (track.samples, track.chunks.samples) = ((21 << 20, 1), 21 << 20)
            return track.bytes
          })
      },
      HostileFile("the same bytes four million times.mov", "gives out more than it can hold") {
        var track = QuickTime.Track()
        track.description = QuickTime.sound("mp4a", channels: 2, rate: 48_000)
        (track.samples, track.ticks) = ((4 << 20, 1), 1024)
        track.chunks = ([UInt32](repeating: QuickTime.mediaOffset, count: 64), 1 << 16)
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      },
      HostileFile("a large sample 65,536 times.mov", "gives out more than it can hold") {
        var track = QuickTime.Track()
        track.description = QuickTime.sound("mp4a", channels: 2, rate: 48_000)
        track.samples = (1 << 16, 60_000)
        track.chunks = ([UInt32](repeating: QuickTime.mediaOffset, count: 1 << 16), 1)
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      },
      HostileFile("a segment of 2^56.mkv", nil) {
        Array(Matroska.file().dropLast(12)) + Matroska.header(0x1853_8067, length: (1 << 56) - 2)
          + Matroska.information() + Matroska.tracks(Matroska.sound()) + Matroska.twoSeconds
      },
      HostileFile("a codec's data of 2^31.mkv", "") {
        let data = Matroska.header(0x63A2, length: 0x7FFF_0000) + Bytes.zeros(100)
        return Matroska.file(
          Matroska.information(), Matroska.tracks(Matroska.sound("A_AAC", data)),
          Matroska.twoSeconds)
      },
    ]
    + [
      ("not a number", Double.nan), ("infinite", .infinity), ("1e308", 1e308), ("-1e300", -1e300),
      ("2^63", 0x1p63),
    ].map { name, duration in
      HostileFile("a duration that is \(name).mkv", nil) {
        Matroska.file(
          Matroska.information(Matroska.fraction(0x4489, duration)),
          Matroska.tracks(Matroska.sound()), Matroska.twoSeconds)
      }
    }
    + [
      "apcn", "avc1", "hvc1", "png ", "jpeg", "rle ", "SVQ3", "vp09", "vp08", "av01", "raw ",
      "cvid", "smc ", "8BPS", "mjp2", "CFHD", "rpza", "v210", "tga ", "FFV1", "m2v1", "Hap1",
    ].map { codec in
      HostileFile("\(codec) of 65,535 × 65,535.mov", "its picture is 65535 × 65535") {
        var track = QuickTime.Track()
        track.kind = "vide"
        track.description = QuickTime.picture(codec, width: 65535, height: 65535)
        track.samples = (10, 100)
        return QuickTime.file(QuickTime.movieHeader(), track.bytes)
      }
    }
    + [
      "V_MPEG4/ISO/AVC", "V_MPEGH/ISO/HEVC", "V_VP8", "V_VP9", "V_AV1", "V_MPEG4/ISO/ASP",
      "V_MPEG2", "V_MJPEG", "V_THEORA", "V_FFV1", "V_PRORES", "V_UNCOMPRESSED",
    ].map { codec in
      let file = codec.replacing("/", with: "-")
      return HostileFile("\(file) of 65,535 × 65,535.mkv", "its picture is 65535 × 65535") {
        Matroska.file(
          Matroska.information(),
          Matroska.tracks(Matroska.picture(codec, width: 65535, height: 65535)),
          Matroska.twoSeconds)
      }
    }
    + [
      HostileFile("a picture of 65,535 × 65,535.avi", "its picture is 65535 × 65535") {
        AVI.file(width: 65535, height: 65535)
      },
      HostileFile("a cover of 65,535 × 65,535.mp3", nil) {
        ID3.file(ID3.picture(PNG.start(width: 65535, height: 65535)))
      },
    ]

  /// Data that grow when they are unpacked.
  private static let bombs = [
    HostileFile("blocks that inflate a thousandfold.mkv", "gives out more than it can hold") {
      // 9 MB of zeros, over and over, as RFC 1950 and RFC 1951 have them.
      let block = try await Matroska.block(at: 0, Zlib.zeros(9 << 20))
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound("A_PCM/INT/LIT", zlib)),
        Matroska.cluster(Bytes.repeated(block, 300)))
    },
    HostileFile("a block that inflates to 200 MB.mkv", "") {
      let block = try await Matroska.block(at: 0, Zlib.zeros(200 << 20))
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound("A_PCM/INT/LIT", zlib)),
        Matroska.cluster(block))
    },
    HostileFile("a codec's data that inflates.mkv", "") {
      let all = Matroska.element(
        0x6D80,
        Matroska.element(
          0x6240, Matroska.number(0x5032, 3 as UInt8),
          Matroska.element(0x5034, Matroska.number(0x4254, 0 as UInt8))))
      let data = try await Matroska.element(0x63A2, Zlib.zeros(200 << 20))
      return Matroska.file(
        Matroska.information(), Matroska.tracks(Matroska.sound("A_AAC", all + data)),
        Matroska.twoSeconds)
    },
    HostileFile("a header that inflates to 400 MB.mov", "") {
      try await compressedMovie(layers: 1)
    },
    HostileFile("a header that inflates, in a header that inflates.mov", "") {
      try await compressedMovie(layers: 4)
    },
    HostileFile("tags that inflate.mp3", nil) {
      let text = try await Zlib.zeros(200 << 20)
      return ID3.file(
        Bytes.repeated(ID3.frame("TIT2", Bytes.big(200 << 20 as UInt32) + text, flags: 0x80), 4))
    },
  ]

  /// A header that declares a track's blocks as compressed by zlib.
  private static let zlib = Matroska.element(
    0x6D80,
    Matroska.element(
      0x6240, Matroska.number(0x5032, 1 as UInt8),
      Matroska.element(0x5034, Matroska.number(0x4254, 0 as UInt8))))

  /// A movie whose header is compressed, with 400 MB of zeros beside it, this many times.
  private static func compressedMovie(layers: Int) async throws -> [UInt8] {
    var movie = QuickTime.box("moov", QuickTime.movieHeader() + QuickTime.Track().bytes)
    for _ in 0..<layers {
      let size = 400 << 20
      let whole = movie + Bytes.big(UInt32(size + 8)) + Array("free".utf8)
      let data = try await QuickTime.box(
        "cmvd", Bytes.big(UInt32(whole.count + size)), Zlib.zeros(size, after: whole))
      movie = QuickTime.box(
        "moov", QuickTime.box("cmov", QuickTime.box("dcom", Array("zlib".utf8)), data))
    }
    return Array(QuickTime.file().dropLast(8)) + movie
  }
}
