import Foundation

extension Workbench {
  /// The size of a file in the library: that of a long recording.
  private static let fileSize = 100_000_000

  /// A library of large files, each with its row.
  func verifyContest(gigabytes: Double) throws -> Contest {
    let (library, files, count) = try largeLibrary(gigabytes: gigabytes)
    let list = try write(files.map { "\($0.hash)  \($0.path)\n" }.joined(), to: "sums")
    return Contest(
      what: "verify --deep of \(format("%g", gigabytes)) GB, cached", items: count,
      ours: Contestant(
        name: "holdfast verify --deep",
        command: [holdfast, "verify", "--deep", "--quiet", "--library", library]),
      rivals: [
        Rival("sha256sum -c", .timesAsFast(6), ["sha256sum", "--quiet", "-c", list]),
        // The least that verifying can cost. 0.85 of its speed.
        Rival(
          "openssl, once a core", .timesAsLong(1 / 0.85),
          [
            "bash", "-c",
            #"printf '%s\0' "$@" | xargs -0 -n 4 -P "$(nproc)" openssl dgst -sha256"#, "bash",
          ] + files.map(\.path)),
      ])
  }

  /// Makes a library of large files, each with its row.
  ///
  /// - Returns: Its folder, the large files with their hashes, and how many there are.
  func largeLibrary(
    gigabytes: Double
  ) throws -> (library: String, files: [(path: String, hash: String)], count: Int) {
    let library = "\(folder)/large-\(UUID().uuidString)"
    try run([holdfast, "init", library])
    try run([holdfast, "import", "--quiet", "--library", library, "\(root)/fixtures/aac.m4a"])
    let first = try output(of: [
      "sqlite3", "\(library)/catalog.sqlite", "SELECT filePath FROM recording",
    ])
    .trimmingCharacters(in: .whitespacesAndNewlines)
    let count = Int((gigabytes * 1e9 / Double(Self.fileSize)).rounded())
    let files = try (0..<count).map { _ in
      try addFile(to: library, like: "\(library)/\(first)")
    }
    return (library, files, count)
  }

  /// Adds a recording like the first one, made long by a box of random bytes that players skip.
  private func addFile(to library: String, like first: String) throws -> (
    path: String, hash: String
  ) {
    let id = UUID().uuidString
    let name = "Recordings/audio_\(id).m4a"
    let path = "\(library)/\(name)"
    let size = try FileManager.default.attributesOfItem(atPath: first)[.size] as? Int ?? 0
    let box = Self.fileSize - size
    // ISO 14496-12, 8.1.2: a size of four bytes, and the type "free".
    let head = withUnsafeBytes(of: UInt32(box).bigEndian) { Data($0) } + Data("free".utf8)
    try head.write(to: URL(filePath: "\(folder)/box"))
    try run([
      "bash", "-ec", #"umask 077; { cat "$1" "$2"; head -c "$3" /dev/urandom; } >"$0""#, path,
      first,
      "\(folder)/box", "\(box - head.count)",
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
