import CStartup
import HoldfastCLI

/// The `holdfast` program. It has every command, but no engine: media files are read by the
/// workers.
@main
enum Main {
  @MainActor static func main() async { await Program.run() }
}
