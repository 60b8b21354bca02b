import Foundation
import HoldfastTestSupport
import Testing

@Suite("The measured sound of a recording", .temporaryFolder)
struct SoundProfileTests {
  let library = LibraryFolder()

  @Test("is shown as ffmpeg measures it, and measured once")
  func loudness() async throws {
    try await makeTone("tone.wav", "0.25*sin(2*PI*997*t)|0.1*sin(2*PI*440*t)", seconds: 7)
    try await take(
      [temporary("tone.wav"), Fixtures.path("portrait.mov"), Fixtures.path("aac.m4a")])
    for id in try await library.column("SELECT id FROM recording") {
      let peer = try await ebur128(try await file(of: id))
      let shown = try await shownSound(of: id)
      #expect(abs(try #require(shown.loudness) - peer.loudness) <= 0.1)
      #expect(abs(try #require(shown.truePeak) - peer.truePeak) <= 0.1)
      let text = try await library.holdfast("show", id).output
      let words = try Regex("loudness +-?[0-9.]+ LUFS, true peak -?[0-9.]+ dBTP")
      #expect(text.firstMatch(of: words) != nil, "\(text)")
    }
    // The row's figures are trusted.
    try await library.changeCatalog("UPDATE sound SET loudness = -12.5, truePeak = -3.5")
    let id = try await library.column("SELECT id FROM recording")[0]
    #expect(
      try await library.holdfast("show", id).output.contains("-12.5 LUFS, true peak -3.5 dBTP"))
  }

  @Test("Silence and clips without sound get an empty measurement, and `show` prints none")
  func nothing() async throws {
    try await makeTone("silence.wav", "0|0", seconds: 2)
    try await take([temporary("silence.wav"), Fixtures.path("silent-video.mp4")])
    for id in try await library.column("SELECT id FROM recording") {
      #expect(!(try await library.holdfast("show", id).output.contains("loudness")))
    }
    #expect(try await library.column("SELECT count(*) FROM sound") == ["2"])
    #expect(
      try await library.column(
        "SELECT count(*) FROM sound WHERE coalesce(loudness, truePeak) IS NULL") == ["2"])
  }

  @Test("is kept as a peak for each 20 ms, to the sample, and no more than 6000")
  func peaks() async throws {
    // Each 20 ms are half as loud as the previous ones, four in a row; lossless, so that they stay
    // sharp.
    try await makeTone(
      "steps.wav", "pow(0.5,mod(floor(t*50),4))*sin(2*PI*1000*t)", seconds: 118)
    try await take([temporary("steps.wav")], ["--audio", "alac"])
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.holdfast("show", id)
    let hex = try await library.column("SELECT hex(peaks) FROM sound")[0]
    let peaks = stride(from: 0, to: hex.count, by: 2).map { place in
      Int(hex.dropFirst(place).prefix(2), radix: 16) ?? -1
    }
    #expect(peaks.count == 5900)
    let expected = [255, 128, 64, 32]
    #expect(peaks.enumerated().allSatisfy { abs($1 - expected[$0 % 4]) <= 1 })
  }

  @Test("is drawn as a picture of the size that was asked for, high where it is loud")
  func waveform() async throws {
    // Loud, silent, half as loud.
    try await makeTone(
      "thirds.wav", "if(lt(t,1),0.8,if(lt(t,2),0,0.4))*sin(2*PI*1000*t)", seconds: 3)
    try await take([temporary("thirds.wav")], ["--audio", "alac"])
    let id = try await library.column("SELECT id FROM recording")[0]
    for (size, width) in [([], 640), (["--size", "300"], 300)] {
      let path = temporary("wave \(width).png")
      let made = try await library.holdfast(
        ["thumbnails", id, "--waveform", path, "--json"] + size)
      #expect(made.status == 0, "\(made.errorOutput)")
      #expect(
        made.output.contains("\"width\":\(width),\"") || made.output.contains("\"width\":\(width)}")
      )
      let columns = try await barHeights(path, width: width, height: width / 4)
      let heights = [1, 3, 5].map { columns[$0 * width / 6] }
      let room = Double(width / 4)
      #expect(Double(heights[0]) > 0.8 * room && Double(heights[0]) < room)
      #expect(heights[1] == 1)
      let ratio: Double = Double(heights[2]) / Double(heights[0])
      #expect(abs(ratio - 0.5) < 0.05)
    }
    // The sheet of an audio recording is the same, as wide as that of a video, and a JPEG.
    let sheet = temporary("sheet.jpg")
    #expect(try await library.holdfast("thumbnails", id, "--sheet", sheet).status == 0)
    let columns = try await barHeights(sheet, width: 1920, height: 480)
    #expect(columns[320] > 380 && columns[960] < 5)
  }

  @Test("is not drawn over a file, without sound, or in an impossible size")
  func refused() async throws {
    try await library.importing("silent-video.mp4", "aac.m4a")
    let silent = try await library.column("SELECT id FROM recording WHERE type = 'video'")[0]
    let id = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    let path = temporary("wave.png")
    let nothing = try await library.holdfast("thumbnails", silent, "--waveform", path)
    #expect(nothing.status == 1)
    #expect(nothing.errorOutput.contains("has no sound to draw"))
    for options in [
      ["--waveform", path, "--size", "15"], ["--waveform", path, "--size", "8193"],
      ["--sheet", path, "--size", "9223372036854775807"], ["--sheet", path, "--quality", "0"],
    ] {
      #expect(try await library.holdfast(["thumbnails", id] + options).status == 64, "\(options)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data("mine".utf8).write(to: URL(filePath: path))
    let there = try await library.holdfast("thumbnails", id, "--waveform", path)
    #expect(there.status != 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("is brought to -16 LUFS by play --level, and peaks are held under -1 dBTP")
  func level() async throws {
    try await makeTone("quiet.wav", "0.02*sin(2*PI*997*t)", seconds: 4)
    // Quiet but for a click now and then, which is loudest between two samples; and but for its
    // end.
    try await makeTone(
      "clicks.wav", "if(lt(mod(t,1),0.002),0.3*sin(2*PI*12000*t+PI/4),0.05*sin(2*PI*997*t))",
      seconds: 4)
    try await makeTone("end.wav", "if(lt(t,3.96),0.05,0.9)*sin(2*PI*997*t)", seconds: 4)
    try await take(
      ["quiet.wav", "clicks.wav", "end.wav"].map { temporary($0) }, ["--audio", "alac"])
    let folder = try makeFolder("bin")
    for id in try await library.column("SELECT id FROM recording") {
      let file = try await file(of: id)
      for name in ["mpv", "ffplay"] {
        let player = "\(folder)/\(name)"
        try Data("#!/bin/sh\nfor a; do echo \"$a\"; done\n".utf8).write(to: URL(filePath: player))
        chmod(player, 0o755)
        let result = try await Command.run(
          Command.holdfast, library.command(["play", "--level", id]),
          environment: ["HOLDFAST_PLAYER": "\(player) --quiet"])
        #expect(result.status == 0, "\(result.errorOutput)")
        let arguments = result.errorLines.dropLast()
        let filters = try #require(
          name == "mpv"
            ? arguments.first?.firstMatch(of: /^--af-append=lavfi=\[(.*)\]$/).map { String($0.1) }
            : arguments.dropFirst().first)
        #expect(arguments.suffix(2) == ["--quiet", file])
        let played = try await ebur128(file, after: filters)
        #expect(played.truePeak <= -0.9, "\(filters)")
        // The limiter makes it quieter.
        let least = filters.contains("alimiter") ? -20.5 : -16.5
        #expect((least ... -15.5).contains(played.loudness), "\(filters)")
      }
    }
    let other = try await Command.run(
      Command.holdfast,
      library.command(["play", "--level", try await library.column("SELECT id FROM recording")[0]]),
      environment: ["HOLDFAST_PLAYER": "true"])
    #expect(other.status == 0)
    #expect(other.errorOutput.contains("true cannot change the loudness; mpv and ffplay can"))
  }

  @Test("is not kept where the file is not the one that was imported")
  func damaged() async throws {
    try await makeTone("tone.wav", "0.25*sin(2*PI*997*t)", seconds: 4)
    try await take([temporary("tone.wav")])
    let id = try await library.column("SELECT id FROM recording")[0]
    let path = try await file(of: id)
    let whole = try Data(contentsOf: URL(filePath: path))
    let right = try await ebur128(path)
    for damage in [whole.count / 4, whole.count - 3000] {
      var bytes = whole
      bytes.replaceSubrange(damage..., with: Data(count: whole.count - damage))
      try bytes.write(to: URL(filePath: path))
      _ = try await library.holdfast("show", id)
      #expect(try await library.column("SELECT count(*) FROM sound") == ["0"])
    }
    try whole.write(to: URL(filePath: path))
    #expect(abs(try #require(try await shownSound(of: id).loudness) - right.loudness) <= 0.1)
    #expect(try await library.column("SELECT count(*) FROM sound") == ["1"])
    try FileManager.default.removeItem(atPath: path)
    try await library.changeCatalog("DELETE FROM sound")
    let shown = try await library.holdfast("show", id)
    #expect(shown.status == 0 && shown.output.contains("loudness    not measured: "))
  }

  @Test("is measured where it is very quiet, and no recording is made more than 24 dB louder")
  func quiet() async throws {
    try await makeTone("quiet.wav", "0.0014*sin(2*PI*997*t)", seconds: 2)
    try await take([temporary("quiet.wav")], ["--audio", "alac"])
    let id = try await library.column("SELECT id FROM recording")[0]
    let peer = try await ebur128(try await file(of: id))
    #expect(abs(try #require(try await shownSound(of: id).truePeak) - peer.truePeak) <= 0.2)
    let player = "\(try makeFolder("bin"))/mpv"
    try Data("#!/bin/sh\necho \"$1\"\n".utf8).write(to: URL(filePath: player))
    chmod(player, 0o755)
    let result = try await Command.run(
      Command.holdfast, library.command(["play", "--level", id]),
      environment: ["HOLDFAST_PLAYER": player])
    #expect(result.errorLines.first == "--af-append=lavfi=[volume=24.0dB]")
  }

  @Test("is forgotten with its recording, and when its file is made again")
  func forgotten() async throws {
    try await library.importing("aac.m4a", "voice.ogg")
    let ids = try await library.column("SELECT id FROM recording ORDER BY originalFilename")
    for id in ids { _ = try await library.holdfast("show", id) }
    #expect(try await library.column("SELECT count(*) FROM sound") == ["2"])
    try FileManager.default.removeItem(atPath: try await file(of: ids[1]))
    let repaired = try await library.holdfast(
      "verify", "--repair", "--from", Repository.root + "/fixtures")
    #expect(repaired.status == 0, "\(repaired.output)")
    #expect(try await library.column("SELECT recordingId FROM sound") == [ids[0]])
    _ = try await library.holdfast("delete", "--yes", ids[0])
    #expect(try await library.column("SELECT recordingId FROM sound").isEmpty)
  }

  private func take(_ paths: [String], _ options: [String] = []) async throws {
    let result = try await library.holdfast(["import"] + options + paths)
    try #require(result.status == 0, "\(result.errorOutput)")
  }

  // MARK: Other programs

  private struct Shown: Decodable {
    struct Sound: Decodable {
      var loudness: Double?
      var truePeak: Double?
    }
    var sound: Sound
  }

  private func shownSound(of id: String) async throws -> Shown.Sound {
    let result = try await library.holdfast("show", "--json", id)
    return try JSONDecoder().decode(Shown.self, from: Data(result.outputBytes)).sound
  }

  private func file(of id: String) async throws -> String {
    let path = try await library.column("SELECT filePath FROM recording WHERE id = '\(id)'")[0]
    return "\(library.path)/\(path)"
  }

  private func makeTone(_ name: String, _ expression: String, seconds: Int) async throws {
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "aevalsrc='\(expression)':s=48000:d=\(seconds)",
        temporary(name),
      ])
  }

  /// ffmpeg's measurement of a file's sound, after a player's filters.
  private func ebur128(
    _ path: String, after filters: String = "anull"
  ) async throws -> (loudness: Double, truePeak: Double) {
    let said =
      try await Command.output(
        of: "ffmpeg", ["-i", path, "-vn", "-af", "\(filters),ebur128=peak=true", "-f", "null", "-"]
      ).errorOutput.components(separatedBy: "Summary:").last ?? ""
    func figure(_ name: String) throws -> Double {
      let match = said.firstMatch(of: try Regex("\(name): +(-?[0-9.]+)"))
      return try #require(match?.output[1].substring.flatMap { Double($0) })
    }
    return (try figure("I"), try figure("Peak"))
  }

  /// How high the bar of each column of a picture is, as ffmpeg decodes it.
  private func barHeights(_ path: String, width: Int, height: Int) async throws -> [Int] {
    let pixels = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    ).outputBytes
    try #require(pixels.count == width * height)
    return (0..<width).map { column in
      (0..<height).count { pixels[$0 * width + column] > 120 }
    }
  }
}
