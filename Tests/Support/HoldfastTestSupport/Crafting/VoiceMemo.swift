import Foundation

/// The transcripts that Apple's Voice Memos stores in its files.
public enum VoiceMemo {
  /// A piece of the text, and when it begins and ends in seconds.
  public typealias Run = (text: String, start: Double, end: Double)

  /// The two forms of the JSON.
  public enum Form: CaseIterable, Sendable {
    /// Each text is followed by its time.
    case interleaved
    /// The times are in a table.
    case separate

    /// The JSON of pieces without quotation marks.
    public func json(_ runs: [Run]) -> String {
      let times = runs.map { #"{"timeRange": [\#($0.start), \#($0.end)]}"# }
      let pairs = zip(runs, times).enumerated().map { number, run in
        #""\#(run.0.text)", "# + (self == .separate ? "\(number)" : run.1)
      }.joined(separator: ", ")
      let text =
        self == .separate
        ? #"{"attributeTable": [\#(times.joined(separator: ", "))], "runs": [\#(pairs)]}"#
        : "[\(pairs)]"
      return #"{"attributedString": \#(text), "locale": {"identifier": "en_US", "current": 0}}"#
    }
  }

  /// A transcript where an `.m4a` has it, in a track.
  public static func box(_ json: String) -> [UInt8] {
    QuickTime.box("udta", QuickTime.box("tsrp", Array(json.utf8)))
  }

  /// A transcript where a `.qta` has it, in a track: the value of the second of two keys.
  public static func meta(_ json: String, hasVersion: Bool = false) -> [UInt8] {
    let keys = ["com.apple.VoiceMemos.other", "com.apple.VoiceMemos.tsrp"]
    let names = keys.flatMap { QuickTime.box("mdta", Array($0.utf8)) }
    let items = ["{}", json].enumerated().flatMap { number, value in
      let data = QuickTime.box("data", Bytes.zeros(8), Array(value.utf8))
      return Bytes.big(UInt32(data.count + 8)) + Bytes.big(UInt32(number + 1)) + data
    }
    return QuickTime.box(
      "meta", Bytes.zeros(hasVersion ? 4 : 0),
      QuickTime.box("hdlr", Bytes.zeros(8), Array("mdta".utf8), Bytes.zeros(13)),
      QuickTime.box("keys", Bytes.zeros(4), Bytes.big(UInt32(2)), names),
      QuickTime.box("ilst", items))
  }

  /// Copies an MP4 whose `moov` comes last, with bytes at the end of its first track.
  public static func add(_ bytes: [UInt8], to source: String, as path: String) throws {
    var file = Array(try Data(contentsOf: URL(filePath: source)))
    guard let moov = try MP4Boxes.topLevel(source).last, moov.type == "moov",
      let trak = children(of: Int(moov.offset), in: file).first(where: {
        type(at: $0, file) == "trak"
      })
    else { throw POSIXError(.EINVAL) }
    file.insert(contentsOf: bytes, at: trak + size(at: trak, file))
    for place in [trak, Int(moov.offset)] {
      file.replaceSubrange(
        place..<place + 4, with: Bytes.big(UInt32(size(at: place, file) + bytes.count)))
    }
    try Data(file).write(to: URL(filePath: path))
  }

  private static func children(of parent: Int, in file: [UInt8]) -> [Int] {
    var places = [parent + 8]
    let end = parent + size(at: parent, file)
    while let last = places.last, last + size(at: last, file) < end {
      places.append(last + size(at: last, file))
    }
    return places
  }

  private static func type(at place: Int, _ file: [UInt8]) -> String {
    String(decoding: file[place + 4..<place + 8], as: UTF8.self)
  }

  private static func size(at place: Int, _ file: [UInt8]) -> Int {
    file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
