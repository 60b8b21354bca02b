import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Erasing everything", .temporaryFolder)
struct EraseTests {
  private let id = UUID()
  private let recording = UUID()
  private var media: RelativePath { .media(.video, id: recording) }
  private var aside: String { "library/.trash/\(workName(id))/Recordings" }
  private let skeleton = [
    ".lock", ".staging", ".trash", "Recordings", "Recordings/Thumbnails", "catalog.sqlite",
    "holdfast.json",
  ]

  private func makeRecording() throws -> LibraryTree {
    let tree = try makeLibrary()
    try write("media", to: "library/\(media)")
    try write("picture", to: "library/\(RelativePath.thumbnail(id: recording))")
    return tree
  }

  private func setAside(_ tree: LibraryTree, as id: UUID? = nil) throws {
    try tree.withWriterLock { lock in try Erasure(id: id ?? self.id, in: tree).begin(under: lock) }
  }

  private func removeErased(_ tree: LibraryTree, rows: Set<UUID> = []) throws {
    try tree.withWriterLock { lock in
      try Erasure(id: id, in: tree).finish(under: lock, hasRow: Rows(ids: rows).hasRow)
    }
  }

  private func recover(_ tree: LibraryTree, rows: Set<UUID> = []) throws -> RecoveryReport {
    try tree.withWriterLock { lock in try Recovery.run(of: tree, under: lock, rows: Rows(ids: rows))
    }
  }

  // MARK: To the end

  @Test("Everything is removed, and an empty library is left")
  func erase() throws {
    let tree = try makeRecording()
    try setAside(tree)
    #expect(read("\(aside)/\(media.name)") == "media")
    #expect(mode(temporary("library/.trash/\(workName(id))")) == 0o700)
    #expect(!FileManager.default.fileExists(atPath: temporary("library/Recordings")))
    for _ in 1...2 {
      try removeErased(tree)
      #expect(try listing("library") == skeleton)
    }
    for name in ["Recordings", "Recordings/Thumbnails"] {
      #expect(mode(temporary("library/\(name)")) == 0o700)
    }
    #expect(try recover(tree).isEmpty)
  }

  @Test("A library without Recordings, or with nothing but its marker, is erased too")
  func withoutRecordings() throws {
    let tree = try makeLibrary()
    for name in ["Recordings", ".trash", ".staging"] {
      try FileManager.default.removeItem(atPath: temporary("library/\(name)"))
    }
    try setAside(tree)
    #expect(try listing("library/.trash") == [])
    try removeErased(tree)
    #expect(try listing("library") == skeleton)
  }

  @Test("Files of any kind and name are removed, but nothing behind a link")
  func everyKind() throws {
    let tree = try makeRecording()
    try write("precious", to: "outside/folder/file")
    for folder in [".trash", ".staging", ".quarantine", "Recordings"] {
      let folder = "library/\(folder)"
      try write(to: "\(folder)/2026-01-01/sub/a.mov")
      try write(to: "\(folder)/2026-01-01/notes.txt")
      try write(to: "\(folder)/\(UUID().uuidString)/a.mov")
      try makeFolder("\(folder)/empty")
      symlink(temporary("outside/folder"), temporary("\(folder)/link"))
      symlink(temporary("outside/folder/file"), temporary("\(folder)/2026-01-01/link"))
      symlink("nowhere", temporary("\(folder)/dangling"))
      mkfifo(temporary("\(folder)/fifo"), 0o600)
      let raw = (Array(temporary(folder).utf8) + [0x2F, 0xFF, 0xFE]).map { CChar(bitPattern: $0) }
      mkdir(raw + [0], 0o700)
      close(creat(raw + [0x2F, CChar(bitPattern: 0xFD), 0], 0o600))
    }
    try setAside(tree)
    try removeErased(tree)
    #expect(try listing("library") == skeleton)
    #expect(read("outside/folder/file") == "precious")
  }

  @Test("Folders that may be neither read nor written are removed as well")
  func modes() throws {
    let tree = try makeLibrary()
    for (name, mode) in [("a", 0o000), ("b", 0o500), ("c", 0o400), ("d", 0o300)] {
      try write(to: "library/.quarantine/\(name)/inner/file")
      chmod(temporary("library/.quarantine/\(name)/inner"), mode_t(mode))
      chmod(temporary("library/.quarantine/\(name)"), mode_t(mode))
    }
    try setAside(tree)
    try removeErased(tree)
    #expect(try listing("library") == skeleton)
  }

