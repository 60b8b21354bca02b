import Foundation

/// Clips as phones record them. Encoding takes long, so each clip is assembled from groups of
/// pictures cut from one encoded stream.
extension Workbench {
  /// 1080p H.264: 17 Mbit/s, keyframes of 200 kB.
  ///
  /// - Parameter pictures: The number of pictures from one keyframe to the next.
  func clips(_ name: String, _ count: Int, seconds: Int, pictures: Int) throws -> [String] {
    // Few long groups: a group of 8 s takes as long to make as the clip itself.
    let distinct = min(count, pictures > 60 ? 20 : 100)
    let length = Double(pictures) * Picture.seconds
    let cut = Cut(name: name, count: count, seconds: seconds, distinct: distinct, length: length)
    let groups = try groups(
      "h264-\(pictures)-\(cut.groups)", size: "1920x1080", grain: 6, count: cut.groups,
      pictures: pictures,
      words("-c:v libx264 -preset ultrafast -pix_fmt yuv420p -b:v 17M -maxrate 17M -bufsize 2M") + [
        "-x264-params",
        "cabac=1:deblock=1,0,0:8x8dct=1:partitions=all:scenecut=0"
          + ":keyint=\(pictures):min-keyint=\(pictures)",
      ])
    return try join(groups, cut)
  }

  /// 4K HEVC main10 HLG, as phones record high dynamic range: keyframes every 1.001 s, of 300 kB.
  func hlgClips(_ name: String, _ count: Int, seconds: Int) throws -> [String] {
    let cut = Cut(
      name: name, count: count, seconds: seconds, distinct: min(count, 20),
      length: 30 * Picture.seconds, isLengthRounded: true)
    let groups = try groups(
      "hevc-\(cut.groups)", size: "3840x2160", grain: 4, count: cut.groups, pictures: 30,
      words("-pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -tag:v hvc1 -b:v 30M")
        + words("-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc")
        + [
          "-color_range", "tv", "-x265-params",
          "log-level=error:bframes=0:scenecut=0:keyint=30:min-keyint=30:vbv-maxrate=30000"
            + ":vbv-bufsize=3000:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc"
            + ":range=limited",
        ])
    return try join(groups, cut)
  }

  /// Makes files of one group of pictures each.
  private func groups(
    _ name: String, size: String, grain: Int, count: Int, pictures: Int, _ encoder: [String]
  ) throws -> String {
    let groups = try subfolder(name)
    guard !FileManager.default.fileExists(atPath: "\(groups)/made") else { return groups }
    let seconds = Double(count * pictures) * Picture.seconds
    try run(
      Self.ffmpeg + ["-f", "lavfi", "-i", Picture.moving(size, seconds, grain: grain)] + encoder
        + words("-f segment -segment_time 0.01 -reset_timestamps 1 -segment_format mov")
        + ["\(groups)/%d.mov"])
    _ = try write("", to: "\(name)/made")
    return groups
  }

  /// Makes the clips, with sound. No two have the same first group and the same length.
  private func join(_ groups: String, _ cut: Cut) throws -> [String] {
    _ = try subfolder(cut.name)
    let sound = try sound()
    return try (0..<cut.count).map { number in
      let seconds = Double(cut.seconds) + Double(number / cut.distinct) * 0.5
      return try making(cut.name + format("/IMG_%04d.MOV", number)) { path in
        let first = number % cut.distinct
        let last = first + Int((seconds / cut.length).rounded(.up)) - 1
        let list = try write(
          (first...last).map { "file '\(groups)/\($0).mov'\n" }.joined(), to: "groups.list")
        return ["-f", "concat", "-safe", "0", "-i", list, "-i", sound]
          + words("-map 0:v -map 1:a -c copy -t") + ["\(seconds)", path]
      }
    }
  }
}

/// Clips that are assembled from groups of pictures.
private struct Cut {
  /// Their folder.
  var name: String
  /// How many clips.
  var count: Int
  /// How long each lasts; some are longer by a multiple of half a second.
  var seconds: Int
  /// How many clips begin with their own group.
  var distinct: Int
  /// The seconds of a group.
  var length: Double
  /// Whether a group counts as one second in the number of groups.
  var isLengthRounded = false

  /// How many groups they need.
  var groups: Int {
    let longest = Double(seconds) + Double(count) / Double(distinct) * 0.5
    return distinct + Int((isLengthRounded ? longest : longest / length).rounded(.up))
  }
}
