import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("merge --take", .temporaryFolder)
struct MergeTakeTests {
  private let library = LibraryFolder()
  private let other = LibraryFolder("other")

  private func merge(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["merge", "--take", other.path] + options)
  }

  @Test("removes the files that this library now has, and nothing else")
  func takes() async throws {
    try await other.importing("aac.m4a", "portrait.mov", options: ["--notes", "hers"])
    let third = LibraryFolder("third")
    try await third.importing("hevc8.mp4")
    let planned = try await merge(third.path, "--dry-run")
    #expect(planned.status == 0 && !planned.output.contains("removed"), "\(planned.output)")
    #expect(try await other.recordingFiles().count == 3)
    let merged = try await merge(third.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(
      merged.output.contains("recordings: 2 added, 0 MB, 2 removed from there\n"),
      "\(merged.output)")
    try await library.expectSound()
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    #expect(try await other.recordingFiles() == [])
    #expect(try await third.recordingFiles() == [])
    // The other library's rows stay, and a second merge finds nothing to do.
    #expect(try await other.column("SELECT count(*) FROM recording") == ["2"])
    let again = try await merge(third.path)
    #expect(again.status == 0, "\(again.errorOutput)")
    #expect(again.output.contains("recordings: 2 unchanged\n"), "\(again.output)")
  }

  @Test("removes files that a merge without --take brought before")
  func later() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    #expect(try await other.recordingFiles().count == 3)
    let taken = try await merge("--json")
    #expect(taken.output.contains(#""taken":2"#), "\(taken.output)")
    #expect(try await other.recordingFiles() == [])
    try await library.expectSound()
  }

  @Test(
    "leaves a file unless this library has the same one intact",
    arguments: ["theirs", "own", "encoded"])
  func stays(damage: String) async throws {
    let source = damage == "encoded" ? "voice.wav" : "aac.m4a"
    try await other.importing(source)
    let audio = "SELECT filePath FROM recording"
    switch damage {
    case "theirs":
      let path = try await other.path + "/" + other.column(audio)[0]
      _ = try await Command.output(of: "truncate", ["-s", "-1", path])
    case "own":
      // Copied, because a link would be the same file.
      try await library.importing("aac.m4a")
      try await overwrite(library.path + "/" + library.column(audio)[0])
    default: try await library.importing(source, options: ["--audio", "alac"])
    }
    let result = try await merge()
    #expect(try await other.recordingFiles().count == 1, "\(result.output)\(result.errorOutput)")
    switch damage {
    case "theirs":
      #expect(result.status == 3)
      #expect(result.errorOutput.contains("it is damaged"), "\(result.errorOutput)")
    case "own":
      #expect(
        result.errorOutput.contains("this library's own file is not as its row says"),
        "\(result.errorOutput)")
    default:
      #expect(
        result.errorOutput.contains("this library has another file of the recording"),
        "\(result.errorOutput)")
    }
  }

  @Test("links a file on the same disk without reading it, even if it is damaged")
  func secondName() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    let audio = "SELECT filePath FROM recording WHERE type = 'audio'"
    try await overwrite(other.path + "/" + other.column(audio)[0])
    let inodes = try await self.inodes(of: other)
    #expect(inodes.count == 3)
    #expect(try await merge().status == 0)
    #expect(try await self.inodes(of: library) == inodes)
    #expect(try await other.recordingFiles() == [])
    let verified = try await library.holdfast("verify", "--deep")
    #expect(verified.status == 4 && verified.output.contains("audio_"), "\(verified)")
  }

  private func inodes(of library: LibraryFolder) async throws -> Set<String> {
    let files = try await library.recordingFiles().map { library.path + "/" + $0 }
    return Set(
      try await Command.output(of: "stat", ["-c", "%n %i"] + files).lines.map {
        String($0.split(separator: "/").last ?? "")
      })
  }

  @Test("copies where the filesystem is the same but allows no links")
  func noLinks() async throws {
    guard getuid() == 0 else { return }
    try await other.importing("aac.m4a", "portrait.mov", "voice.wav")
    // A file that cannot get a second name in the same way.
    let odd = try await other.column(
      "SELECT id FROM recording WHERE originalFilename = 'voice.wav'")[0]
    try await other.changeCatalog(
      "UPDATE recording SET filePath = 'Recordings/odd.m4a' WHERE id = '\(odd)'")
    _ = try await Command.output(
      of: "mv",
      ["\(other.path)/Recordings/audio_\(odd).m4a", "\(other.path)/Recordings/odd.m4a"])
    let inodes = try await self.inodes(of: other)
    let script = """
      mkdir bound && mount --bind . bound && "$0" merge --library "$1" --take bound/other
      """
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", script, Command.holdfast, library.path],
      workingDirectory: temporary(""))
    #expect(result.status == 3, "\(result.errorOutput)")
    #expect(try await self.inodes(of: library).isDisjoint(with: inodes))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["3"])
    #expect(try await other.recordingFiles() == ["Recordings/odd.m4a"])
    try await library.expectSound()
  }

  @Test("keeps both notes if two libraries have the same source")
  func sameSource() async throws {
    let third = LibraryFolder("third")
    try await other.importing("aac.m4a", options: ["--notes", "hers"])
    try await third.importing("aac.m4a", options: ["--notes", "his"])
    let result = try await merge(third.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 of them known here under another ID"), "\(result.output)")
    let notes = try await library.column("SELECT notes FROM recording").joined()
    #expect(notes.contains("hers") && notes.contains("his"), "\(notes)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    #expect(try await other.recordingFiles() == [])
    #expect(try await third.recordingFiles() == [])
  }

  private func overwrite(_ path: String) async throws {
    _ = try await Command.output(
      of: "dd", ["if=/dev/zero", "of=\(path)", "bs=1", "seek=500", "count=9", "conv=notrunc"])
  }

  @Test("copies to another filesystem, and then removes the files")
  func otherFilesystem() async throws {
    guard getuid() == 0 else { return }
    try await other.importing("aac.m4a", "portrait.mov")
    let script = """
      set -e; mkdir disk; mount -t tmpfs none disk; cp -a "$1" disk/; cd disk/other
      "$0" merge --library "$2" --take . >&2; find . -name '*.mov' -o -name '*.m4a' -o -name '*.jpg'
      """
    let result = try await Command.run(
      "unshare",
      ["-m", "bash", "-c", script, Command.holdfast, other.path, library.path],
      workingDirectory: temporary(""))
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }

  @Test("refuses a backup, and the library itself, wherever that is mounted")
  func refused() async throws {
    try await other.importing("aac.m4a")
    _ = try await other.holdfast("backup", temporary("backups"))
    for options in [[], ["--dry-run"]] {
      let backup = try await library.holdfast(["merge", "--take", temporary("backups")] + options)
      #expect(backup.status == 1, "\(backup.errorOutput)")
      #expect(backup.errorOutput.contains("no files are removed from a backup"))
    }
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    guard getuid() == 0 else { return }
    let script = """
      mkdir bound over upper work; mount --bind "$1" bound
      mount -t overlay overlay -o "lowerdir=$1,upperdir=upper,workdir=work" over ||
        mount --bind "$1" over
      for folder in bound over; do "$0" merge --library "$1" --take $folder; echo $?; done
      """
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", script, Command.holdfast, other.path],
      workingDirectory: temporary(""))
    #expect(result.output == "1\n1\n", "\(result.output)\(result.errorOutput)")
    #expect(
      result.errorOutput.components(separatedBy: "it is this library; name another one").count == 3,
      "\(result.errorOutput)")
    try await other.expectSound()
  }

  @Test("refuses a library that shows the files of the other one")
  func shown() async throws {
    guard getuid() == 0 else { return }
    try await other.importing("aac.m4a", "portrait.mov")
    let script = """
      cp -r "$1" copy; bindfs -o nonempty "$1/Recordings" copy/Recordings
      "$0" merge --library "$1" --take copy; echo $?; umount copy/Recordings
      mkdir disk; mount -t tmpfs none disk; mkdir disk/upper disk/work disk/over
      mount -t overlay overlay -o "lowerdir=$1,upperdir=disk/upper,workdir=disk/work" disk/over ||
        exit 1
      "$0" merge --library disk/over --take "$1"; echo $?
      """
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", script, Command.holdfast, other.path],
      workingDirectory: temporary(""))
    #expect(result.output == "1\n1\n", "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("is a part of this library"), "\(result.errorOutput)")
    try await other.expectSound()
    #expect(try await other.recordingFiles().count == 3)
  }

  @Test("of two libraries from each other at once keeps each recording in one of them")
  func bothAtOnce() async throws {
    try await library.importing("aac.m4a", "portrait.mov", "hevc8.mp4")
    let copy = temporary("copy")
    _ = try await Command.output(of: "cp", ["-a", library.path, copy])
    let script = """
      take() {
        strace -f -qq -o /dev/null -e trace=unlinkat -e inject=unlinkat:delay_enter=300000 \
          "$0" merge --library "$1" --take "$2"
      }
      take "$1" "$2" & take "$2" "$1" & wait
      """
    let result = try await Command.run(
      "bash", ["-c", script, Command.holdfast, library.path, copy])
    let left = try await Command.output(
      of: "find", [library.path, copy, "-name", "*.m4a", "-o", "-name", "*.mov"]
    ).lines.map { ($0 as NSString).lastPathComponent }
    #expect(left.count == 3 && Set(left).count == 3, "\(left) \(result.output)")
  }

  @Test("loses and duplicates nothing, however often it is killed", .timeLimit(.minutes(40)))
  func killed() async throws {
    let shards = (1...3).map { LibraryFolder("shard \($0)") }
    let names = [
      ["aac.m4a", "portrait.mov"], ["hevc8.mp4", "voice.wav"], ["hevc10.mov", "aac.m4a"],
    ]
    for (shard, names) in zip(shards, names) {
      _ = try await shard.holdfast(["import"] + names.map(Fixtures.path))
    }
    let paths = shards.map(\.path)
    var sources: Set<String> = []
    for shard in shards {
      sources.formUnion(try await shard.column("SELECT sourceSHA256 FROM recording"))
    }
    let calls = "linkat,renameat2,unlinkat,fsync,syncfs,pwrite64"
    var killed = 0
    let wanted = Extent.choose(sample: 2, whole: 50)
    for round in 1...5 * wanted where killed < wanted {
      let copies = try await copied(paths, as: "round \(round)")
      let target = LibraryFolder("target \(round)")
      let status = try await Command.run(
        "strace",
        [
          "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
          "inject=\(calls):signal=KILL:when=\(Int.random(in: 1...60))", try Command.holdfast,
        ] + target.command(["merge", "--take"] + copies)
      ).status
      if status == 128 + SIGKILL { killed += 1 }
      // The next command that writes recovers.
      #expect(try await target.holdfast("craving", "log", "--intensity", "1").status == 0)
      try await target.expectSound("round \(round)")
      for path in copies {
        try await MergedPair.expectNothingLost(
          of: LibraryFolder(at: String(path.dropFirst(temporary("").count))), in: target,
          "round \(round)")
      }
      let again = try await target.holdfast(["merge", "--take"] + copies)
      #expect(again.status == 0, "\(again.errorOutput)")
      try await target.expectSound("round \(round)")
      let found = try await target.column("SELECT sourceSHA256 FROM recording")
      #expect(found.count == sources.count && Set(found) == sources)
    }
    #expect(killed == wanted)
  }

  private func copied(_ paths: [String], as name: String) async throws -> [String] {
    let folder = try makeFolder(name)
    _ = try await Command.output(of: "cp", ["-a"] + paths + [folder])
    return paths.map { "\(folder)/\(($0 as NSString).lastPathComponent)" }
  }
}

extension LibraryFolder {
  /// The media files and thumbnails.
  func recordingFiles() async throws -> [String] {
    try await find("-name", "*.m4a", "-o", "-name", "*.mov", "-o", "-name", "*.jpg")
  }
}
