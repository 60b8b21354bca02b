import Foundation

/// The limits for thumbnails.
private struct ThumbnailGoals {
  /// How many times as fast as ffmpegthumbnailer Holdfast should be.
  var timesFFmpegThumbnailer: Double
  /// How many times as fast as ffmpeg it should be.
  var timesFFmpeg: Double
  /// The part of the C loop's time that Holdfast may take.
  var ofLoop: Double
  /// The most memory in MB.
  var memory: Double?
}

extension Workbench {
  /// The number of clips.
  var thumbnailCount: Int { options.quick ? 3 : options.clips }

  /// Thumbnails of 1080p clips, with near and with distant keyframes.
  func thumbnailContests() throws -> [Contest] {
    let quick = [(pictures: 30, seconds: 2, apart: "1.001")]
    let whole = [
      (pictures: 30, seconds: 5, apart: "1.001"), (pictures: 240, seconds: 9, apart: "8"),
    ]
    return try (options.quick ? quick : whole).flatMap { kind in
      try thumbnailContests(
        "thumbnails-\(kind.pictures)",
        "thumbnails of \(thumbnailCount) 1080p H.264 clips, keyframes every \(kind.apart) s",
        clips(
          "clips-\(kind.pictures)", thumbnailCount, seconds: kind.seconds, pictures: kind.pictures),
        filters: "scale=480:-2:flags=area",
        ThumbnailGoals(timesFFmpegThumbnailer: 20, timesFFmpeg: 12, ofLoop: 1.15))
    }
  }

  /// Thumbnails of 4K clips of high dynamic range.
  func thumbnail4KContests() throws -> [Contest] {
    try thumbnailContests(
      "thumbnails-4k", "thumbnails of \(thumbnailCount) 4K HEVC main10 HLG clips",
      hlgClips("clips-4k", thumbnailCount, seconds: 2),
      filters: "zscale=w=480:h=270:filter=bicubic:t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
        + "tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,format=yuv420p",
      ThumbnailGoals(timesFFmpegThumbnailer: 8, timesFFmpeg: 9, ofLoop: 1.4, memory: 250))
  }

  /// Thumbnails of everything in a library, which holds the original clips.
  func thumbnailContestant(_ name: String, _ clips: [String], jobs: Int) throws -> Contestant {
    let library = "\(folder)/\(name).library"
    if !FileManager.default.fileExists(atPath: library) {
      try run([holdfast, "init", library])
      try run([holdfast, "import", "--quiet", "--library", library] + clips)
    }
    return Contestant(
      name: "holdfast thumbnails --jobs \(jobs)",
      command: [
        holdfast, "thumbnails", "--all", "--quiet", "--library", library, "--jobs", "\(jobs)",
      ])
  }

  private func thumbnailContests(
    _ name: String, _ what: String, _ clips: [String], filters: String, _ goals: ThumbnailGoals
  ) throws -> [Contest] {
    let output = "\(folder)/thumbnail.jpg"
    let ffmpeg = "ffmpeg -nostdin -v error -y -ss 1 -i \"$f\" -frames:v 1"
    var contests = [
      Contest(
        what: what, items: clips.count,
        ours: try thumbnailContestant(name, clips, jobs: cores),
        rivals: [
          Rival(
            .each(
              "ffmpegthumbnailer", "ffmpegthumbnailer -s 480 -q 8 -i \"$f\" -o '\(output)'", clips),
            .timesAsFast(goals.timesFFmpegThumbnailer)),
          Rival(
            .each("ffmpeg -ss 1", "\(ffmpeg) -vf '\(filters)' '\(output)'", clips),
            .timesAsFast(goals.timesFFmpeg)),
          Rival(
            "the C loop, once a core", .timesAsLong(goals.ofLoop),
            try loop(name, clips, jobs: cores)),
          Rival(
            "the C loop with stream info", .none,
            try loop(name, clips, jobs: cores, options: "-i")),
        ], mostFlushes: 2, mostMemory: goals.memory)
    ]
    if cores > 1 {
      contests.append(
        Contest(
          what: "\(what), one job", items: clips.count,
          ours: try thumbnailContestant(name, clips, jobs: 1),
          rivals: [
            Rival("the C loop", .timesAsLong(goals.ofLoop), try loop(name, clips, jobs: 1))
          ], mostFlushes: 2, mostMemory: goals.memory))
    }
    return contests
  }

  /// The C loop, once for each job, each over its part of the clips, all at the same time.
  private func loop(
    _ name: String, _ clips: [String], jobs: Int, options: String = ""
  ) throws -> [String] {
    let program = try limitProgram()
    let starts = try (0..<jobs).map { job in
      let part = stride(from: job, to: clips.count, by: jobs).map { clips[$0] + "\n" }
      let list = try write(part.joined(), to: "\(name)-limit-\(jobs)-\(job).list")
      let output = try subfolder("\(name)-limit-\(job)")
      return "xargs -d '\\n' -a '\(list)' '\(program)' \(options) '\(output)' & pids+=($!)\n"
    }
    let wait = "for pid in \"${pids[@]}\"; do wait \"$pid\"; done"
    return ["bash", "-ec", "pids=()\n" + starts.joined() + wait]
  }
}
