import Foundation

extension Workbench {
  /// An import into a new library.
  func importContestant(_ paths: [String]) throws -> Contestant {
    let library = "\(folder)/library"
    return Contestant(
      name: "holdfast import",
      command: [holdfast, "import", "--quiet", "--library", library] + paths,
      before: try freshLibrary(at: library))
  }

  /// Clips whose streams are copied.
  func copyContest() throws -> Contest {
    let (count, seconds) = options.quick ? (3, 2) : (20, 30)
    let clips = try clips("clips-import", count, seconds: seconds, pictures: 30)
    let peers = try subfolder("peers")
    // As a person would combine these programs.
    let script = #"""
      out='\#(peers)'/$(basename "$f" .MOV)
      ffprobe -v error -show_format -show_streams -of json "$f" >"$out.json"
      ffmpeg -nostdin -v error -y -i "$f" -map 0:v:0 -map 0:a:0 -c copy -map_metadata -1 \
        -movflags +faststart "$out.mov"
      ffmpeg -nostdin -v error -y -ss 1 -i "$f" -frames:v 1 -vf scale=480:-2:flags=area "$out.jpg"
      sha256sum "$f" "$out.mov"
      """#
    let copies = "\(folder)/copies"
    let copying = Contestant(
      name: "cp, sync, sha256sum",
      command: ["bash", "-ec", #"cp -t "$0" "$@"; sync "$0"/* "$0"; sha256sum "$0"/*"#, copies]
        + clips,
      before: {
        try run(["rm", "-rf", copies])
        _ = try subfolder("copies")
      })
    return Contest(
      what: "import of \(count) copyable clips of \(seconds) s", items: count,
      ours: try importContestant(clips),
      rivals: [
        Rival(.each("ffprobe, ffmpeg, ffmpeg, sha256sum", script, clips), .timesAsFast(4)),
        Rival(try inParallel("the same under GNU parallel", script, clips), .timesAsFast(2.5)),
        Rival(copying, .timesAsLong(3), flushes: true),
      ], mostFlushes: 10, mostMemory: 150)
  }

  /// Voice notes, which are encoded.
  func voiceContest() throws -> Contest {
    let (count, seconds) = options.quick ? (4, 2) : (50, 30)
    let notes = try voiceNotes(count, seconds: seconds)
    let script =
      "ffmpeg -nostdin -v error -y -i \"$f\" -vn -c:a aac -b:a 64k -map_metadata -1"
      + " -movflags +faststart '\(folder)'/$(basename \"$f\").m4a"
    return Contest(
      what: "import of \(count) voice notes of \(seconds) s", items: count,
      ours: try importContestant(notes),
      rivals: [
        Rival(.each("ffmpeg", script, notes), .timesAsFast(2.3)),
        Rival(try inParallel("ffmpeg under GNU parallel", script, notes), .timesAsFast(1.15)),
      ], mostFlushes: 10)
  }
}
