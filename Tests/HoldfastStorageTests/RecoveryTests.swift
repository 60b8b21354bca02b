import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Synchronization
import Testing

@Suite("Recovery", .temporaryFolder)
struct RecoveryTests {
  private let id = UUID()

  private func recover(_ tree: LibraryTree, rows: Set<UUID> = []) throws -> RecoveryReport {
    try tree.withWriterLock { lock in
      try Recovery.run(of: tree, under: lock, rows: Rows(ids: rows, hash: hash))
    }
  }

  /// The bytes themselves: these files are small.
  private func hash(_ file: OpenFile) throws -> KnownHash {
    var bytes: [UInt8] = []
    try file.forEachChunk { bytes += $0 }
    let hash = SHA256Digest(bytes: bytes + [UInt8](repeating: 0, count: 32 - bytes.count))
    return .hash(try #require(hash))
  }

  /// An import that published and then died; its staging's ID.
  private func diePublished(_ tree: LibraryTree, recordings: [UUID]) throws -> UUID {
    let staging = try makeStaging(tree, files: ["media", "rest"], recordings: recordings)
    try tree.withWriterLock { lock in
      try staging.publish([("media", .media(.video, id: recordings[0]))], under: lock)
    }
    return staging.id
  }

  @Test("A library in order is left as it is")
  func nothing() throws {
    let tree = try makeLibrary()
    let before = try listing("library")
    let report = try recover(tree)
    #expect(report.isEmpty && report.living == [] && report.leftAlone == [])
    #expect(try listing("library") == before)
  }

  @Test("A running import is left alone, in this process or another")
  func living() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media"], recordings: [id])
    let report = try recover(tree)
    #expect(report.living == [staging.id] && report.isEmpty)
    #expect(read("library/.staging/\(workName(staging.id))/media") == "media")
    let leftover = try #require(try tree.contents.leftovers().first { !$0.isInTrash })
    #expect(leftover.name == workName(staging.id) && leftover.isAtWork)
  }

  @Test("An import that died before its row is undone")
  func deadWithoutRow() throws {
    let tree = try makeLibrary()
    try write("other", to: "library/Recordings/video_\(UUID().uuidString).mov")
    let before = try listing("library")
    let staging = try diePublished(tree, recordings: [id, UUID()])
    try write("picture", to: "library/\(RelativePath.thumbnail(id: id))")
    let leftover = try #require(try tree.contents.leftovers().first { !$0.isInTrash })
    #expect(leftover.name == workName(staging) && !leftover.isAtWork)
    let report = try recover(tree)
    #expect(report.unpublished == [.media(.video, id: id), .thumbnail(id: id)])
    #expect(report.removedStaging == [staging])
    #expect(try listing("library") == before)
  }

