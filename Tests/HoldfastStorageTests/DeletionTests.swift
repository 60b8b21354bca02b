import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Deleting a recording", .temporaryFolder)
struct DeletionTests {
  private struct NoRow: Error {}
  private struct NoAnswer: Error {}

  private let id = UUID()
  private var media: RelativePath { .media(.video, id: id) }
  private var picture: RelativePath { .thumbnail(id: id) }
  private var trash: String { "library/.trash/\(workName(id))" }

  /// A library with one recording, and with another one that must stay unchanged.
  private func makeRecording() throws -> LibraryTree {
    let tree = try makeLibrary()
    try write("media", to: "library/\(media)")
    try write("picture", to: "library/\(picture)")
    try write("other", to: "library/\(RelativePath.media(.video, id: UUID()))")
    return tree
  }

  @discardableResult
  private func delete(
    _ tree: LibraryTree, _ paths: [RelativePath]? = nil,
    rows: Rows = Rows(check: { throw NoAnswer() }), deletingRow: () throws -> Void = {}
  ) throws -> [RelativePath] {
    try tree.withWriterLock { lock in
      try Deletion(of: id, paths: paths ?? [media, picture], in: tree).run(
        under: lock, hasRow: rows.hasRow, deletingRow: deletingRow)
    }
  }

  private func recover(_ tree: LibraryTree, hasRow: Bool) throws -> RecoveryReport {
    try tree.withWriterLock { lock in
      try Recovery.run(of: tree, under: lock, rows: Rows(ids: hasRow ? [id] : []))
    }
  }

  private func path(_ string: String) throws -> RelativePath {
    try #require(RelativePath(string))
  }

  @Test("The files wait in the trash, under their own names, until the row is gone")
  func delete() throws {
    let tree = try makeRecording()
    let others = try listing("library").filter { !$0.contains(id.uuidString) }
    let left = try delete(tree) {
      #expect(read("\(trash)/\(media.name)") == "media")
      #expect(read("\(trash)/\(picture.name)") == "picture")
      #expect(read("library/\(media)") == nil && read("library/\(picture)") == nil)
      #expect(mode(temporary(trash)) == 0o700)
    }
    #expect(left == [])
    #expect(try listing("library") == others)
  }

  @Test("A missing file or folder does not prevent the deletion")
  func gone() throws {
    let tree = try makeRecording()
    try FileManager.default.removeItem(atPath: temporary("library/\(picture)"))
    #expect(try delete(tree, [media, picture, path("Recordings/none/a.mov"), media]) == [])
    #expect(try tree.status(of: media) == .missing)
    for name in ["Recordings", ".trash"] {
      try FileManager.default.removeItem(atPath: temporary("library/\(name)"))
    }
    #expect(try delete(tree) == [])
    #expect(try listing("library/.trash") == [])
  }

