import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast doctor", .temporaryFolder)
struct DoctorTests {
  private struct Report: Decodable {
    struct Door: Decodable {
      var kind: String
      var isShut: Bool
      var means: [String]
    }

    var doors: [Door]
    var landlock: Int?
    var versions: [String: String]
    var encoders: [String: Bool]
  }

  private func examine(_ faults: [String] = []) async throws -> (status: Int, report: Report) {
    let result =
      faults.isEmpty
      ? try await Command.run(Command.holdfast, ["doctor", "--json"])
      : try await Strace.run(faults, ["doctor", "--json"]).result
    return (
      Int(result.status), try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    )
  }

  @Test("says that every door is shut, and which encoders and versions Holdfast uses")
  func well() async throws {
    let (status, report) = try await examine()
    #expect(status == 0)
    #expect(
      report.doors.map(\.kind) == [
        "files", "network", "programs", "processes", "privileges", "dumps",
      ])
    #expect(report.doors.allSatisfy { $0.isShut })
    #expect(report.encoders == ["aac": true, "libx264": true, "libx265": true])
    let versions = ["sqlite", "ffmpeg"].map { report.versions[$0] ?? "none" }
    let sqlite = try await Command.output(of: "sqlite3", ["--version"]).output
    #expect(sqlite.hasPrefix(versions[0] + " "))
    let ffmpeg = try await Command.output(of: "ffmpeg", ["-version"]).output
    #expect(ffmpeg.hasPrefix("ffmpeg version \(versions[1]) "))
    let scaler = try #require(ffmpeg.firstMatch(of: /libswscale +(\d+)\. *(\d+)\. *(\d+)/))
    #expect(report.versions["libswscale"] == "\(scaler.1).\(scaler.2).\(scaler.3)")
    let zimg = try await Command.output(of: "dpkg-query", ["-W", "-f", "${Version}", "libzimg2"])
    #expect(zimg.output.hasPrefix(try #require(report.versions["zimg"])))
    let jpeg = try await Command.run("djpeg", ["-version"]).errorOutput
    let version = try #require(report.versions["libjpeg"]?.split(separator: " ").last)
    #expect(jpeg.contains("version \(version) "))
    let text = try await Command.output(of: Command.holdfast, ["doctor"])
    #expect(text.lines.count { $0.hasPrefix("  shut  ") } == 7)
  }

  @Test("says where Landlock is missing, and that only the filter confines the worker")
  func noLandlock() async throws {
    let fault = "inject=landlock_create_ruleset:error=EOPNOTSUPP"
    let (status, report) = try await examine([fault])
    #expect(status == 0)
    #expect(report.landlock == nil)
    #expect(report.doors.allSatisfy { $0.isShut && !$0.means.contains("Landlock") })
    let text = try await Strace.run([fault], ["doctor"]).result
    #expect(text.output.contains("  This kernel has no Landlock, or has it switched off: "))
    let imported = try await Strace.run(
      [fault], LibraryFolder().command(["import", Fixtures.path("portrait.mov")]))
    #expect(imported.result.status == 0)
  }

  @Test("finds an open door")
  func open() async throws {
    // The filter is not loaded, and the worker is made to believe that it is.
    let (status, report) = try await examine(["inject=seccomp:retval=0"])
    #expect(status == 4)
    let open = report.doors.filter { !$0.isShut }.map(\.kind)
    // Landlock guards files, but not datagrams.
    #expect(open.contains("network") && !open.contains("files"), "\(open)")
  }

  @Test("names what verification found, and the command that repairs it")
  func faulty() async throws {
    let library = LibraryFolder()
    try await library.importing("voice.wav", "portrait.mov")
    let file = try #require(try await library.column("SELECT filePath FROM recording").first)
    let backups = temporary("my backups")
    _ = try await library.holdfast("backup", backups)
    // As a page notes the backups' folder.
    let note = "s|\"formatVersion\"|\"backupFolder\" : \"\(backups)\", &|"
    _ = try await Command.output(of: "sed", ["-i", note, library.path + "/holdfast.json"])
    #expect(try await library.holdfast("doctor").status == 0)

    let handle = try #require(FileHandle(forUpdatingAtPath: "\(library.path)/\(file)"))
    try handle.write(contentsOf: Data("damaged".utf8))
    try handle.close()
    _ = try await library.holdfast("verify", "--deep")
    let found = try await library.holdfast("doctor")
    #expect(found.status == 4)
    let repair = "holdfast verify --repair --from '\(backups)'"
    let line = try #require(found.output.split(separator: "\n").first { $0.contains("fault") })
    #expect(
      line == "  fault  1 recording is known to be missing or damaged; \(repair) "
        + "brings back what is there")
    // The command works as doctor says.
    #expect(try await library.holdfast("verify", "--repair", "--from", backups).status == 0)
    #expect(try await library.holdfast("doctor").status == 0)
    #expect(try await library.holdfast("verify", "--deep").status == 0)
  }

  @Test("names a unit that failed, where the user has systemd", arguments: [true, false])
  func units(hasSystemd: Bool) async throws {
    let bin = try makeFolder("bin")
    let script = """
      #!/bin/sh
      echo "$*" > "$(dirname "$0")/arguments"
      echo "holdfast-verify.service loaded failed failed Verify recordings"
      """
    let program = "\(bin)/systemctl"
    try Data(script.utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let runtime = try makeFolder("runtime")
    if hasSystemd { _ = try makeFolder("runtime/systemd") }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let result = try await Command.run(
      Command.holdfast, ["doctor"],
      environment: ["PATH": "\(bin):\(path)", "XDG_RUNTIME_DIR": runtime])
    let unit = "holdfast-verify.service"
    let lines = result.output.split(separator: "\n").filter { $0.contains(unit) }
    if hasSystemd {
      #expect(result.status == 4)
      #expect(
        lines == [
          "  fault  \(unit) failed; journalctl --user --unit \(unit) says why, and "
            + "systemctl --user start \(unit) tries again"
        ])
      let arguments = try String(contentsOfFile: "\(bin)/arguments", encoding: .utf8)
      #expect(arguments.hasPrefix("--user list-units --state=failed "))
    } else {
      #expect(result.status == 0 && lines.isEmpty)
    }
  }
}
