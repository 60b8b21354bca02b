internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

extension Staging {
  /// Makes a file here and has it written.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - body: Writes it; it must not keep the file.
  /// - Returns: What `body` returns, and the file, open for reading, to which nobody can write any more.
  /// - Throws: `StorageError`, and what `body` throws.
  func writing<Value>(
    _ name: String, _ body: (OpenFile) async throws -> Value
  ) async throws -> (Value, OpenFile) {
    // In a function of its own: the writable descriptor is closed when it returns.
    let value = try await make(name, body)
    return (value, try await onOwnThread { _ in try self.openWritten(name) })
  }

  private func make<Value>(
    _ name: String, _ body: (OpenFile) async throws -> Value
  ) async throws -> Value {
    try await body(try await onOwnThread { _ in try self.createFile(named: name) })
  }
}
