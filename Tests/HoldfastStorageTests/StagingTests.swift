import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Staging and publishing", .temporaryFolder)
struct StagingTests {
  private let id = UUID()

  @Test("Sealed files are published under their names, and the folder is removed")
  func publish() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media", "picture"], recordings: [id])
    let folder = "library/.staging/\(workName(staging.id))"
    let lines = read("\(folder)/lock")?.split(separator: "\n") ?? []
    #expect(lines.count == 2 && lines[0].hasPrefix("machine=\(tree.machine) boot="))
    #expect(lines.last == "\(id.uuidString)")
    try tree.withWriterLock { lock in
      try staging.publish(
        [("media", .media(.video, id: id)), ("picture", .thumbnail(id: id))], under: lock)
    }
    try staging.remove()
    try staging.remove()
    #expect(read("library/Recordings/video_\(id.uuidString).mov") == "media")
    #expect(read("library/Recordings/Thumbnails/video_\(id.uuidString)_thumb.jpg") == "picture")
    #expect(try listing("library/.staging") == [])
    #expect(try tree.status(of: .media(.video, id: id)) == .regular(size: 5))
  }

  @Test("Nothing is replaced, and files published before the refusal are withdrawn")
  func exists() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media", "picture"], recordings: [id])
    let taken = "library/Recordings/Thumbnails/video_\(id.uuidString)_thumb.jpg"
    try write("mine", to: taken)
    #expect {
      try tree.withWriterLock { lock in
        try staging.publish(
          [("media", .media(.video, id: id)), ("picture", .thumbnail(id: id))], under: lock)
      }
    } throws: {
      guard let error = $0 as? HoldfastError else { return false }
      return error.code == .exists && error.path == temporary(taken)
    }
    #expect(read(taken) == "mine")
    #expect(try tree.status(of: .media(.video, id: id)) == .missing)
    #expect(read("library/.staging/\(workName(staging.id))/media") == "media")
    try staging.remove()
    #expect(try listing("library/.staging") == [])
  }

  @Test("Published files can be withdrawn, and leave no trace")
  func withdraw() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media"], recordings: [id])
    try tree.withWriterLock { lock in
      try staging.publish([("media", .media(.audio, id: id))], under: lock)
      #expect(try tree.status(of: .media(.audio, id: id)) == .regular(size: 5))
      try staging.withdraw(under: lock)
    }
    #expect(try tree.status(of: .media(.audio, id: id)) == .missing)
    try staging.remove()
    #expect(try listing("library/.staging") == [])
  }

  @Test("A withdrawal that fails leaves the list for recovery, which finishes it")
  func stranded() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media"], recordings: [id])
    try tree.withWriterLock { lock in
      try staging.publish([("media", .media(.audio, id: id))], under: lock)
    }
    try write("in the way", to: "library/.staging/\(workName(staging.id))/media")
    #expect(throws: HoldfastError.self) {
      try tree.withWriterLock { lock in try staging.withdraw(under: lock) }
    }
    try staging.remove()
    let report = try tree.withWriterLock { lock in
      try Recovery.run(of: tree, under: lock, rows: Rows())
    }
    #expect(report.unpublished == [.media(.audio, id: id)])
    #expect(try listing("library/.staging") == [])
  }

  @Test("Only the files of sealed recordings are published")
  func unsealed() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media"], recordings: [id])
    for path in ["Recordings/other.mov", RelativePath.media(.audio, id: UUID()).string] {
      let path = try #require(RelativePath(path))
      #expect {
        try tree.withWriterLock { lock in try staging.publish([("media", path)], under: lock) }
      } throws: {
        HoldfastError.Code.unsafePath ~= $0
      }
    }
  }

  @Test(
    "A name that is not a plain one is refused", arguments: ["", ".", "..", "lock", "a/b", "a\0"])
  func names(name: String) throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: [], recordings: [])
    #expect { try staging.createFile(named: name) } throws: { HoldfastError.Code.unsafePath ~= $0 }
    #expect(try listing("library/.staging/\(workName(staging.id))") == ["lock"])
  }

  @Test("A file can be made once, and again after it was removed")
  func again() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, files: ["media"], recordings: [])
    #expect { try staging.createFile(named: "media") } throws: { HoldfastError.Code.exists ~= $0 }
    try staging.removeFile(named: "media")
    let file = try staging.createFile(named: "media")
    try file.write(Array("abcdef".utf8)[2...])
    var text = ""
    try file.forEachChunk(of: 3) { text += String(decoding: $0, as: UTF8.self) + "|" }
    #expect(text == "cde|f|")
  }

  @Test("An ID is staged once at a time, and the refusal leaves the first one whole")
  func twice() throws {
    let tree = try makeLibrary()
    let staging = try makeStaging(tree, id: id, files: ["media"], recordings: [])
    #expect { try makeStaging(tree, id: id, files: [], recordings: []) } throws: {
      HoldfastError.Code.exists ~= $0
    }
    #expect(try listing("library/.staging/\(workName(staging.id))") == ["lock", "media"])
  }
}
