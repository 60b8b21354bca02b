internal import HoldfastCLI

/// The `holdfast` program: every command, and no engine.
@main
enum Main {
  @MainActor static func main() async { await Program.run() }
}
