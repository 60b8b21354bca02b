import CStartup
import HoldfastMedia
import HoldfastWorker

/// The `holdfast-worker` program: FFmpeg, or another program, in sandboxed processes.
@main
enum Main {
  static func main() {
    if Confinement.isAsked { Confinement.run() }
    Nursery.run { FFmpegCalls(willDecode: $0) }
  }
}
