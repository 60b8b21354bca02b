import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite("Making a library", .temporaryFolder)
struct CreationTests {
  private let skeleton = [
    ".lock", ".staging", ".trash", "Recordings", "Recordings/Thumbnails", "catalog.sqlite",
    "holdfast.json",
  ]

  @Test("A new folder becomes a library that opens again")
  func create() throws {
    let uuid = UUID()
    let (library, isNew) = try LibraryTree.create(
      at: temporary("library"), makingParents: false
    ) { path in
      #expect(path == temporary("library/catalog.sqlite"))
      #expect(FileManager.default.fileExists(atPath: path))
      #expect(!FileManager.default.fileExists(atPath: temporary("library/holdfast.json")))
      return uuid
    }
    #expect(isNew)
    #expect(library.marker == LibraryMarker(formatVersion: 1, uuid: uuid))
    #expect(library.catalogFile.path == temporary("library/catalog.sqlite"))
    #expect(try library.availableBytes() > 0)
    #expect(try listing("library") == skeleton)
    #expect(try LibraryTree.open(at: temporary("library")).marker.uuid == uuid)
    let again = try LibraryTree.create(at: temporary("library"), makingParents: false) { _ in
      Issue.record("a library that exists is not made again")
      return UUID()
    }
    #expect(!again.isNew && again.tree.marker.uuid == uuid)
  }

  @Test("An empty folder becomes a library, for its owner alone")
  func emptyFolder() throws {
    try makeFolder("library")
    chmod(temporary("library"), 0o755)
    _ = try makeLibrary()
    #expect(mode(temporary("library")) == 0o700)
    #expect(try listing("library") == skeleton)
  }

  @Test("A folder with other things in it is refused and not touched")
  func notEmpty() throws {
    try write(to: "library/holiday.txt")
    #expect { try makeLibrary() } throws: { error in
      guard case HoldfastError.Code.notEmpty = error else { return false }
      return "\(error)".hasPrefix(temporary("library"))
    }
    #expect(try listing("library") == ["holiday.txt"])
  }

  @Test(
    "A folder that no interrupted creation leaves is refused",
    arguments: [
      "Recordings/video.mov", "Recordings/Thumbnails/x.jpg", ".trash/x", ".staging/x/y",
      "catalog.sqlite/x", ".lock/x", "Recordings/Other/x",
    ])
  func strangers(name: String) throws {
    try write(to: "library/\(name)")
    let before = try listing("library")
    #expect { try makeLibrary() } throws: { HoldfastError.Code.notEmpty ~= $0 }
    #expect(try listing("library") == before)
  }

  @Test("A missing parent is refused, unless parents may be made")
  func parents() throws {
    let path = temporary("disk/photos/library")
    #expect {
      try LibraryTree.create(at: path, makingParents: false) { _ in UUID() }
    } throws: {
      guard let error = $0 as? HoldfastError else { return false }
      return error.code == .parentMissing && error.path == temporary("disk/photos")
    }
    #expect(try listing("") == [])
    let made = try LibraryTree.create(at: path + "/", makingParents: true) { _ in UUID() }
    #expect(made.isNew)
    #expect(mode(temporary("disk")) == 0o700 && mode(temporary("disk/photos")) == 0o700)
  }

  @Test("An interrupted creation is completed")
  func resume() throws {
    try write("the rows", to: "library/catalog.sqlite")
    for name in [".lock", "catalog.sqlite-journal", ".holdfast.json.new"] {
      try write("half", to: "library/\(name)")
    }
    for name in [".staging", ".trash", ".quarantine", "Recordings/Thumbnails"] {
      try makeFolder("library/\(name)")
    }
    let uuid = UUID()
    #expect(try makeLibrary(uuid: uuid).marker.uuid == uuid)
    #expect(read("library/catalog.sqlite") == "the rows")
    #expect(read("library/.holdfast.json.new") == nil)
  }

  @Test("A creation that fails leaves no trace")
  func failure() throws {
    struct Full: Error {}
    let fail: (String) throws -> UUID = { _ in throw Full() }
    #expect(throws: Full.self) {
      try LibraryTree.create(
        at: temporary("library"), makingParents: false, createCatalog: fail)
    }
    #expect(try listing("") == [])
    try makeFolder("mine")
    #expect(throws: Full.self) {
      try LibraryTree.create(at: temporary("mine"), makingParents: false, createCatalog: fail)
    }
    #expect(try listing("") == ["mine"])
  }

  @Test("Of many that create a library at once, one does, and all open it")
  func concurrent() async throws {
    let created = Counter()
    let markers = try await withThrowingTaskGroup(of: LibraryMarker.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try LibraryTree.create(at: temporary("library"), makingParents: false) { _ in
            created.add(1)
            return UUID()
          }.tree.marker
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(markers.count == 1)
    #expect(created.value == 1)
  }

  @Test("A creation that waits for another one opens that library", .timeLimit(.minutes(40)))
  func waiting() async throws {
    let path = temporary("library")
    let uuid = UUID()
    let isWaiting = DispatchSemaphore(value: 0)
    let patience = LockTimeoutPolicy { _ in isWaiting.signal() }
    var second: Task<LibraryMarker, any Error>?
    let first = try LibraryTree.create(at: path, makingParents: false) { _ in
      second = Task.detached {
        try LibraryTree.create(at: path, makingParents: false, patience: patience) { _ in UUID() }
          .tree.marker
      }
      isWaiting.wait()
      return uuid
    }
    #expect(first.isNew && first.tree.marker.uuid == uuid)
    #expect(try await second?.value == first.tree.marker)
  }

  @Test("Folders are 0700 and files 0600 under any umask", arguments: [0o000, 0o077, 0o777])
  func modes(umask mask: mode_t) async throws {
    // A separate process, because the umask applies to a whole process.
    await #expect(processExitsWith: .success) { [mask, path = temporary("library") as String] in
      umask(mask)
      let tree = try LibraryTree.create(at: path, makingParents: false) { _ in UUID() }.tree
      let staging = try tree.withWriterLock { try tree.makeStaging(id: UUID(), under: $0) }
      _ = try staging.createFile(named: "media")
      let folder = ".staging/\(staging.id.uuidString).\(tree.machine)"
      for name in [".staging", ".trash", "Recordings", "Recordings/Thumbnails", folder] {
        #expect(mode("\(path)/\(name)") == 0o700, "\(name)")
      }
      for name in [
        ".lock", "catalog.sqlite", "holdfast.json", "\(folder)/lock", "\(folder)/media",
      ] {
        #expect(mode("\(path)/\(name)") == 0o600, "\(name)")
      }
      #expect(mode(path) == 0o700)
    }
  }
}

