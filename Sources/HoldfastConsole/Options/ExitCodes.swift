package import ArgumentParser

extension ExitCode {
  /// At least one item failed or was refused. The others are done.
  package static let someFailed = ExitCode(3)
  /// Something is wrong with the library or the machine.
  package static let found = ExitCode(4)
  package static let interrupted = ExitCode(130)
}
