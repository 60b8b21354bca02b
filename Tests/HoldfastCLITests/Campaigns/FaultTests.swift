import Foundation
import HoldfastTestSupport
import Testing

/// A system call that fails from its `from`th time on, in each thread: a full disk stays full. In
/// `CallFaultTests`, calls fail only once.
struct Fault: Sendable, CustomTestStringConvertible {
  var call: String
  var error: String
  var from: Int

  var testDescription: String { "\(call) \(error) \(from)+" }
  var expression: String { "inject=\(call):error=\(error):when=\(from)+" }

  /// The system's own words.
  var words: [String] {
    switch error {
    case "ENOSPC": ["No space left on device", "disk is full"]
    case "EIO": ["Input/output error", "could not be read or written"]
    case "EACCES": ["Permission denied", "cannot be opened"]
    default: ["Disk quota exceeded", "could not be read or written"]
    }
  }

  static let all: [Fault] =
    ["ENOSPC", "EIO", "EDQUOT"].flatMap { error in
      [1, 2, 5, 13].map { Fault(call: "pwrite64", error: error, from: $0) }
    }
    + [
      ("fsync", Array(1...7)), ("fdatasync", [1, 2]), ("renameat2", [1]), ("mkdirat", [1]),
      ("ftruncate", [1]), ("unlinkat", [1, 2, 3]), ("flock", [1, 2, 3]), ("unlink", [1]),
      ("fchmod", [1, 2, 3]),
      // The first calls are the dynamic linker's.
      ("pread64", [3, 5, 8]),
    ].flatMap { call, numbers in numbers.map { Fault(call: call, error: "EIO", from: $0) } }
}

@Suite("When the system refuses", .temporaryFolder)
struct FaultTests {
  let library = LibraryFolder()

  @Test("A limit on the size of files is one sentence for each source, and leaves nothing behind")
  func fileSizeLimit() async throws {
    try await library.importing("aac.m4a")
    // The staging folder's lock is written first.
    let result = try await Command.run(
      "sh",
      ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", try Command.holdfast]
        + library.command(["import", Fixtures.path("portrait.mov"), Fixtures.path("voice.wav")]))
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(
      result.errorLines.count { $0.hasSuffix("File too large") } == 2, "\(result.errorOutput)")
    try await library.expectSound()
  }

