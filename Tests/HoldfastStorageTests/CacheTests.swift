import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("The cache", .temporaryFolder)
struct CacheTests {
  private struct NoRow: Error {}

  /// A name for a copy of a file whose hash begins with this byte.
  private func file(of id: UUID, from byte: UInt8 = 1) -> CachedFile {
    let text = String(repeating: "0", count: 63) + "\(byte)"
    guard let hash = SHA256Digest(hexadecimal: String(text.reversed())) else {
      preconditionFailure("no hash")
    }
    return CachedFile(of: id, .video, hash: hash)
  }

  /// Puts a file of ten bytes into the cache.
  private func add(
    _ file: CachedFile, to tree: LibraryTree, limit: Int64 = 1000
  ) throws {
    try tree.withWriterLock { lock in
      let staging = try tree.makeStaging(id: UUID(), under: lock)
      try staging.createFile(named: "copy").write(ArraySlice(Array("0123456789".utf8)))
      try staging.sync("copy")
      try tree.playableCopies.add("copy", from: staging, as: file, limit: limit, under: lock)
      try staging.remove()
    }
  }

  private func names() throws -> Set<String> { Set(try listing("library/.cache")) }

  @Test("A cached file is whole, private, and found by the bytes that it was made from")
  func add() throws {
    let (tree, id) = (try makeLibrary(), UUID())
    #expect(try tree.playableCopies.open(file(of: id)) == nil)
    try add(file(of: id), to: tree)
    #expect(try tree.playableCopies.open(file(of: id))?.identity().size == 10)
    #expect(try tree.playableCopies.open(file(of: id, from: 2)) == nil)
    #expect(mode(temporary("library/.cache")) == 0o700)
    #expect(mode(temporary("library/.cache/\(file(of: id).name)")) == 0o600)
    #expect(try listing("library/.staging") == [])
    // A copy made from other bytes replaces it.
    try add(file(of: id, from: 2), to: tree)
    #expect(try names() == [file(of: id, from: 2).name])
  }

  @Test("The oldest go first, and the new one stays however large it is")
  func bound() throws {
    let tree = try makeLibrary()
    let ids = (0..<4).map { _ in UUID() }
    for (age, id) in ids.dropLast().enumerated() {
      try add(file(of: id), to: tree)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(age - 10))],
        ofItemAtPath: temporary("library/.cache/\(file(of: id).name)"))
    }
    try add(file(of: ids[3]), to: tree, limit: 25)
    #expect(try names() == [file(of: ids[2]).name, file(of: ids[3]).name])
    try add(file(of: ids[0]), to: tree, limit: 5)
    #expect(try names() == [file(of: ids[0]).name])
  }

  @Test("A recording's cached files are removed before its row")
  func delete() throws {
    let (tree, id, other) = (try makeLibrary(), UUID(), UUID())
    try write("media", to: "library/\(RelativePath.media(.video, id: id))")
    try add(file(of: id), to: tree)
    try add(file(of: other), to: tree)
    #expect(throws: NoRow.self) {
      try tree.withWriterLock { lock in
        try Deletion(of: id, paths: [.media(.video, id: id)], in: tree).run(
          under: lock, hasRow: Rows(ids: [id]).hasRow
        ) {
          #expect(try names() == [file(of: other).name])
          throw NoRow()
        }
      }
    }
    #expect(read("library/\(RelativePath.media(.video, id: id))") == "media")
  }

  @Test("A folder with a recording's name does not keep it from being deleted")
  func folder() throws {
    let (tree, id) = (try makeLibrary(), UUID())
    try write("media", to: "library/\(RelativePath.media(.video, id: id))")
    try write("mine", to: "library/.cache/\(id.uuidString)-folder/file")
    try add(file(of: UUID()), to: tree)
    _ = try tree.withWriterLock { lock in
      try Deletion(of: id, paths: [.media(.video, id: id)], in: tree).run(
        under: lock, hasRow: Rows(ids: [id]).hasRow
      ) {}
    }
    #expect(try names().count == 1)
    #expect(try listing("library/.trash").isEmpty)
  }

  @Test("An erase removes everything in it, and follows no link")
  func erase() throws {
    let tree = try makeLibrary()
    try add(file(of: UUID()), to: tree)
    try write("mine", to: "elsewhere/file")
    try makeFolder("library/.cache/folder")
    try FileManager.default.createSymbolicLink(
      atPath: temporary("library/.cache/folder/link"),
      withDestinationPath: temporary("elsewhere"))
    try tree.withWriterLock { try tree.playableCopies.removeAll(under: $0) }
    #expect(read("elsewhere/file") == "mine")
    #expect(!FileManager.default.fileExists(atPath: temporary("library/.cache")))
    try tree.withWriterLock { try tree.playableCopies.removeAll(under: $0) }
    // A link in place of the folder is not a cache.
    try FileManager.default.createSymbolicLink(
      atPath: temporary("library/.cache"), withDestinationPath: temporary("elsewhere"))
    #expect {
      try tree.withWriterLock { try tree.playableCopies.removeAll(under: $0) }
    } throws: {
      ($0 as? HoldfastError)?.code == .notAFolder
    }
    #expect(read("elsewhere/file") == "mine")
  }
}
