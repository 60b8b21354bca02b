import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast delete", .temporaryFolder)
struct DeleteTests {
  let library = LibraryFolder()

  @Test("File, thumbnail and row are deleted, and none of the text stays in the catalog")
  func delete() async throws {
    try await library.importing(
      "hevc10.mov", options: ["--title", "Zwetschgenknoedel", "--notes", "Quarkstrudel"])
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording WHERE title NOT NULL")[0]
    let result = try await library.holdfast("delete", id, "--yes")
    #expect(result.status == 0)
    #expect(result.output == "deleted  \(id.prefix(8))  Zwetschgenknoedel\n")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    try await library.expectSound()
    for word in ["wetschgenknoedel", "uarkstrudel", "hevc10.mov", id] {
      #expect(try await library.grep(word).isEmpty)
    }
  }

  @Test(
    "It asks first, and goes on only after yes",
    arguments: Extent.sample(["n", "", "yess", "y", "YES"], every: 3))
  func asks(answer: String) async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    let result = try await library.answering(answer, ["delete", id])
    let isYes = ["y", "YES"].contains(answer)
    #expect(result.status == (isYes ? 0 : 1))
    #expect(try await library.column("SELECT count(*) FROM recording") == [isYes ? "0" : "1"])
    #expect(result.errorOutput.contains("Delete it for good?"))
    try await library.expectSound()
  }

  @Test("Without a terminal to ask on, or for an unknown id, nothing is deleted")
  func refusals() async throws {
    try await library.importing("aac.m4a")
    let id = try await library.column("SELECT id FROM recording")[0]
    try await library.expectRefusal(["delete", id], saying: "give --yes")
    try await library.expectRefusal(
      ["delete", id, "00000000", "--yes"], saying: "no recording's id begins with")
    try await library.expectSound()
  }

  @Test("A missing file does not stop a deletion, and a link in its place is left alone")
  func goneAlready() async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let video = try await library.sql("SELECT id, filePath FROM recording WHERE type = 'video'")[0]
    try FileManager.default.removeItem(atPath: "\(library.path)/\(video[1])")
    #expect(try await library.holdfast("delete", video[0], "--yes").status == 0)
    try await library.expectSound()
    let audio = try await library.sql("SELECT id, filePath FROM recording")[0]
    let target = try copyFixture("aac.m4a", to: "precious.m4a")
    try FileManager.default.removeItem(atPath: "\(library.path)/\(audio[1])")
    try FileManager.default.createSymbolicLink(
      atPath: "\(library.path)/\(audio[1])", withDestinationPath: target)
    let deleted = try await library.holdfast("delete", audio[0], "--yes", "--quiet", "--json")
    #expect(deleted.status == 0)
    #expect(
      deleted.output
        == "{\"event\":\"deleted\",\"id\":\"\(audio[0])\",\"left\":[\"\(audio[1])\"]}\n")
    #expect(deleted.errorOutput.contains("\(audio[1]) was left where it is"))
    #expect(FileManager.default.fileExists(atPath: target))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
  }
}

extension LibraryFolder {
  /// The files below the library's folder in which grep finds a text, or whose names hold it.
  func grep(_ text: String) async throws -> [String] {
    let inside = try await Command.run("grep", ["-r", "-a", "-i", "-l", "-F", "--", text, path])
    return inside.output.split(separator: "\n").map(String.init)
      + (try await find("-iname", "*\(text)*"))
  }

  /// Runs `holdfast` with lines on its standard input.
  func answering(_ lines: String, _ arguments: [String]) async throws -> CommandResult {
    let answers = temporary("answers-\(UUID().uuidString)")
    try Data("\(lines)\n".utf8).write(to: URL(filePath: answers))
    return try await Command.run(
      "sh",
      ["-c", "answers=$1; shift; exec \"$@\" < \"$answers\"", "sh", answers, Command.holdfast]
        + command(arguments))
  }
}