@Suite("Opening a library", .temporaryFolder)
struct OpeningTests {
  @Test(
    "A folder that is not a library is reported as such, and nothing is written",
    arguments: ["missing/library", "empty", "file", "file/library"])
  func none(name: String) throws {
    try makeFolder("empty")
    try write(to: "file")
    #expect { try LibraryTree.open(at: temporary(name)) } throws: {
      HoldfastError.Code.noLibrary ~= $0
    }
    #expect(try listing("") == ["empty", "file"])
  }

  @Test("A newer format is refused, whatever else its marker says")
  func newer() throws {
    try write(
      #"{"formatVersion": 2, "uuid": "\#(UUID())", "identity": 1}"#, to: "library/holdfast.json")
    #expect { try LibraryTree.open(at: temporary("library")) } throws: {
      HoldfastError.Code.newerFormat ~= $0
    }
    #expect { try makeLibrary() } throws: { HoldfastError.Code.newerFormat ~= $0 }
  }

  @Test(
    "A damaged marker is refused by name",
    arguments: [
      "", "{", #"{"formatVersion": 1}"#, #"{"formatVersion": 0, "uuid": "\#(UUID())"}"#,
      #"{"formatVersion": 1, "uuid": "x"}"#,
    ])
  func damaged(text: String) throws {
    _ = try makeLibrary()
    try write(text, to: "library/holdfast.json")
    #expect { try LibraryTree.open(at: temporary("library")) } throws: { error in
      guard case HoldfastError.Code.notALibrary = error else { return false }
      return "\(error)".hasPrefix(temporary("library/holdfast.json"))
    }
  }

  @Test(
    "Another program's file with the marker's name is not a marker",
    arguments: [
      "", "{", "{}", #"{"format": "holdfast", "schemaVersion": 1, "recordings": []}"#,
      #"{"formatVersion": 7, "name": "another program's"}"#, #"{"uuid": "\#(UUID())"}"#,
    ])
  func otherFile(text: String) throws {
    try write(text, to: "home/holdfast.json")
    try write(to: "home/Recordings/a.mov")
    #expect { try LibraryTree.open(at: temporary("home")) } throws: {
      HoldfastError.Code.noLibrary ~= $0
    }
    #expect { try makeLibrary("home") } throws: { HoldfastError.Code.notEmpty ~= $0 }
    #expect(!SourcePath(temporary("home/Recordings/a.mov")).isInsideLibrary)
  }

  @Test("A marker that is a symbolic link is refused")
  func linkedMarker() throws {
    _ = try makeLibrary("other")
    _ = try makeLibrary()
    unlink(temporary("library/holdfast.json"))
    symlink(temporary("other/holdfast.json"), temporary("library/holdfast.json"))
    #expect { try LibraryTree.open(at: temporary("library")) } throws: {
      HoldfastError.Code.unsafePath ~= $0
    }
  }
}
