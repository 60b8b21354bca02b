internal import CEscape
internal import Glibc
internal import HoldfastModel
internal import HoldfastWorker

/// A worker whose jobs do what a decoder may do that a file has taken over: the name of the source
/// says what.
@main
enum Main {
  static func main() { Worker.run { _ in HostileCalls() } }
}

struct HostileCalls: MediaCalls {
  /// Hundredths of a second of processor time.
  var steps: UInt64 { UInt64(clock()) / 10_000 }

  var header: UInt64? { nil }

  func probe(_ source: OpenMedia, depth: ProbeDepth) throws(MediaError) -> MediaInfo {
    switch source.name {
    case "crash":
      raise(SIGSEGV)
    case "abort": abort()
    case "exit": exit(7)
    case "killed": raise(SIGKILL)
    case "stall": waitForEver()
    case "slow":
      // Without a word of its own for longer than anybody waits, but at work.
      let end = clock() + 4 * 1_000_000
      while clock() < end {}
    case "babble":
      write(0, "\u{1}\u{2}\u{3}\u{4}no message", 14)
      waitForEver()
    case "giant":
      // The length of a message of 4 GiB.
      write(0, "\u{7F}\u{7F}\u{7F}\u{7F}", 4)
      waitForEver()
    case "wedged":
      // As if nothing of it could run any more: not even the thread that watches.
      escape_call_itself("wedged")
      escape_stop_all_threads()
    case "silent close":
      close(0)
      waitForEver()
    case "call idle": escape_call_itself("idle")
    case "memory": return MediaInfo(container: "\(mostMemory())", fileSize: 0)
    case "threads": return MediaInfo(container: "\(runsThread() ? "yes" : "no")", fileSize: 0)
    case "ruder":
      throw MediaError(.damaged, "\u{1B}[31mred\nsecond line", detail: "\u{202E}x")
    case let name where name.hasPrefix("stall as "):
      escape_call_itself(String(name.dropFirst(9)))
      waitForEver()
    case let name where name.hasPrefix("try "):
      return MediaInfo(container: "\(escape_try(String(name.dropFirst(4))))", fileSize: 0)
    default: break
    }
    return MediaInfo(container: "nothing", fileSize: 0)
  }

  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) throws(MediaError) -> ConversionReport {
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> CheckReport { CheckReport(duration: 1) }

  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport {
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func libraries() -> MediaLibraries { MediaLibraries(versions: [:], encoders: [:]) }

  /// How many MiB of address space there are to have.
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

  private func waitForEver() {
    while true { sleep(1000) }
  }

  private func runsThread() -> Bool {
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { _ in nil }, nil)
    return code == 0 && pthread_join(thread, nil) == 0
  }
}
