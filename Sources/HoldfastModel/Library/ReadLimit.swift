/// Limits for reading untrusted data: a backup, another library, a file that a user names.
///
/// A sparse file can have any size on a small disk, and a folder can list entries without end. Each
/// limit is far above what Holdfast writes.
public enum ReadLimit {
  /// The bytes of a small text file, such as one that describes a backup.
  public static let text: Int64 = 1 << 20
  /// The bytes of a backup's list of files: some ten million files.
  public static let manifest: Int64 = 2 << 30
  /// The files in an unsorted list of a backup, which is in memory as a whole.
  public static let unsortedFiles = 1_000_000
  /// The bytes of a catalog.
  public static let catalog: Int64 = 32 << 30
  /// The bytes of a file that is larger than its row or its backup's list claims.
  public static let recording: Int64 = 4 << 30
  /// The bytes of a thumbnail or a contact sheet.
  public static let picture: Int64 = 64 << 20
  /// The bytes of a source: days of the best pictures.
  public static let source: Int64 = 1 << 40
  /// The entries of a folder that are in memory at once.
  public static let entries = 10_000_000
  /// The bytes of an answer to a question.
  public static let answer = 4096

  /// Returns the reason of a refusal: the size and the limit.
  public static func reason(_ size: Int64, atMost limit: Int64) -> String {
    "\(size) bytes long; at most \(limit) are read"
  }
}
