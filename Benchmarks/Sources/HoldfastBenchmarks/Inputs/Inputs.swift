import Foundation

/// Inputs, made by ffmpeg: the same bytes each time. Inputs that two rows need are made once.
extension Workbench {
  static let ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-y"]

  /// A browser's recording, which no Apple player plays.
  func browserClip(seconds: Int) throws -> String {
    try making("browser.webm") { path in
      ["-f", "lavfi", "-i", Picture.moving("1920x1080", Double(seconds), grain: 6)]
        + ["-f", "lavfi", "-i", "anoisesrc=color=pink:seed=2:duration=\(seconds)"]
        + words("-ac 2 -pix_fmt yuv420p -c:v libvpx -deadline realtime -cpu-used 12 -threads 4")
        + words("-b:v 8M -c:a libopus -b:a 96k") + [path]
    }
  }

  /// A phone's recording for an editor: high dynamic range, too large to keep.
  func proRes(seconds: Int) throws -> String {
    try making("prores.mov") { path in
      ["-f", "lavfi", "-i", Picture.moving("1920x1080", Double(seconds), grain: 6)]
        // Each frame must name its colours too: ProRes stores them in each.
        + [
          "-vf",
          "format=yuv422p10le,setparams=color_primaries=bt2020:color_trc=arib-std-b67"
            + ":colorspace=bt2020nc:range=tv",
        ]
        + words("-c:v prores_ks -profile:v hq -color_primaries bt2020 -color_trc arib-std-b67")
        + words("-colorspace bt2020nc -color_range tv") + [path]
    }
  }

  /// Voice notes as messengers record them.
  func voiceNotes(_ count: Int, seconds: Int) throws -> [String] {
    _ = try subfolder("voice")
    return try (1...count).map { number in
      try making("voice/" + format("PTT-%04d.opus", number)) { path in
        let noise = "anoisesrc=color=pink:amplitude=0.5:seed=\(number):duration=\(seconds)"
        return ["-f", "lavfi", "-i", "\(noise),tremolo=f=4:d=0.8"]
          + words("-ar 48000 -ac 1 -c:a libopus -b:a 24k") + [path]
      }
    }
  }

  /// Two minutes of stereo AAC.
  func sound() throws -> String {
    try making("sound.m4a") { path in
      words("-f lavfi -i anoisesrc=color=pink:seed=1:duration=120 -ac 2 -c:a aac -b:a 128k") + [
        path
      ]
    }
  }

  /// Makes a file unless it exists: the words are ffmpeg's arguments.
  func making(_ name: String, with words: (_ path: String) throws -> [String]) throws -> String {
    let path = "\(folder)/\(name)"
    if !FileManager.default.fileExists(atPath: path) { try run(Self.ffmpeg + words(path)) }
    return path
  }
}

/// Pictures for the inputs.
enum Picture {
  /// Pictures a second, as phones record.
  static let rate = "30000/1001"
  /// The seconds from one picture to the next.
  static let seconds = 1001.0 / 30000

  /// A source of distinct pictures, with the grain that makes a phone's pictures large.
  static func moving(_ size: String, _ seconds: Double, grain: Int) -> String {
    "testsrc2=size=\(size):rate=\(rate):duration=\(seconds),noise=alls=\(grain):allf=t:all_seed=1"
  }
}

/// Splits a text at its spaces.
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
