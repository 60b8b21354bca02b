import Foundation

extension Workbench {
  /// Probes of files.
  func probeContest() throws -> Contest {
    let (clipCount, noteCount, seconds) = options.quick ? (3, 1, 2) : (150, 50, 5)
    let files =
      try clips("clips-30", clipCount, seconds: seconds, pictures: 30)
      + voiceNotes(noteCount, seconds: options.quick ? 2 : 30)
    let ffprobe = "ffprobe -v error -show_format -show_streams -of json \"$f\""
    return Contest(
      what: "probe of \(files.count) files", items: files.count,
      ours: Contestant(name: "holdfast probe", command: [holdfast, "probe", "--json"] + files),
      rivals: [
        Rival(.each("ffprobe", ffprobe, files), .timesAsFast(15)),
        Rival(
          "mediainfo, one process", .timesAsFast(3), ["mediainfo", "--Output=JSON"] + files),
        Rival("exiftool, one process", .timesAsFast(2), ["exiftool", "-json"] + files),
      ])
  }

  /// The list of a large library.
  func listContest() throws -> Contest {
    let count = options.quick ? 1000 : 100_000
    let library = try makeCatalog("catalog-\(count)", recordings: count)
    var contest = try queryContest(["list"], in: library)
    contest.what = "list at \(count) recordings"
    return contest
  }

  /// A command against the sqlite3 program that runs the same SQL, with its values in place.
  func queryContest(
    _ command: [String], in library: String, goal: Goal = .timesAsLong(1.5, plus: 0.03)
  ) throws -> Contest {
    let ours = [holdfast] + command + ["--quiet", "--library", library]
    let sql = "\(folder)/sql"
    let end = try Child.run(
      ours, output: "/dev/null", errors: sql, environment: ["HOLDFAST_TRACE_SQL": "1"])
    guard end.status == 0 else {
      throw BenchError(description: "\(ours.joined(separator: " ")): \(text(of: "sql"))")
    }
    let sqlite = #"sqlite3 -batch "$0" <"$1""#
    return Contest(
      what: command.joined(separator: " "), items: 1,
      ours: Contestant(name: "holdfast", command: ours),
      rivals: [
        Rival(
          "sqlite3, same query", goal,
          ["bash", "-ec", sqlite, "\(library)/catalog.sqlite", sql])
      ], rounds: 15)
  }

  /// The least time that a command can take.
  func startupContest() throws -> Contest {
    let empty = try emptyLibrary()
    return Contest(
      what: "start-up: list of an empty library", items: 1,
      ours: Contestant(name: "holdfast list", command: [holdfast, "list", "--library", empty]),
      rivals: [
        Rival("ffmpeg -version", .timesAsLong(0.4), ["ffmpeg", "-version"]),
        Rival(
          "sqlite3 .tables", .timesAsLong(5), ["sqlite3", "\(empty)/catalog.sqlite", ".tables"]),
      ], rounds: 25)
  }
}