  @Test("When the row stays, everything is moved back")
  func rowStays() throws {
    let tree = try makeRecording()
    let before = try listing("library")
    #expect(throws: NoRow.self) {
      try delete(tree, rows: Rows(ids: [id])) { throw NoRow() }
    }
    #expect(try listing("library") == before)
    #expect(read("library/\(media)") == "media" && read("library/\(picture)") == "picture")
  }

  @Test("If the row was deleted in spite of an error, the deletion continues")
  func rowWent() throws {
    let tree = try makeRecording()
    try delete(tree, rows: Rows()) { throw NoRow() }
    #expect(try listing("library").allSatisfy { !$0.contains(id.uuidString) })
  }

  @Test("If it is unknown whether the row exists, recovery decides", arguments: [true, false])
  func unknown(hasRow: Bool) throws {
    let tree = try makeRecording()
    let before = try listing("library")
    #expect(throws: NoRow.self) { try delete(tree, deletingRow: { throw NoRow() }) }
    #expect(try listing(trash) == [media.name, picture.name, "lock"].sorted())
    let report = try recover(tree, hasRow: hasRow)
    if hasRow {
      #expect(Set(report.restored) == [media, picture])
      #expect(try listing("library") == before)
    } else {
      #expect(report.deleted == [id])
      #expect(try listing("library") == before.filter { !$0.contains(id.uuidString) })
    }
    #expect(try recover(tree, hasRow: hasRow).isEmpty)
  }

  @Test("A process that is killed leaves it to recovery", arguments: [true, false])
  func killed(afterRow: Bool) async throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try write(to: "row")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [afterRow, id = id as UUID, folder = TemporaryFolder.current as String] in
      let tree = try LibraryTree.open(at: "\(folder)/library")
      _ = try tree.withWriterLock { lock in
        try Deletion(of: id, paths: [.media(.video, id: id), .thumbnail(id: id)], in: tree).run(
          under: lock, hasRow: Rows(ids: [id]).hasRow
        ) {
          if afterRow { unlink("\(folder)/row") }
          kill(getpid(), SIGKILL)
        }
      }
    }
    let hasRow = read("row") != nil
    #expect(hasRow == !afterRow)
    #expect(try recover(tree, hasRow: hasRow).isEmpty == false)
    #expect(
      try listing("library") == (hasRow ? before : before.filter { !$0.contains(id.uuidString) }))
  }

  /// The files in the trash after each step, and the files still in place.
  @Test(
    "Recovery finishes or undoes a deletion that died after any step",
    arguments: [[], ["media"], ["media", "picture"], ["picture"]], [true, false])
  func anyStep(moved: [String], hasRow: Bool) throws {
    let tree = try makeRecording()
    let before = try listing("library")
    try makeFolder(trash)
    for (name, path) in [("media", media), ("picture", picture)] where moved.contains(name) {
      let target = temporary("\(trash)/\(path.name)")
      #expect(rename(temporary("library/\(path)"), target) == 0)
    }
    if !hasRow {
      // The row is deleted when both are moved; then they are unlinked one by one.
      for path in [media, picture] { unlink(temporary("library/\(path)")) }
    }
    _ = try recover(tree, hasRow: hasRow)
    #expect(
      try listing("library") == (hasRow ? before : before.filter { !$0.contains(id.uuidString) }))
  }

  @Test("A file that cannot be moved is an error, and the ones before it are moved back")
  func cannotMove() throws {
    let tree = try makeRecording()
    try write("elsewhere", to: "outside/a.mov")
    symlink(temporary("outside"), temporary("library/Recordings/link"))
    let before = try listing("library")
    #expect {
      try delete(tree, [media, picture, path("Recordings/link/a.mov")]) {
        Issue.record("the row of a recording that may lie behind a link is not deleted")
      }
    } throws: {
      HoldfastError.Code.unsafePath ~= $0
    }
    #expect(try listing("library") == before)
    #expect(read("outside/a.mov") == "elsewhere" && read("library/\(media)") == "media")
  }

  @Test("Anything but a regular file stays, and is reported; the recording is deleted")
  func notAFile() throws {
    let tree = try makeRecording()
    try write("precious", to: "outside")
    unlink(temporary("library/\(media)"))
    symlink(temporary("outside"), temporary("library/\(media)"))
    unlink(temporary("library/\(picture)"))
    try write("precious", to: "library/\(picture)/file")
    mkfifo(temporary("library/Recordings/fifo"), 0o600)
    var isGone = false
    let left = try delete(tree, [media, picture, path("Recordings/fifo")]) { isGone = true }
    #expect(try isGone && left == [media, picture, path("Recordings/fifo")])
    #expect(read("outside") == "precious" && read("library/\(media)") == "precious")
    #expect(read("library/\(picture)/file") == "precious")
    #expect(try listing("library/.trash") == [])
  }

  @Test("A file not named after a recording is unlinked in its place, after the row")
  func otherPath() throws {
    let tree = try makeRecording()
    let others = [try path("Recordings/sub/holiday.mov"), try path("Recordings/cover.jpg")]
    for path in others { try write("by hand", to: "library/\(path)") }
    #expect(throws: NoRow.self) { try delete(tree, others, deletingRow: { throw NoRow() }) }
    // Whatever the row says, the files are there.
    for hasRow in [true, false] {
      _ = try recover(tree, hasRow: hasRow)
      for path in others { #expect(read("library/\(path)") == "by hand") }
    }
    #expect(try delete(tree, others) == [])
    for path in others { #expect(read("library/\(path)") == nil) }
    #expect(read("library/\(media)") == "media")
  }

  @Test("A row that names another recording's file does not delete it")
  func otherRecording() throws {
    let tree = try makeRecording()
    let other = RelativePath.media(.audio, id: UUID())
    try write("other", to: "library/\(other)")
    #expect(try delete(tree, [media, other]) == [other])
    #expect(read("library/\(other)") == "other" && read("library/\(media)") == nil)
  }

  @Test("A file left in the trash does not prevent a deletion", arguments: [true, false])
  func leftover(hasRow: Bool) throws {
    let tree = try makeRecording()
    try write("older", to: "\(trash)/\(media.name)")
    let before = try listing("library")
    if hasRow {
      #expect(throws: NoRow.self) {
        try delete(tree, rows: Rows(ids: [id])) { throw NoRow() }
      }
      #expect(try listing("library") == before)
      #expect(read("library/\(media)") == "media" && read("\(trash)/\(media.name)") == "older")
    } else {
      try delete(tree)
      #expect(try listing("library") == before.filter { !$0.contains(id.uuidString) })
    }
  }

  @Test("Unknown files in the trash stay, and a link does not count as the trash")
  func strangers() throws {
    let tree = try makeRecording()
    try write("note", to: "\(trash)/note.txt")
    try delete(tree)
    #expect(try listing(trash) == ["note.txt"] && read("library/\(media)") == nil)
    try FileManager.default.removeItem(atPath: temporary(trash))
    try makeFolder("outside")
    symlink(temporary("outside"), temporary(trash))
    try write("media", to: "library/\(media)")
    #expect(throws: HoldfastError.self) { try delete(tree) }
    #expect(read("library/\(media)") == "media")
    #expect(try listing("outside") == [])
  }

  @Test("A recording that an interrupted erase set aside is not deleted without its file")
  func interruptedErase() throws {
    let tree = try makeRecording()
    try tree.withWriterLock { lock in try Erasure(id: UUID(), in: tree).begin(under: lock) }
    #expect {
      try delete(tree) { Issue.record("the file would come back without its row") }
    } throws: {
      HoldfastError.Code.interruptedErase ~= $0
    }
    _ = try recover(tree, hasRow: true)
    #expect(try delete(tree) == [])
    #expect(try listing("library").allSatisfy { !$0.contains(id.uuidString) })
  }
}
