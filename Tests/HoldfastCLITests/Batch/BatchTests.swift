import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// Programs that distribute a batch, from Debian's packages `slurmctld`, `slurmd`, `slurm-client`,
/// `munge` and `parallel`.
enum Scheduler {
  static func isThere(_ programs: String...) async throws -> Bool {
    try await Command.run("sh", ["-c", "command -v \"$@\" >&2 || exit 1", "sh"] + programs).status
      == 0
  }
}

@Suite("A batch in shares", .temporaryFolder, .serialized, .notInSample)
struct BatchTests {
  private let single = LibraryFolder("single")
  private let merged = LibraryFolder(at: "merged")

  /// Writes the list of the sources: fixtures, with the corpus if present, and clips that differ in
  /// a box at their end.
  private func makeList() async throws -> String {
    let folder = try makeFolder("in")
    let clips = Extent.choose(sample: 60, whole: 2000)
    let program = """
      import sys
      clip = open(sys.argv[1], "rb").read()
      for number in range(int(sys.argv[2])):
          text = b"%012d" % number
          box = (8 + len(text)).to_bytes(4, "big") + b"free" + text
          open(f"{sys.argv[3]}/clip {number}.m4a", "wb").write(clip + box)
      """
    _ = try await Command.output(
      of: "python3", ["-c", program, Fixtures.path("aac.m4a"), "\(clips)", folder])
    let list = temporary("list")
    var folders = [folder]
    if Extent.isWhole, let corpus = Corpus.folder { folders.append(corpus) }
    let script = "find \"$@\" -type f > \"$0\""
    _ = try await Command.output(of: "bash", ["-c", script, list] + folders)
    let names = ["portrait.mov", "voice.wav", "hevc8.mp4", "photo.jpg"].map(Fixtures.path)
    let handle = try #require(FileHandle(forWritingAtPath: list))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((names.joined(separator: "\n") + "\n").utf8))
    return list
  }

  /// The merged library equals that of a single import of the list.
  private func expectWhole(_ list: String) async throws {
    let result = try await single.holdfast("import", "--quiet", "--files-from", list)
    #expect(result.status == 3, "photo.jpg is refused: \(result.errorOutput)")
    let rows = """
      SELECT sourceSHA256, part, partCount, type, duration, fileSize, fileSHA256, thumbnailSHA256
      FROM recording ORDER BY 1, 2
      """
    let (expected, found) = (try await single.sql(rows), try await merged.sql(rows))
    #expect(found == expected && found.count >= Extent.choose(sample: 63, whole: 2003))
    let files = ["-path", "*/Recordings/*", "-type", "f"]
    let counts = (
      try await Command.output(of: "find", [single.path] + files).lines.count,
      try await Command.output(of: "find", [merged.path] + files).lines.count
    )
    #expect(counts.0 == counts.1)
    let verification = try await merged.holdfast("verify", "--deep")
    #expect(verification.status == 0, "\(verification.output)")
    // The shards are empty.
    let left = try await Command.output(
      of: "find", [temporary("shards"), "-path", "*/Recordings/*", "-type", "f"])
    #expect(left.output.isEmpty, "\(left.output)")
  }

  @Test(
    "of GNU parallel is the library of a single import, although a job is killed",
    .enabled("parallel must be there") { try await Scheduler.isThere("parallel") },
    .timeLimit(.minutes(40)))
  func parallel() async throws {
    let list = try await makeList()
    let script = """
      "$0/scripts/batch/parallel.sh" 6 "$1" shards merged &
      until killed=$(pgrep -f "^$HOLDFAST import --library shards/"); do sleep 0.02; done
      sleep 0.3; kill -KILL $killed
      wait $!
      """
    let result = try await Command.run(
      "bash", ["-c", script, Repository.root, list],
      environment: ["HOLDFAST": try Command.holdfast], workingDirectory: temporary(""))
    #expect(result.status == 0, "\(result.errorOutput)")
    try await expectWhole(list)
  }

  @Test(
    "of Slurm is the library of a single import, although a task is killed and a node stops",
    .enabled(if: Extent.isWhole, "Slurm takes minutes to notice that a node is gone"),
    .enabled("Slurm must be there, and the tests be root's") {
      guard getuid() == 0 else { return false }
      return try await Scheduler.isThere("slurmctld", "slurmd", "sbatch", "munged")
    }, .timeLimit(.minutes(40)))
  func slurm() async throws {
    let list = try await makeList()
    let script = """
      set -e
      array=$(sbatch --parsable --array=1-8 --output=log-%a "$0/scripts/batch/slurm.sbatch" 8 \
      "$1" "$PWD/shards" "$2")
      merge=$(sbatch --parsable --dependency=afterok:$array --output=log-merge \
        "$0/scripts/batch/merge.sbatch" "$PWD/merged" "$PWD/shards" "$2")
      until killed=$(pgrep -o -f "^$2 import --library $PWD/shards/"); do sleep 0.02; done
      kill -KILL $killed
      # A machine that loses its power: all processes of the second node end at once.
      on_node() {
        for process in /proc/[0-9]*; do
          tr '\\0' '\\n' <$process/environ 2>/dev/null | grep -qx 'SLURMD_NODENAME=2' && \
      echo ${process#/proc/}
        done; true
      }
      until stopped=$(on_node); [ -n "$stopped" ]; do sleep 0.05; done
      steps=$(ps -o ppid= -p $(echo $stopped | tr ' ' ,) | sort -u | grep -vwF "$stopped" || true)
      kill -KILL $(cat slurm/node-2.pid) $steps $stopped 2>/dev/null || true
      for _ in $(seq 1200); do
        state=$(scontrol show job $merge | sed -n 's/.*JobState=\\([A-Z_]*\\).*/\\1/p')
        case $state in PENDING | RUNNING | CONFIGURING | COMPLETING) sleep 0.5 ;; *) break ;; esac
      done
      scontrol show job $array | grep -o 'Restarts=[1-9]' | sort | uniq -c
      cat log-*; echo "$state"
      """
    let result = try await Command.run(
      "\(Repository.root)/scripts/private-slurm",
      [
        "3", temporary("slurm"), "bash", "-c", script, Repository.root, list, try Command.holdfast,
      ], workingDirectory: temporary(""))
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.lines.last == "COMPLETED", "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("Restarts="), "\(result.output)")
    try await expectWhole(list)
  }
}
