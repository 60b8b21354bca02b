import Foundation

extension Workbench {
  private static let strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "signal=none"]

  /// How often a contestant flushes to the disk.
  func flushes(of contestant: Contestant) throws -> Int {
    let calls = "trace=fsync,fdatasync,sync_file_range,syncfs,sync,msync"
    let trace = try write("", to: "trace")
    _ = try seconds(contestant, under: Self.strace + ["-o", trace, "-e", calls])
    // A call that another thread interrupts takes two lines; the second has no bracket after its
    // name.
    return text(of: "trace").split(separator: "\n").count { $0.contains(#/sync\w*\(/#) }
  }

  /// The seconds that a contestant takes on a disk that needs 3 ms for a flush.
  func secondsOnSlowDisk(_ contestant: Contestant) throws -> Double {
    let slow = [
      "-o", "/dev/null", "-e", "trace=fsync,fdatasync",
      "-e", "inject=fsync,fdatasync:delay_exit=3000",
    ]
    return try seconds(contestant, under: Self.strace + slow)
  }
}
