internal import Foundation

extension Workbench {
  /// The size of a file in the library: that of a long recording.
  private static let fileSize = 100_000_000

  /// A library of large files, each with its row.
  func verifyContest(gigabytes: Double) throws -> Contest {
    let library = "\(folder)/large"
    try run([holdfast, "init", library])
    try run([holdfast, "import", "--quiet", "--library", library, "\(root)/fixtures/aac.m4a"])
    let count = Int((gigabytes * 1e9 / Double(Self.fileSize)).rounded())
    var sums = ""
    var files: [String] = []
    for _ in 0..<count {
      let file = try addFile(to: library)
      sums += "\(file.hash)  \(file.path)\n"
      files.append(file.path)
    }
    let list = try write(sums, to: "sums")
    return Contest(
      what: "verify --deep of \(format("%g", gigabytes)) GB, cached", items: count,
      ours: Contestant(
        name: "holdfast verify --deep",
        command: [holdfast, "verify", "--deep", "--quiet", "--library", library]),
      rivals: [
        Rival("sha256sum -c", .timesAsFast(6), ["sha256sum", "--quiet", "-c", list]),
        // 0.85 of its speed.
        Rival(
          "swift-crypto, once a core", .timesAsLong(1 / 0.85),
          [try inProcessProgram(), "hash"] + files),
      ])
  }

  /// Adds a file of random bytes, and a row like the first one.
  private func addFile(to library: String) throws -> (path: String, hash: String) {
    let id = UUID().uuidString
    let name = "Recordings/audio_\(id).m4a"
    let path = "\(library)/\(name)"
    try run([
      "bash", "-ec", #"umask 077; head -c "$1" /dev/urandom >"$0""#, path, "\(Self.fileSize)",
    ])
    let hash = String(try output(of: ["sha256sum", path]).prefix { $0 != " " })
    try run([
      "sqlite3", "\(library)/catalog.sqlite",
      """
      CREATE TEMP TABLE copy AS SELECT * FROM recording LIMIT 1;
      UPDATE copy SET id = '\(id)', filePath = '\(name)', fileSize = \(Self.fileSize),
        fileSHA256 = '\(hash)', sourceSHA256 = '\(hash)', verifiedAt = NULL;
      INSERT INTO recording SELECT * FROM copy;
      """,
    ])
    return (path, hash)
  }
}
