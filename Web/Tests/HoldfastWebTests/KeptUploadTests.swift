import Foundation
import Holdfast
import Testing

@testable import HoldfastWeb

@Suite("Uploads that wait for a choice", .timeLimit(.minutes(1)))
struct KeptUploadTests {
  /// Makes an upload in a new library, and calls `body` with it and the library's staging.
  private func withUpload(_ body: (Upload, URL) async throws -> Void) async throws {
    let root = URL.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let location = LibraryLocation(path: root.path)
    try Library.create(at: location)
    let upload = try Library.open(at: location, for: .writing).beginUpload(named: "long.mov")
    try upload.write([1, 2, 3])
    try await body(upload, root.appending(path: ".staging"))
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  @Test("Without a choice, the file is removed after a while")
  func expires() async throws {
    try await withUpload { upload, staging in
      #expect(KeptUploads(patience: .zero).keep(upload, ImportOptions(), as: UUID()))
      while try !names(in: staging).isEmpty { await Task.yield() }
    }
  }

  @Test("A choice takes the file once, and it then stays until its import has ended")
  func isTakenOnce() async throws {
    try await withUpload { upload, staging in
      let (kept, id) = (KeptUploads(), UUID())
      #expect(kept.keep(upload, ImportOptions(title: "Long"), as: id))
      let taken = try #require(kept.take(id))
      #expect(taken.options.title == "Long" && taken.upload.byteCount == 3)
      #expect(kept.take(id) == nil)
      kept.end()
      let left = try names(in: staging)
      #expect(left.count == 1)
    }
  }

  @Test("The end of the server removes the files, and no further one is kept")
  func ends() async throws {
    try await withUpload { upload, staging in
      let kept = KeptUploads()
      #expect(kept.keep(upload, ImportOptions(), as: UUID()))
      kept.end()
      let left = try names(in: staging)
      #expect(left.isEmpty)
      #expect(!kept.keep(upload, ImportOptions(), as: UUID()))
    }
  }

  @Test("Together they have no more room than one upload: the oldest is removed for a new one")
  func haveALimit() async throws {
    try await withUpload { first, staging in
      let kept = KeptUploads(mostBytes: 5)
      let library = try Library.open(
        at: LibraryLocation(path: staging.deletingLastPathComponent().path), for: .writing)
      let second = try library.beginUpload(named: "longer.mov")
      try second.write([1, 2, 3])
      let ids = [UUID(), UUID()]
      #expect(kept.keep(first, ImportOptions(), as: ids[0]))
      #expect(kept.keep(second, ImportOptions(), as: ids[1]))
      let left = try names(in: staging)
      #expect(left.count == 1)
      #expect(kept.take(ids[0]) == nil && kept.take(ids[1]) != nil)
    }
  }
}
