internal import HoldfastMedia
internal import HoldfastWorker

/// The `holdfast-worker` program: FFmpeg, in processes that can touch nothing.
@main
enum Main {
  static func main() { Nursery.run { FFmpegCalls(willDecode: $0) } }
}
