import Foundation
import HoldfastTestSupport
import Testing

@Suite("Where there is no library", .temporaryFolder)
struct EmptyLibraryTests {
  /// A place for a library that is none.
  enum Place: CaseIterable {
    case missing, parentMissing, empty, fullOfOtherThings

    func make() throws -> LibraryFolder {
      switch self {
      case .missing: return LibraryFolder("library")
      case .parentMissing: return LibraryFolder("disk/library")
      case .empty: try makeFolder("library")
      case .fullOfOtherThings: try makeFolder("library", holding: ["notes.txt"])
      }
      return LibraryFolder("library")
    }
  }

  @Test(
    "Commands that read answer as for an empty library, and write nothing",
    arguments: Place.allCases)
  func reading(place: Place) async throws {
    let library = try place.make()
    let before = try await Find.snapshot(TemporaryFolder.current)
    let list = try await library.holdfast("list")
    #expect((list.status, list.output, list.errorOutput) == (0, "", "0 recordings.\n"))
    #expect(try await library.holdfast("list", "--json").output == "[]\n")
    let verify = try await library.holdfast("verify")
    #expect(
      (verify.status, verify.output, verify.errorOutput)
        == (0, "", "0 recordings checked: nothing found.\n"))
    let show = try await library.holdfast("show", "ABCD")
    #expect(show.status == 1)
    #expect(show.errorLines.count == 1)
    #expect(try await library.holdfast("probe", Fixtures.path("aac.m4a")).status == 0)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test(
    "An import makes no library of a folder with other things, nor below a folder that is missing",
    arguments: [
      (Place.fullOfOtherThings, "neither empty nor a library; name a new folder or an empty one"),
      (.parentMissing, "there is no such folder to make a library in; mount the disk or make it"),
    ])
  func refused(place: Place, reason: String) async throws {
    let library = try place.make()
    let before = try await Find.snapshot(TemporaryFolder.current)
    let result = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errorLines.count == 1)
    #expect(result.errorOutput.contains(reason))
    #expect(result.errorOutput.contains(TemporaryFolder.current))
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test("An import makes a library in a new or empty folder", arguments: [Place.missing, .empty])
  func made(place: Place) async throws {
    let library = try place.make()
    try await library.importing("aac.m4a")
    try await library.expectSound()
  }

  @Test(
    "The library is the option's, else the environment's, else the person's own",
    arguments: [
      (["HOLDFAST_LIBRARY": "%/named", "XDG_DATA_HOME": "%/data"], "named"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "%/data"], "data/holdfast"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "relative"], "home/.local/share/holdfast"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": ""], "home/.local/share/holdfast"),
    ])
  func location(environment: [String: String], place: String) async throws {
    let folder = TemporaryFolder.current
    var variables = environment.mapValues { $0.replacingOccurrences(of: "%", with: folder) }
    variables["HOME"] = "\(folder)/home"
    let result = try await Command.run(
      Command.holdfast, ["import", Fixtures.path("aac.m4a")], environment: variables,
      workingDirectory: folder)
    #expect(result.status == 0)
    #expect(try await Find.names(folder, ["-name", "holdfast.json"]) == ["\(place)/holdfast.json"])
    try await LibraryFolder(place).expectSound()
    let option = try await Command.run(
      Command.holdfast, ["list", "--library", "other"], environment: variables,
      workingDirectory: folder)
    #expect(option.errorOutput == "0 recordings.\n")
  }

  @Test("Without any place for a library, one sentence says what to do")
  func nowhere() async throws {
    let result = try await Command.run(
      Command.holdfast, ["list"],
      environment: ["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "", "HOME": ""])
    #expect(result.status == 1)
    #expect(
      result.errorOutput == "Error: no place for a library: give --library DIR, or set HOME\n")
  }

  @Test("A relative --library lies below the folder that the command runs in")
  func relative() async throws {
    let result = try await Command.run(
      Command.holdfast, ["import", "--library", "file:lib?mode=ro", Fixtures.path("aac.m4a")],
      workingDirectory: TemporaryFolder.current)
    #expect(result.status == 0)
    try await LibraryFolder("file:lib?mode=ro").expectMarker()
  }
}

extension LibraryFolder {
  fileprivate func expectMarker() async throws {
    #expect(try await find("-name", "holdfast.json") == ["holdfast.json"])
    #expect(try await find("-name", "*.m4a").count == 1)
  }
}
