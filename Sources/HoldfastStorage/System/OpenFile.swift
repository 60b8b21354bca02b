package import HoldfastModel
package import HoldfastSupport

/// An open file or folder. It is the only owner of its descriptor, and closes it at its end.
package final class OpenFile: Sendable {
  package let descriptor: CInt
  /// The path it was opened by, for messages. Bytes that are not UTF-8 are replaced.
  package let path: String

  init(owning descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { SystemCalls.close(descriptor) }

  package func identity() throws(HoldfastError) -> FileIdentity {
    try SystemCalls.identity(of: self)
  }

  /// Reads the whole file, whatever its offset is. `body` must not keep the bytes.
  package func forEachChunk(
    of size: Int = 1 << 20, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: max(size, 1))
    var offset: Int64 = 0
    while true {
      let count = try SystemCalls.read(self, into: &buffer, at: offset)
      guard count > 0 else { return }
      try body(buffer[..<count])
      offset += Int64(count)
    }
  }

  /// Returns the file's SHA-256, which it reads from start to end.
  ///
  /// - Parameter copy: Takes each piece, and may throw to end the reading.
  package func sha256(
    until stop: StopFlag, _ copy: (ArraySlice<UInt8>) throws -> Void = { _ in }
  ) throws -> SHA256Digest {
    var hash = SHA256()
    try forEachChunk { bytes in
      try stop.check()
      hash.update(bytes)
      try copy(bytes)
    }
    return hash.digest()
  }

  /// Returns the file's SHA-256. For small files.
  func sha256() throws(HoldfastError) -> SHA256Digest {
    do { return try sha256(until: StopFlag()) } catch {
      throw error as? HoldfastError ?? HoldfastError(.system, operation: "read", path: path)
    }
  }

  /// Makes an empty file that is in memory only, for output that is shown and not kept.
  package static func inMemory() throws(HoldfastError) -> OpenFile {
    try SystemCalls.memoryFile()
  }

  /// Returns the file as text, with damaged characters replaced.
  func text(atMost limit: Int64 = ReadLimit.text) throws(HoldfastError) -> String {
    String(decoding: try bytes(atMost: limit), as: UTF8.self)
  }

  package func bytes(atMost limit: Int64) throws(HoldfastError) -> [UInt8] {
    try refuseIfLarger(than: limit)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // The system gives the files of /proc no size, and others can grow.
    while bytes.count <= limit {
      let count = try SystemCalls.read(self, into: &buffer, at: Int64(bytes.count))
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
    throw tooLarge(Int64(bytes.count), limit)
  }

  package func refuseIfLarger(than limit: Int64) throws(HoldfastError) {
    let size = try identity().size
    guard size > limit else { return }
    throw tooLarge(size, limit)
  }

  private func tooLarge(_ size: Int64, _ limit: Int64) -> HoldfastError {
    HoldfastError(
      .tooLarge, operation: "read", path: path, detail: ReadLimit.reason(size, atMost: limit))
  }

  /// Where the file or folder is now, without links in its path; `nil` if the system cannot say.
  var realPath: SourcePath? {
    SystemCalls.realPath(DirectoryRelativePath("/proc/self/fd/\(descriptor)")).map {
      SourcePath(bytes: $0)
    }
  }

  /// Writes all of `bytes` at the file's offset.
  package func write(_ bytes: ArraySlice<UInt8>) throws(HoldfastError) {
    try SystemCalls.write(bytes, to: self)
  }

  /// Throws the system's error if nothing can be added to the file. Otherwise a mebibyte is added.
  package func refuseIfFull() throws(HoldfastError) {
    try SystemCalls.extend(self, by: 1 << 20)
    try SystemCalls.sync(self)
  }
}

extension OpenFile: Hashable {
  package static func == (one: OpenFile, other: OpenFile) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
