import HoldfastModel
import HoldfastSupport

/// One of the shares into which the sources of an import are divided, so that each machine imports
/// one of them.
///
/// A source has a key: its line in a list, or its path relative to the folder that was named, or
/// the name of a file that was named itself. Its share follows from the key alone, so it is the
/// same on every machine, wherever the disk is mounted and in whatever order the sources are found:
/// the first 16 hexadecimal digits of the key's SHA-256, as a number, modulo the number of shares,
/// plus 1.
public struct ImportShare: Hashable, Sendable {
  /// The number of this share, from 1 to ``count``.
  public let number: Int
  /// The number of shares.
  public let count: Int

  /// Makes a share.
  ///
  /// - Returns: `nil` for an impossible share.
  public init?(_ number: Int, of count: Int) {
    guard count > 0, (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  func contains(_ key: some Sequence<UInt8>) -> Bool {
    let digits = SHA256.hash(Array(key)).hexadecimal.prefix(16)
    return UInt64(digits, radix: 16).map { $0 % UInt64(count) } == UInt64(number - 1)
  }
}
