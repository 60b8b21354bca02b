internal import CEscape
internal import Foundation
internal import Glibc
internal import HoldfastMedia
internal import HoldfastModel
import HoldfastSupport
internal import HoldfastWire
internal import HoldfastWorker

/// A worker that behaves like a compromised decoder: the name of the source says how. Sources whose
/// names begin with `lie-` are worked on as usual, with one lie (``LyingCalls``).
@main
enum Main {
  static func main() { Nursery.run { HostileCalls(honest: FFmpegCalls(willDecode: $0)) } }
}

struct HostileCalls: MediaCalls {
  let honest: FFmpegCalls

  /// Hundredths of a second of processor time.
  var steps: UInt64 { UInt64(clock()) / 10_000 }

  var header: UInt64? { nil }

  private var lying: LyingCalls { LyingCalls(honest: honest) }

  func probe(_ source: OpenMedia, depth: ProbeDepth) throws(MediaError) -> MediaInfo {
    switch source.name {
    case let name where LyingCalls.knows(name): return try lying.probe(source, depth: depth)
    case "crash": escape_crash()
    case "abort": abort()
    case "exit": exit(7)
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
    case "busy":
      while true {}
    case "silent close":
      close(0)
      waitForEver()
    case let name where name.hasPrefix("call "): escape_call_itself(String(name.dropFirst(5)))
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
    guard !LyingCalls.knows(source.name) else {
      return try lying.convert(plan, source: source, output: output, progress: progress)
    }
    stallIfAsked(source)
    if source.name == "talk" { talk() }
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> CheckReport {
    guard !LyingCalls.knows(source.name) else {
      return try lying.check(report, source: source, output: output)
    }
    stallIfAsked(source)
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport {
    // Of an import, the source is what was made of it.
    guard !LyingCalls.knows(source.name), !source.name.hasPrefix("video_") else {
      return try lying.thumbnail(job, source: source, output: output)
    }
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func soundProfile(of source: OpenMedia) throws(MediaError) -> SoundProfile {
    guard !LyingCalls.knows(source.name) else { return try lying.soundProfile(of: source) }
    stallIfAsked(source)
    throw MediaError(.outputRefused, "\(mostWritten(to: source.descriptor))")
  }

  func waveform(
    _ job: WaveformJob, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport {
    throw MediaError(.outputRefused, "\(mostWritten(to: output.descriptor))")
  }

  func prepare() {}

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

  private func stallIfAsked(_ source: OpenMedia) {
    guard source.name.hasPrefix("stall as ") else { return }
    escape_call_itself(String(source.name.dropFirst(9)))
    waitForEver()
  }

  /// Says that it is at work, from two threads at once.
  private func talk() {
    let channel = FrameChannel(OwnDescriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 3)))
    guard let content = try? WireCoding.encode(WorkerReply.alive) else { return }
    Thread { while true { try? channel.send(content) } }.start()
    for _ in 0..<20_000 { try? channel.send(content) }
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
