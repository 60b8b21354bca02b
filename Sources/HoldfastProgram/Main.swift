internal import HoldfastCLI

/// The `holdfast` program: every command, and no engine.
@main
enum Main {
  static func main() { Program.run() }
}
