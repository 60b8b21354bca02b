internal import HoldfastMedia
internal import HoldfastWorker

/// The `holdfast-worker` program: FFmpeg, in a process that can touch nothing.
@main
enum Main {
  static func main() { Worker.run { FFmpegCalls(willDecode: $0) } }
}
