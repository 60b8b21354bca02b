import Foundation

/// A clip that must be encoded, and ffmpeg's options for the same result.
struct EncodeKind {
  /// The name in the table.
  var name: String
  /// The encoder that Holdfast uses.
  var encoder: String
  /// The clip's length, unless it is to be quick.
  var seconds: Int
  /// The output's tags, and its other streams.
  var outputOptions: String
  /// The options that depend on the processor; see `PictureTarget.processorOptions`.
  var processorOptions: @Sendable (_ cores: Int) throws -> [String]
  /// Makes the clip.
  var clip: @Sendable (_ bench: Workbench, _ seconds: Int) throws -> String

  /// VP8, which becomes H.264.
  static let standard = EncodeKind(
    name: "1080p VP8", encoder: "libx264", seconds: 10,
    outputOptions: "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"
      + " -pix_fmt yuv420p -c:a aac -b:a 128k -map_metadata -1 -movflags +faststart",
    processorOptions: { _ in
      let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      return processor.contains(" avx512") ? ["-x264-params", "asm=AVX2"] : []
    },
    clip: { try $0.browserClip(seconds: $1) })

  /// ProRes of high dynamic range, which is kept.
  static let highDynamicRange = EncodeKind(
    name: "1080p ProRes HLG", encoder: "libx265", seconds: 5,
    outputOptions: "-colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67"
      + " -color_range tv -pix_fmt yuv420p10le -tag:v hvc1 -map_metadata -1 -movflags +faststart",
    processorOptions: { cores in
      ["-x265-params", "log-level=none:info=0:frame-threads=2:pools=\(cores):repeat-headers=0"]
    },
    clip: { try $0.proRes(seconds: $1) })
}

/// A conversion in `list --json`.
private struct ListedRecording: Decodable {
  struct Conversion: Decodable {
    var settings: [String]
  }

  var conversion: Conversion
}

extension Workbench {
  /// An import that encodes, against ffmpeg with the settings that Holdfast reports.
  func encodeContest(_ kind: EncodeKind) throws -> Contest {
    let seconds = options.quick ? 1 : kind.seconds
    let clip = try kind.clip(self, seconds)
    let ours = try importContestant([clip])
    try ours.before?()
    try run(ours.command)
    let settings = try settings(of: kind.encoder)
    let ffmpeg =
      Self.ffmpeg + ["-i", clip, "-vf", settings.filters, "-vsync", "passthrough"]
      + ["-c:v", kind.encoder] + settings.encoder + (try kind.processorOptions(cores))
      + words(kind.outputOptions) + ["\(folder)/encoded.mov"]
    return Contest(
      what: "import of \(seconds) s of \(kind.name) that must be encoded", items: 1, ours: ours,
      rivals: [Rival("ffmpeg, same settings", .timesAsLong(1.03), ffmpeg)], mostFlushes: 10,
      mostMemoryRatio: 1.15)
  }

  /// The settings of the library's only recording, as ffmpeg's options.
  private func settings(of encoder: String) throws -> (encoder: [String], filters: String) {
    let list = try output(of: [holdfast, "list", "--json", "--library", "\(folder)/library"])
    let recordings = try JSONDecoder().decode([ListedRecording].self, from: Data(list.utf8))
    let settings = recordings.first?.conversion.settings ?? []
    guard settings.count > 1, settings[0].hasPrefix("\(encoder) "),
      settings[1].hasPrefix("filters ")
    else { throw BenchError(description: "The clip was not encoded by \(encoder): \(settings)") }
    let options = words(settings[0]).dropFirst().flatMap { setting in
      let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
      return ["-" + (parts[0] == "profile" ? "profile:v" : parts[0])] + parts.dropFirst()
    }
    return (options, String(settings[1].dropFirst("filters ".count)))
  }
}
