import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("The programs and files of scripts/install", .temporaryFolder)
struct InstallTests {
  private let prefix = temporary("usr")
  private var units: String { prefix + "/lib/systemd/user" }

  private func install() async throws {
    let built = try URL(filePath: Command.holdfast).deletingLastPathComponent()
    _ = try await Command.output(
      of: Repository.root + "/scripts/install", ["--prefix", prefix],
      environment: ["HOLDFAST_BUILT": built.path(percentEncoded: false)])
  }

  @Test("The command finds its worker, and shells find its completion scripts")
  func command() async throws {
    try await install()
    let library = temporary("library")
    let holdfast = prefix + "/bin/holdfast"
    _ = try await Command.output(of: holdfast, ["init", library])
    _ = try await Command.output(
      of: holdfast, ["import", "--library", library, Fixtures.path("aac.m4a")])
    for file in [
      "bash-completion/completions/holdfast", "zsh/site-functions/_holdfast",
      "fish/vendor_completions.d/holdfast.fish",
    ] {
      #expect(
        try String(contentsOfFile: "\(prefix)/share/\(file)", encoding: .utf8).contains("import"))
    }
  }

  @Test("systemd accepts the units, and rates their sandbox as good")
  func security() async throws {
    try await install()
    let environment = ["XDG_RUNTIME_DIR": TemporaryFolder.current]
    let names = try FileManager.default.contentsOfDirectory(atPath: units).sorted()
    #expect(names.count == 8)
    let verified = try await Command.run(
      "systemd-analyze", ["verify", "--user", "--man=no"] + names.map { "\(units)/\($0)" },
      environment: environment)
    #expect(verified.status == 0 && verified.errorOutput == "")
    for name in names where name.hasSuffix(".service") {
      let judged = try await Command.run(
        "systemd-analyze", ["security", "--offline=yes", "--threshold=20", "\(units)/\(name)"],
        environment: environment)
      #expect(judged.status == 0, "\(name): \(judged.lines.last ?? "")")
    }
  }

  /// The calls that the units allow, as systemd knows its groups.
  private func allowedCalls() async throws -> Set<String> {
    func group(_ name: String) async throws -> Set<String> {
      let list = try await Command.output(of: "systemd-analyze", ["syscall-filter", name])
      var calls: Set<String> = []
      for line in list.lines.map({ $0.trimmingCharacters(in: .whitespaces) })
      where !line.isEmpty && !line.hasPrefix("#") && line != name {
        if line.hasPrefix("@") {
          calls.formUnion(try await group(line))
        } else {
          calls.insert(line)
        }
      }
      return calls
    }
    var allowed: Set<String> = []
    let unit = try String(contentsOfFile: units + "/holdfast-verify.service", encoding: .utf8)
    for line in unit.split(separator: "\n") where line.hasPrefix("SystemCallFilter=") {
      for word in line.dropFirst("SystemCallFilter=".count).split(separator: " ") {
        if word.hasPrefix("~") {
          allowed.subtract(try await group(String(word.dropFirst())))
        } else if word.hasPrefix("@") {
          allowed.formUnion(try await group(String(word)))
        } else {
          allowed.insert(String(word))
        }
      }
    }
    return allowed
  }

  @Test("The services need no system call that their units do not allow")
  func calls() async throws {
    try await install()
    let allowed = try await allowedCalls()
    let library = temporary("library")
    let folder = temporary("phone")
    let holdfast = prefix + "/bin/holdfast"
    _ = try await Command.output(of: holdfast, ["init", library])
    _ = try await Command.output(of: "mkdir", [folder])
    for name in ["aac.m4a", "hevc8.mp4", "h263.avi"] {
      _ = try await Command.output(of: "cp", [Fixtures.path(name), folder])
    }
    let log = temporary("calls")
    let trace = ["-f", "-A", "-o", log, holdfast]
    _ = try await Command.start("strace", trace + ["watch", "--library", library, folder]) {
      process in
      _ = try await wait(for: process) {
        try await LibraryFolder(at: "library").column("SELECT count(*) FROM recording") == ["3"]
      }
      process.send(SIGTERM, toGroup: true)
    }
    for words in [
      ["verify", "--deep", "--older-than", "30d", "--max-duration", "10m"],
      ["backup", temporary("usb")],
    ] {
      let result = try await Command.run("strace", trace + words + ["--library", library])
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    // As root, SQLite tries to give its journal to the owner of the database, and ignores a
    // failure.
    var used = Set(
      try String(contentsOfFile: log, encoding: .utf8).matches(of: /(?m)^[0-9]+ +([a-z0-9_]+)\(/)
        .map { String($0.1) })
    used.remove("fchown")
    #expect(used.count > 50)
    #expect(used.subtracting(allowed) == [])
  }
}
