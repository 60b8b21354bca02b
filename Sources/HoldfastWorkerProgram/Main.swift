import CStartup
import HoldfastMedia
import HoldfastWorker

/// The `holdfast-worker` program: FFmpeg, in sandboxed processes.
@main
enum Main {
  static func main() { Nursery.run { FFmpegCalls(willDecode: $0) } }
}
