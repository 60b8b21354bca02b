import Foundation
import HoldfastTestSupport
import Testing

@Suite("A share of the sources", .temporaryFolder)
struct ShareTests {
  private let library = LibraryFolder()

  /// The number of a key's share, as python3 computes it by the help and the manual.
  private func share(of keys: [String], count: Int) async throws -> [Int] {
    let program = """
      import hashlib, sys
      for key in sys.argv[2:]:
          digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
          print(int(digest[:16], 16) % int(sys.argv[1]) + 1)
      """
    return try await Command.output(of: "python3", ["-c", program, "\(count)"] + keys)
      .output.split(separator: "\n").compactMap { Int($0) }
  }

  /// The sources that a dry run finds.
  private func sources(_ arguments: [String], environment: [String: String] = [:]) async throws
    -> Set<String>
  {
    let result = try await Command.run(
      Command.holdfast, library.command(["import", "--json", "--dry-run"] + arguments),
      environment: environment)
    return Set(try ImportLine.lines(of: result).compactMap(\.source))
  }

  private func clips(in folder: String) throws -> [String] {
    let names = (0..<12).map { "clip \($0).m4a" } + ["deep/clip.m4a", "deep/er/é 🙂.m4a"]
    try makeFolder("\(folder)/deep/er")
    for name in names { try copyFixture("aac.m4a", to: "\(folder)/\(name)") }
    return names
  }

  @Test("is the same wherever the folder is, and every source is in one")
  func folders() async throws {
    let names = try clips(in: "here")
    _ = try clips(in: "elsewhere/there")
    let shares = try await share(of: names, count: 3)
    for number in 1...3 {
      let expected = Set(zip(names, shares).filter { $0.1 == number }.map(\.0))
      for folder in ["here", "here/", "elsewhere/there"] {
        let path = temporary(folder)
        let found = try await sources(["--shard", "\(number)/3", path])
        let root = path.hasSuffix("/") ? path : path + "/"
        #expect(found == Set(expected.map { root + $0 }), "\(number) \(folder)")
      }
      // A file that is named directly is hashed by that name.
      let files = names.filter { !$0.contains("/") }.map { temporary("here/\($0)") }
      #expect(
        try await sources(["--shard", "\(number)/3"] + files)
          == Set(expected.filter { !$0.contains("/") }.map { temporary("here/\($0)") }))
    }
    #expect(try await sources(["--shard", "1/1", temporary("here")]).count == names.count)
  }

  @Test(
    "of a list is chosen by its lines, from a file or a pipe, with line breaks or NULs",
    arguments: ["\n", "\r\n", "\0"])
  func lists(end: String) async throws {
    var lines = try clips(in: "in").map { temporary("in/\($0)") }
    // A folder is in the share of its line, with everything in it.
    lines = lines.filter { !$0.contains("/deep/") } + [temporary("in/deep")]
    if end == "\0" { lines.append(try copyFixture("aac.m4a", to: "in/new\nline.m4a")) }
    let list = temporary("list")
    try (end + lines.joined(separator: end)).write(toFile: list, atomically: true, encoding: .utf8)
    let shares = try await share(of: lines, count: 2)
    for number in 1...2 {
      // A line break is shown as its number.
      var expected = Set(
        zip(lines, shares).filter { $0.1 == number }
          .map { $0.0.replacingOccurrences(of: "\n", with: "\\u{A}") })
      if expected.remove(temporary("in/deep")) != nil {
        expected.formUnion(["in/deep/clip.m4a", "in/deep/er/é 🙂.m4a"].map(temporary))
      }
      #expect(try await sources(["--shard", "\(number)/2", "--files-from", list]) == expected)
      let piped = try await Command.run(
        "sh",
        ["-c", "cat \"$0\" | \"$@\"", list, Command.holdfast]
          + library.command(
            ["import", "--json", "--dry-run", "--shard", "\(number)/2", "--files-from", "-"]))
      #expect(Set(try ImportLine.lines(of: piped).compactMap(\.source)) == expected)
    }
    #expect(
      try await sources(["--files-from", list]).count == lines.count + 1,
      "without a share, all of the list is imported")
  }

  @Test("gets its number from Slurm, but never the count")
  func slurm() async throws {
    let names = try clips(in: "in")
    let shares = try await share(of: names, count: 4)
    let found = try await sources(
      ["--shard", "slurm/4", temporary("in")],
      environment: ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1"])
    #expect(
      found == Set(zip(names, shares).filter { $0.1 == 2 }.map { temporary("in/\($0.0)") }))
  }

  @Test(
    "that does not exist is bad usage",
    arguments: [
      ("0/3", "0 is not a share of 3; the shares are 1 to 3."),
      ("4/3", "4 is not a share of 3; the shares are 1 to 3."),
      ("+1/3", "--shard needs a number and a count, such as 3/8 or slurm/8."),
      ("x/3", "x is not a share of 3; the shares are 1 to 3."),
      ("1/0", "--shard needs a number and a count, such as 3/8 or slurm/8."),
      ("1", "--shard needs a number and a count, such as 3/8 or slurm/8."),
      ("slurm/3", "--shard slurm/3 needs SLURM_ARRAY_TASK_ID"),
    ])
  func badUsage(shard: String, reason: String) async throws {
    let result = try await library.holdfast("import", "--shard", shard, Fixtures.path("aac.m4a"))
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(reason), "\(result.errorOutput)")
  }

  @Test("reports a disk that is missing, whatever share its files are in")
  func missing() async throws {
    for number in 1...4 {
      let result = try await library.holdfast(
        "import", "--quiet", "--shard", "\(number)/4", temporary("gone"))
      #expect(result.status == 3)
    }
  }

  @Test("A list that cannot be opened, or read to its end, is the command's failure")
  func unreadable() async throws {
    let gone = try await library.holdfast("import", "--files-from", temporary("gone"))
    #expect(gone.status == 1)
    #expect(gone.errorOutput.contains("\(temporary("gone")) cannot be opened"))
    let folder = try await library.holdfast("import", "--files-from", try makeFolder("folder"))
    #expect(folder.status == 1)
    #expect(folder.errorOutput.contains("is a folder, not a list of files"))
    // Files listed before the failure are imported.
    let list = temporary("list")
    let long = String(repeating: "x", count: 2 << 20)
    try "\(Fixtures.path("aac.m4a"))\n\(long)".write(
      toFile: list, atomically: true, encoding: .utf8)
    let broken = try await library.holdfast("import", "--files-from", list)
    #expect(broken.status == 1)
    #expect(broken.errorOutput.contains("has a line of more than 1 MiB"), "\(broken.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
  }
}