  @Test("A tree of 2,000 levels is removed, with few descriptors")
  func deep() async throws {
    _ = try makeLibrary()
    await #expect(processExitsWith: .success) { [path = temporary("library") as String] in
      var limit = rlimit(rlim_cur: 40, rlim_max: 40)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      mkdir("\(path)/.quarantine", 0o700)
      var folder = open("\(path)/.quarantine", O_RDONLY)
      for _ in 1...2000 {
        #expect(mkdirat(folder, "level", 0o700) == 0)
        close(openat(folder, "file", O_CREAT | O_WRONLY, 0o600))
        let next = openat(folder, "level", O_RDONLY)
        close(folder)
        folder = next
      }
      close(folder)
      let tree = try LibraryTree.open(at: path)
      let id = UUID()
      try tree.withWriterLock { lock in
        try Erasure(id: id, in: tree).begin(under: lock)
        try Erasure(id: id, in: tree).finish(under: lock, hasRow: Rows().hasRow)
      }
    }
    #expect(try listing("library") == skeleton)
  }

  @Test("A removal that stopped anywhere is continued")
  func interruptedRemoval() throws {
    let tree = try makeRecording()
    try setAside(tree)
    let moved = "library/.trash/erased-\(UUID().uuidString)"
    try FileManager.default.moveItem(
      atPath: temporary("library/.trash/\(workName(id))"), toPath: temporary(moved))
    unlink(temporary("\(moved)/Recordings/\(media.name)"))
    try removeErased(tree)
    #expect(try listing("library") == skeleton)
  }

  @Test(
    "A file that cannot be removed is an error, and everything else is removed",
    .enabled(if: geteuid() == 0, "only root may mount"))
  func cannotRemove() throws {
    let tree = try makeRecording()
    try write("note", to: "library/.quarantine/note")
    try setAside(tree)
    try makeFolder("library/.trash/mounted")
    guard mount("none", temporary("library/.trash/mounted"), "tmpfs", 0, nil) == 0 else {
      return  // A container may forbid mounts.
    }
    defer { umount2(temporary("library/.trash/mounted"), CInt(MNT_DETACH)) }
    #expect(throws: HoldfastError.self) { try removeErased(tree) }
    #expect(try listing("library/.trash") == ["mounted"])
    #expect(try !listing("library").contains(".quarantine"))
  }

  // MARK: Imports

  @Test("An import at work is seen, and left alone; one that died is not")
  func imports() throws {
    let tree = try makeLibrary()
    #expect(try tree.contents.leftovers().allSatisfy { !$0.isAtWork })
    let staging = try makeStaging(tree, files: ["media"], recordings: [recording])
    #expect(try tree.contents.leftovers().contains(where: \.isAtWork))
    try makeFolder("library/.staging/\(UUID().uuidString)")
    try setAside(tree)
    try removeErased(tree)
    let folder = ".staging/\(workName(staging.id))"
    #expect(
      try listing("library")
        == (skeleton + [folder, "\(folder)/lock", "\(folder)/media"]).sorted())
    try tree.withWriterLock { lock in try staging.publish([("media", media)], under: lock) }
    try staging.remove()
    #expect(try tree.contents.leftovers().allSatisfy { !$0.isAtWork })
    #expect(read("library/\(media)") == "media")
  }

  /// An import that published and then died.
  private func diePublished(_ tree: LibraryTree, _ recording: UUID) throws {
    let staging = try makeStaging(tree, files: ["media"], recordings: [recording])
    try tree.withWriterLock { lock in
      try staging.publish([("media", .media(.video, id: recording))], under: lock)
    }
  }

  @Test("An import after an interrupted erase stays if it has a row, and is removed if not")
  func importsSince() throws {
    let tree = try makeRecording()
    try setAside(tree)
    let (withRow, withoutRow) = (UUID(), UUID())
    try diePublished(tree, withRow)
    try diePublished(tree, withoutRow)
    try removeErased(tree, rows: [withRow])
    #expect(
      try listing("library") == (skeleton + ["\(RelativePath.media(.video, id: withRow))"]).sorted()
    )
  }

  @Test("A deletion begun after an interrupted erase does not count as erased")
  func deletionSince() throws {
    let tree = try makeRecording()
    try setAside(tree)
    let later = UUID()
    let path = RelativePath.media(.video, id: later)
    try write("later", to: "library/.trash/\(workName(later))/\(path.name)")
    try removeErased(tree, rows: [later])
    #expect(try recover(tree, rows: [later]).restored == [path])
    #expect(read("library/\(path)") == "later")
    #expect(try listing("library") == (skeleton + [path.string]).sorted())
  }

  @Test("Files that still have their row are not removed, and recovery brings them back")
  func rowsStand() throws {
    let tree = try makeRecording()
    try write("note", to: "library/.quarantine/note")
    try setAside(tree)
    try removeErased(tree, rows: [recording])
    #expect(read("\(aside)/\(media.name)") == "media")
    #expect(try recover(tree, rows: [recording]).broughtBack == [id])
    #expect(read("library/\(media)") == "media")
    #expect(read("library/.quarantine/note") == "note")
  }

  @Test("Files quarantined since then stay, and those set aside come back beside them")
  func quarantine() throws {
    let tree = try makeRecording()
    for name in ["2026-01-01", "2026-01-02"] {
      try write("old", to: "library/.quarantine/\(name)/a")
    }
    try setAside(tree)
    #expect(read("library/.quarantine/2026-01-01/a") == nil)
    try write("new", to: "library/.quarantine/2026-01-02/a")
    #expect(try recover(tree, rows: [recording]).broughtBack == [id])
    for (name, text) in [("2026-01-01", "old"), ("2026-01-02", "new"), ("2026-01-02-2", "old")] {
      #expect(read("library/.quarantine/\(name)/a") == text)
    }
    #expect(try listing("library/.trash") == [])
    try setAside(tree)
    try write("newer", to: "library/.quarantine/2026-01-03/a")
    try removeErased(tree)
    #expect(try listing("library/.quarantine") == ["2026-01-03", "2026-01-03/a"])
  }

  @Test("Any computer that finds an erase's mark finishes that erase, and no other")
  func otherMark() throws {
    let tree = try makeRecording()
    let (mine, theirs) = (UUID(), "\(id.uuidString).0123456789abcdef")
    try write("erased", to: "library/.trash/\(theirs)/Recordings/\(media.name)")
    try write("note", to: "library/.trash/\(workName(mine))/.quarantine/note")
    try removeErased(tree)
    #expect(try !listing("library/.trash").contains { $0.hasPrefix(theirs) })
    #expect(try recover(tree, rows: [recording]).broughtBack == [mine])
    #expect(read("library/.quarantine/note") == "note")
  }

  // MARK: Back again

  @Test("Files set aside are brought back if the catalog cannot be changed")
  func bringBack() throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try setAside(tree)
    for _ in 1...2 {
      try tree.withWriterLock { lock in try Erasure(id: id, in: tree).undo(under: lock) }
      #expect(try listing("library") == before)
    }
    #expect(read("library/\(media)") == "media")
  }

  @Test("An erase that died before its commit is undone")
  func recovered() throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try setAside(tree)
    let report = try recover(tree, rows: [recording])
    #expect(report.broughtBack == [id] && !report.isEmpty && report.leftAlone == [])
    #expect(try listing("library") == before)
    #expect(try recover(tree, rows: [recording]).isEmpty)
  }

  @Test("An erase that died before it moved anything, or after it moved all back, leaves no trace")
  func nothingAside() throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try makeFolder("library/.trash/\(workName(id))")
    _ = try recover(tree, rows: [recording])
    #expect(try listing("library") == before)
  }

  @Test("Empty folders that were made since then do not prevent it", arguments: [true, false])
  func emptyFolders(thumbnails: Bool) throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try setAside(tree)
    try makeFolder("library/Recordings" + (thumbnails ? "/Thumbnails" : ""))
    let inode = try FileManager.default.attributesOfItem(atPath: temporary(aside))
    #expect(try recover(tree, rows: [recording]).broughtBack == [id])
    #expect(try listing("library") == before)
    let now = try FileManager.default.attributesOfItem(atPath: temporary("library/Recordings"))
    #expect(now[.systemFileNumber] as? NSNumber == inode[.systemFileNumber] as? NSNumber)
  }

  @Test("Recordings imported since then stay, and files set aside come back beside them")
  func merged() throws {
    let tree = try makeRecording()
    try write("by hand", to: "library/Recordings/Other/file")
    try write("hidden", to: "library/Recordings/Thumbnails/.note")
    symlink("nowhere", temporary("library/Recordings/link"))
    let before = try listing("library")
    try setAside(tree)
    let since = UUID()
    let new = [RelativePath.media(.audio, id: since), .thumbnail(id: since)]
    for path in new { try write("since", to: "library/\(path)") }
    let report = try recover(tree, rows: [recording, since])
    #expect(report.broughtBack == [id] && report.leftAlone == [])
    #expect(try listing("library") == (before + new.map(\.string)).sorted())
    #expect(read("library/\(media)") == "media" && read("library/\(new[1])") == "since")
  }

  @Test("Nothing is replaced; a file whose place is taken is reported, and comes back later")
  func taken() throws {
    let tree = try makeRecording()
    try write("by hand", to: "library/Recordings/Other/file")
    try setAside(tree)
    try write("newer", to: "library/\(media)")
    try write("newer", to: "library/Recordings/Other/file")
    let picture = RelativePath.thumbnail(id: recording)
    try makeFolder("library/\(picture)")
    let report = try recover(tree, rows: [recording])
    #expect(report.broughtBack == [])
    #expect(
      report.leftAlone == [
        temporary("\(aside)/Other"), temporary("\(aside)/Thumbnails/\(picture.name)"),
        temporary("\(aside)/\(media.name)"),
      ])
    #expect(read("library/\(media)") == "newer" && read("\(aside)/\(media.name)") == "media")
    #expect(read("library/Recordings/Other/file") == "newer")
    for name in [media.string, "Recordings/Other", picture.string] {
      try FileManager.default.removeItem(atPath: temporary("library/\(name)"))
    }
    #expect(try recover(tree, rows: [recording]).broughtBack == [id])
    #expect(read("library/\(media)") == "media" && read("library/\(picture)") == "picture")
    #expect(read("library/Recordings/Other/file") == "by hand")
    #expect(try listing("library/.trash") == [])
  }

  @Test("A file or a link in the place of Recordings is left alone")
  func noFolder() throws {
    let tree = try makeRecording()
    try setAside(tree)
    try makeFolder("outside")
    symlink(temporary("outside"), temporary("library/Recordings"))
    let report = try recover(tree, rows: [recording])
    #expect(report.isEmpty && report.leftAlone == [temporary(aside)])
    #expect(read("\(aside)/\(media.name)") == "media")
    #expect(try listing("outside") == [])
    unlink(temporary("library/Recordings"))
    #expect(try recover(tree, rows: [recording]).broughtBack == [id])
    #expect(read("library/\(media)") == "media")
  }

  @Test("Imports and deletions interrupted before an erase are undone when it is undone")
  func olderLeftovers() throws {
    let tree = try makeRecording()
    let (published, deleted) = (UUID(), UUID())
    let deletedPath = RelativePath.media(.audio, id: deleted)
    try diePublished(tree, published)
    try write("deleted", to: "library/.trash/\(workName(deleted))/\(deletedPath.name)")
    try setAside(tree)
    let report = try recover(tree, rows: [recording, deleted])
    #expect(report.broughtBack == [id] && report.restored == [deletedPath])
    #expect(report.unpublished == [.media(.video, id: published)] && report.leftAlone == [])
    #expect(read("library/\(media)") == "media" && read("library/\(deletedPath)") == "deleted")
    #expect(try tree.status(of: .media(.video, id: published)) == .missing)
    #expect(try listing("library/.staging") == [] && listing("library/.trash") == [])
  }

  @Test("One erase at a time: nothing is moved before the last one is finished or undone")
  func twice() throws {
    let tree = try makeRecording()
    try setAside(tree)
    try write("since", to: "library/\(RelativePath.media(.audio, id: UUID()))")
    let before = try listing("library")
    #expect { try setAside(tree, as: UUID()) } throws: {
      HoldfastError.Code.interruptedErase ~= $0
    }
    #expect(try listing("library") == before)
  }

  @Test(
    "A folder that is a link is refused before anything is moved",
    arguments: ["Recordings", "Recordings/Thumbnails", ".trash", ".staging", ".quarantine"])
  func links(name: String) throws {
    let tree = try makeLibrary()
    try makeFolder("library/.quarantine")
    try FileManager.default.moveItem(
      atPath: temporary("library/\(name)"), toPath: temporary("elsewhere"))
    symlink(temporary("elsewhere"), temporary("library/\(name)"))
    let before = try listing("library")
    #expect { try setAside(tree) } throws: {
      guard let error = $0 as? HoldfastError else { return false }
      return error.code == .notAFolder && error.path == temporary("library/\(name)")
    }
    #expect(try listing("library") == before)
  }
}
