import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension Library {
  /// Runs a step on the catalog under the writer lock.
  func whileLocked<Value>(_ step: () throws -> Value) throws -> Value {
    let tree = try writableTree()
    return try tree.withWriterLock { _ in try HoldfastError.checkingRules(step) }
  }

  /// Runs an edit of the catalog under the writer lock, and then removes the text that it replaced
  /// from the catalog's file.
  ///
  /// Compaction stays due for a catalog that is too large to be compacted at once, and on a full
  /// disk.
  func whileEditing<Value>(_ edit: () throws -> Value) throws -> Value {
    try whileLocked {
      let value = try edit()
      _ = try? catalog.compaction.runIfSmall()
      return value
    }
  }

  /// Returns the value that a step found, or throws if another command has deleted it meanwhile.
  func found<Value>(
    _ value: Value?, kind: RecordKind, id: RecordingID
  ) throws(HoldfastError) -> Value {
    guard let value else { throw .gone(kind, id) }
    return value
  }
}