  @Test("A child that is being started, with a copy of each descriptor, is not a running import")
  func copiedDescriptor() throws {
    let tree = try makeLibrary()
    let staging = try diePublished(tree, recordings: [id])
    let isEnough = Mutex(false)
    let examining = Thread {
      while !isEnough.withLock(\.self) { _ = try? tree.contents.leftovers() }
    }
    examining.start()
    var copy: CInt = -1
    let end = ContinuousClock.now + .seconds(60)
    while copy < 0, ContinuousClock.now < end {
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let file = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(name)")
        if file?.hasSuffix("\(staging).\(tree.machine)/lock") == true, let number = CInt(name) {
          copy = dup(number)
        }
      }
    }
    isEnough.withLock { $0 = true }
    // Until then it may hold the lock itself.
    while !examining.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    try #require(copy >= 0)
    defer { close(copy) }
    #expect(try recover(tree).removedStaging == [staging])
  }

  @Test("What was in a file's place before an import that died without publishing it stays")
  func deadUnpublished() throws {
    let tree = try makeLibrary()
    let paths: [RelativePath] = [.photo(id: id), .media(.video, id: id), .thumbnail(id: id)]
    try makeFolder("library/Recordings/Photos")
    for path in paths { try write("the only copy", to: "library/\(path)") }
    let staging = try makeStaging(tree, files: paths.map(\.name), recordings: [id]).id
    let report = try recover(tree)
    #expect(report.unpublished == [] && report.removedStaging == [staging])
    for path in paths { #expect(read("library/\(path)") == "the only copy", "\(path)") }
  }

  @Test("What was in the place of another library's file stays, if the link was not made")
  func deadUnlinked() throws {
    let tree = try makeLibrary()
    let other = try makeLibrary("other")
    let path = RelativePath.media(.audio, id: id)
    for name in ["library", "other"] { try write("of \(name)", to: "\(name)/\(path)") }
    #expect(chmod(temporary("other/\(path)"), 0o600) == 0)
    let folders = try #require(try OtherFiles.library(other).folders)
    try {
      let staging = try tree.withWriterLock { try tree.makeStaging(id: UUID(), under: $0) }
      let sharing = FileSharing(isAllowed: true, mayClone: false)
      #expect(try staging.name(path, in: folders, by: sharing) != nil)
      try staging.seal(recordings: [id])
    }()
    let report = try recover(tree)
    #expect(report.unpublished == [] && report.removedStaging.count == 1)
    #expect(read("library/\(path)") == "of library")
  }

  @Test("An import that died after its row is done")
  func deadWithRow() throws {
    let tree = try makeLibrary()
    let staging = try diePublished(tree, recordings: [id])
    let report = try recover(tree, rows: [id])
    #expect(report.unpublished == [] && report.removedStaging == [staging])
    #expect(read("library/Recordings/video_\(id.uuidString).mov") == "media")
    #expect(try listing("library/.staging") == [])
  }

  @Test("A recording needs no list if the staging folder is named after it")
  func ownIdentity() throws {
    let tree = try makeLibrary()
    let other = UUID()
    for id in [id, other] {
      try makeFolder("library/.staging/\(workName(id))")
      try write("media", to: "library/Recordings/audio_\(id.uuidString).m4a")
    }
    let report = try recover(tree, rows: [other])
    #expect(report.unpublished == [.media(.audio, id: id)])
    #expect(Set(report.removedStaging) == [id, other])
    #expect(read("library/Recordings/audio_\(id.uuidString).m4a") == nil)
    #expect(read("library/Recordings/audio_\(other.uuidString).m4a") == "media")
  }

  @Test("A staging folder without a lock file, or with half a list, is removed")
  func halfMade() throws {
    let tree = try makeLibrary()
    let other = UUID()
    try makeFolder("library/.staging/\(workName(id))")
    try write("\(other.uuidString)\n1234-5", to: "library/.staging/\(workName(other))/lock")
    #expect(Set(try recover(tree).removedStaging) == [id, other])
    #expect(try listing("library/.staging") == [])
  }

  @Test("Files that Holdfast does not make are left alone and named; no link is followed")
  func strangers() throws {
    let tree = try makeLibrary()
    try write("precious", to: "outside/file")
    let folder = "library/.staging/\(workName(id))"
    try write(to: "library/.staging/note.txt")
    try write(to: "\(folder)/sub/file")
    symlink(temporary("outside"), temporary("library/.staging/\(UUID().uuidString)"))
    symlink(temporary("outside/file"), temporary("\(folder)/lock"))
    symlink(temporary("outside"), temporary("library/.trash/\(UUID().uuidString)"))
    try write(to: "library/.trash/\(workName(id))/video_\(UUID().uuidString).mov")
    symlink(
      temporary("outside/file"),
      temporary("library/.trash/\(workName(id))/\(RelativePath.thumbnail(id: id).name)"))
    try write(to: "library/.staging/\(UUID().uuidString.lowercased())/media")
    let before = try listing("library")
    let report = try recover(tree)
    #expect(report.isEmpty)
    #expect(report.leftAlone.count == 8)
    #expect(try listing("library") == before)
    #expect(read("outside/file") == "precious")
  }

  @Test("A published name that is not a file's is left alone")
  func notAFile() throws {
    let tree = try makeLibrary()
    _ = try diePublished(tree, recordings: [id])
    try write("precious", to: "outside")
    symlink(temporary("outside"), temporary("library/\(RelativePath.thumbnail(id: id))"))
    let report = try recover(tree)
    #expect(report.leftAlone == [temporary("library/\(RelativePath.thumbnail(id: id))")])
    #expect(read("outside") == "precious")
  }

  /// A deletion that moved both files and then died.
  private func dieDeleting() throws {
    let trash = "library/.trash/\(workName(id))"
    try write("media", to: "\(trash)/\(RelativePath.media(.video, id: id).name)")
    try write("picture", to: "\(trash)/\(RelativePath.thumbnail(id: id).name)")
  }

  @Test("A deletion that died before its row went is undone")
  func trashWithRow() throws {
    let tree = try makeLibrary()
    try dieDeleting()
    #expect(try tree.contents.leftovers().filter(\.isInTrash).map(\.name) == [workName(id)])
    let report = try recover(tree, rows: [id])
    #expect(Set(report.restored) == [.media(.video, id: id), .thumbnail(id: id)])
    #expect(read("library/\(RelativePath.media(.video, id: id))") == "media")
    #expect(read("library/\(RelativePath.thumbnail(id: id))") == "picture")
    #expect(try listing("library/.trash") == [])
  }

  @Test("A file is not moved back over another")
  func trashNoReplace() throws {
    let tree = try makeLibrary()
    try dieDeleting()
    try write("newer", to: "library/\(RelativePath.thumbnail(id: id))")
    let report = try recover(tree, rows: [id])
    #expect(report.restored == [.media(.video, id: id)])
    #expect(report.leftAlone.count == 1)
    #expect(read("library/\(RelativePath.thumbnail(id: id))") == "newer")
    #expect(
      read("library/.trash/\(workName(id))/\(RelativePath.thumbnail(id: id).name)") == "picture")
  }

  @Test("A file in the trash is removed if the same bytes are in its place, and kept otherwise")
  func trashTwins() throws {
    let tree = try makeLibrary()
    try dieDeleting()
    try write("media", to: "library/\(RelativePath.media(.video, id: id))")
    try write("picturf", to: "library/\(RelativePath.thumbnail(id: id))")
    let first = try recover(tree, rows: [id])
    #expect(first.restored == [.media(.video, id: id)])
    #expect(first.leftAlone.count == 1)
    #expect(read("library/\(RelativePath.media(.video, id: id))") == "media")
    let trash = "library/.trash/\(workName(id))"
    #expect(try listing(trash).count == 1)
    #expect(read("\(trash)/\(RelativePath.thumbnail(id: id).name)") == "picture")
    try write("picture", to: "library/\(RelativePath.thumbnail(id: id))")
    #expect(try recover(tree, rows: [id]).leftAlone == [])
    #expect(read("library/\(RelativePath.thumbnail(id: id))") == "picture")
    #expect(try listing("library/.trash") == [])
  }

  @Test("A decision that depends on an unread file waits until it has been read")
  func notRead() throws {
    let tree = try makeLibrary()
    try dieDeleting()
    try write("media", to: "library/\(RelativePath.media(.video, id: id))")
    let staging = try tree.withWriterLock { try tree.makeStaging(id: UUID(), under: $0) }
    let remade = RemadeFile(
      path: .thumbnail(id: id), hash: try #require(SHA256Digest(bytes: [UInt8](1...32))))
    _ = try staging.createFile(named: remade.path.name)
    try staging.seal(remade: [remade])
    staging.leaveToRecovery()
    try staging.remove()
    let trash = "library/.trash/\(workName(id))"
    var asked: [RemadeFile] = []
    func recover(_ hash: KnownHash) throws -> RecoveryReport {
      try tree.withWriterLock { lock in
        let rows = Rows(ids: [id, staging.id]) { _ in
          hash
        } settle: {
          asked.append($0)
          return hash != .notRead
        }
        return try Recovery.run(of: tree, under: lock, rows: rows)
      }
    }
    let report = try recover(.notRead)
    #expect(report.leftAlone == [] && report.removedStaging == [])
    #expect(try listing(trash) == [RelativePath.media(.video, id: id).name])
    #expect(try listing("library/.staging").count == 3)
    #expect(try recover(.hash(remade.hash)).removedStaging == [staging.id])
    #expect(asked == [remade, remade])
    #expect(try listing("library/.trash") == [])
  }

  @Test("A deletion that died after its row went is finished")
  func trashWithoutRow() throws {
    let tree = try makeLibrary()
    let before = try listing("library")
    try dieDeleting()
    #expect(try recover(tree).deleted == [id])
    #expect(try listing("library") == before)
  }
}
