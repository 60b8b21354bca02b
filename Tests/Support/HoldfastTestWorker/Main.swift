import CEscape
import Foundation
import Glibc
import HoldfastMedia
import HoldfastModel
import HoldfastSupport
import HoldfastWire
import HoldfastWorker

/// A worker that behaves like a compromised decoder, as the source's name says. Sources whose names
/// begin with `lie-` are processed as usual, with one lie (``LyingCalls``).
@main
enum Main {
  static func main() { Nursery.run { HostileCalls(honest: FFmpegCalls(willDecode: $0)) } }
}

struct HostileCalls: MediaCalls {
  let honest: FFmpegCalls

  /// Hundredths of a second of processor time.
  var steps: UInt64 { UInt64(clock()) / 10_000 }

  var header: UInt64? { nil }

  func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) throws(HoldfastError) -> MediaReport {
    // The last file is the one to write to, or the only one.
    let (source, last) = (job.files[0].name, job.files[job.files.count - 1])
    if LyingCalls.isMeant(job) { return try LyingCalls(honest: honest).perform(job, progress) }
    if source.hasPrefix("stall as ") {
      escape_call_itself(String(source.dropFirst(9)))
      waitForEver()
    }
    if case .probe = job { return .probed(try probe(source)) }
    if case .convert = job {
      if source == "talk" { talk() }
      if source == "slow" { work(at: 0.01, progress) }
    }
    throw HoldfastError(.outputRefused, "\(mostWritten(to: last.descriptor))")
  }

  private func probe(_ source: String) throws(HoldfastError) -> MediaInfo {
    switch source {
    case "crash": escape_crash()
    case "abort": abort()
    case "exit": exit(7)
    case "stall": waitForEver()
    case "slow":
      // Silent for longer than any timeout, but at work.
      let end = clock() + 4 * 1_000_000
      while clock() < end {}
    case "babble":
      write(0, "\u{1}\u{2}\u{3}\u{4}no message", 14)
      waitForEver()
    case "giant":
      // The length of a message of 4 GiB.
      write(0, "\u{7F}\u{7F}\u{7F}\u{7F}", 4)
      waitForEver()
    case "busy":
      while true {}
    case "silent close":
      close(0)
      waitForEver()
    case let name where name.hasPrefix("call "): escape_call_itself(String(name.dropFirst(5)))
    case "memory": return MediaInfo(container: "\(mostMemory())", fileSize: 0)
    case "threads": return MediaInfo(container: "\(runsThread() ? "yes" : "no")", fileSize: 0)
    case "ruder":
      throw HoldfastError(.damaged, "\u{1B}[31mred\nsecond line", detail: "\u{202E}x")
    case let name where name.hasPrefix("report "):
      var error = HoldfastError(
        HoldfastError.Code(rawValue: String(name.dropFirst(7))), "it says so",
        operation: "start a thread", errno: ENOSPC)
      error.stream = 1
      throw error
    case let name where name.hasPrefix("try "):
      return MediaInfo(container: "\(escape_try(String(name.dropFirst(4))))", fileSize: 0)
    default: break
    }
    return MediaInfo(container: "nothing", fileSize: 0)
  }

  func libraries() -> MediaLibraries { MediaLibraries(versions: [:], encoders: [:]) }

  /// How many MiB of address space are available.
  private func mostMemory() -> Int {
    var mebibytes = 0
    while mmap(nil, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED {
      mebibytes += 1
    }
    return mebibytes
  }

  /// How far a file can be written, in MiB, in steps of one; -1 when nothing stops it.
  private func mostWritten(to descriptor: CInt) -> Int {
    for mebibytes in 0..<(1 << 20) where pwrite(descriptor, "x", 1, mebibytes << 20) != 1 {
      return mebibytes
    }
    return -1
  }

  /// Reports progress from two threads at once.
  private func talk() {
    let channel = FrameChannel(OwnDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 3)))
    guard let content = try? WireCoding.encode(WorkerReply.alive) else { return }
    Thread { while true { try? channel.send(content) } }.start()
    for _ in 0..<20_000 { try? channel.send(content) }
  }

  /// Does a share of its work each second.
  private func work(at rate: Double, _ progress: (Double) -> Void) {
    for second in 1... {
      sleep(1)
      progress(Double(second) * rate)
    }
  }

  private func waitForEver() {
    while true { sleep(1000) }
  }

  private func runsThread() -> Bool {
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { _ in nil }, nil)
    return code == 0 && pthread_join(thread, nil) == 0
  }
}
