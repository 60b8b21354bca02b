internal import HoldfastCLI
internal import HoldfastMedia

/// The `holdfast-media` program: every command, and FFmpeg as their engine.
@main
enum Main {
  @MainActor static func main() async { await Program.run(engine: FFmpegEngine()) }
}