  @Test(
    "A failing call is reported in one sentence, and the next import clears what it left",
    arguments: Extent.sample(Fault.all, every: 5))
  func fault(fault: Fault) async throws {
    try await library.importing("aac.m4a")
    let (clip, wav) = (Fixtures.path("portrait.mov"), Fixtures.path("voice.wav"))
    let trace = try await Strace.run(
      ["trace=\(fault.call)", fault.expression],
      library.command(["import", "--jobs", "1", clip, wav]))
    let result = trace.result
    let hit = trace.calls.contains { $0.contains("(INJECTED)") }
    #expect([0, 1, 3].contains(result.status), "\(result.status): \(result.errorOutput)")
    if !hit { #expect(result.status == 0) }
    for line in result.errorLines {
      let isAnItem = line.hasPrefix("refused   \(clip): ") || line.hasPrefix("refused   \(wav): ")
      #expect(isAnItem || (result.status == 1 && line.hasPrefix("Error: ")), "\(line)")
      #expect(!line.contains("Error(") && !line.contains("errno"), "\(line)")
    }
    #expect(result.errorLines.count <= 2)
    if result.status == 0 { #expect(result.errorOutput.isEmpty) }
    // Every recording reported as imported is there. Others may be there too: if no sync after the
    // commit succeeds, the row is there, but may not survive a power cut.
    let printed = result.lines.count { $0.hasPrefix("imported  ") }
    let list = try await library.holdfast("list")
    #expect(list.status == 0)
    #expect(list.lines.count >= printed + 2)
    let next = try await library.holdfast("import", clip, wav)
    #expect(next.status == 0, "\(next.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    try await library.expectSound()
  }

  @Test(
    "A full or failing disk is the item's failure, with the path and the system's message",
    arguments: Extent.sample(
      [
        Fault(call: "pwrite64", error: "ENOSPC", from: 1),
        Fault(call: "pwrite64", error: "EDQUOT", from: 1),
        Fault(call: "pwrite64", error: "EIO", from: 1),
        Fault(call: "fsync", error: "EIO", from: 2), Fault(call: "fsync", error: "ENOSPC", from: 1),
        Fault(call: "renameat2", error: "EACCES", from: 1),
        Fault(call: "mkdirat", error: "ENOSPC", from: 1),
      ], every: 2))
  func sentence(fault: Fault) async throws {
    try await library.importing("aac.m4a")
    let clip = Fixtures.path("portrait.mov")
    let result = try await Strace.run(
      ["trace=\(fault.call)", fault.expression], library.command(["import", clip])
    ).result
    #expect(result.status == 3)
    #expect(result.output == "Nothing new: 1 refused.\n")
    let line = try #require(result.errorLines.first)
    #expect(result.errorLines.count == 1)
    #expect(line.hasPrefix("refused   \(clip): "))
    #expect(line.contains("\(library.path)/"), "\(line)")
    #expect(fault.words.contains { line.contains($0) }, "\(line)")
    try await library.expectSound()
  }

  @Test("A library that cannot be made leaves nothing, or a state that the next init completes")
  func creation() async throws {
    for fault in [
      Fault(call: "mkdir,mkdirat", error: "ENOSPC", from: 1),
      Fault(call: "fsync", error: "EIO", from: 1),
      Fault(call: "fdatasync", error: "EIO", from: 1),
      Fault(call: "pwrite64", error: "ENOSPC", from: 1),
    ] {
      let library = LibraryFolder(at: UUID().uuidString)
      let result = try await Strace.run(
        ["trace=\(fault.call)", fault.expression],
        library.command(["init"])
      ).result
      #expect(result.status == 1, "\(fault.testDescription): \(result.errorOutput)")
      #expect(result.errorLines.count == 1, "\(result.errorOutput)")
      #expect(result.output.isEmpty)
      #expect(try await library.holdfast("list").errorOutput.contains("there is no library in"))
      #expect(try await library.holdfast("init").status == 0)
      try await library.importing("aac.m4a")
      try await library.expectSound()
    }
  }
}

@Suite("A full disk", .temporaryFolder)
struct FullDiskTests {
  /// Whether a small filesystem can be mounted here; containers often forbid it.
  static func canMount() async throws -> Bool {
    try await Command.run(
      "unshare", ["-Urm", "sh", "-c", "mount -t tmpfs -o size=1m none /mnt"]
    ).status == 0
  }

  @Test(
    "On a disk that is really full, items are refused in one sentence and the library stays sound",
    .enabled("user namespaces must be allowed to mount a tmpfs") { try await canMount() })
  func full() async throws {
    let mount = try makeFolder("disk")
    let script = """
      set -e
      mount -t tmpfs -o size=24m none "$1"
      "$0" init "$1/library" >/dev/null 2>&1
      "$0" import --library "$1/library" "$2" >/dev/null 2>&1
      head -c 12000000 /dev/zero > "$1/filler"
      "$0" import --library "$1/library" --jobs 1 "$2" "$3" && exit 90 || test $? = 3
      rm "$1/filler"
      head -c 30000000 /dev/zero > "$1/filler" 2>/dev/null && exit 91
      "$0" list --library "$1/library" 2>&1
      "$0" import --library "$1/library" --jobs 1 "$2" "$3" 2>&1 && exit 92 || test $? = 3
      rm "$1/filler"
      "$0" import --library "$1/library" --jobs 1 "$2" "$3" 2>&1
      "$0" verify --library "$1/library" 2>&1
      find "$1/library/.staging" "$1/library/.trash" -mindepth 1
      """
    let (aac, clip) = (Fixtures.path("aac.m4a"), Fixtures.path("portrait.mov"))
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "unshare", ["-Urm", "bash", "-c", script, holdfast, mount, aac, clip])
    #expect(result.status == 0)
    #expect(result.errorOutput.contains("refused   \(clip): needs about 17 MB in "))
    #expect(result.lines.last == "2 recordings checked: nothing found.")
    #expect(result.lines.contains("1 imported, 1 already in the library."))
  }
}
