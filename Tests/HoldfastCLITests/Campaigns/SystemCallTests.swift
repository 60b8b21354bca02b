import HoldfastTestSupport
import Testing

@Suite("System calls of an import", .temporaryFolder)
struct SystemCallTests {
  @Test("A new library's catalog and folders are on the disk before its marker")
  func creation() async throws {
    let library = LibraryFolder(at: "library")
    let trace = try await Strace.run(
      ["trace=fsync,fdatasync,rename,renameat,renameat2,unlink"], library.command(["init"]))
    #expect(trace.result.status == 0)
    let marker = try #require(
      trace.calls.firstIndex { $0.hasPrefix("rename") && $0.contains("\"holdfast.json\"") })
    let before = trace.calls[..<marker].filter { $0.contains("sync(") }
    for name in ["/catalog.sqlite>", "/.holdfast.json.new>", "\(library.path)>"] {
      #expect(before.contains { $0.contains(name) }, "\(name)")
    }
    let after = trace.calls[marker...].filter { $0.contains("sync(") }
    #expect(after.contains { $0.contains("\(library.path)>") })
  }

  @Test(
    "No socket is made but the worker's, and no media but the named source is opened",
    arguments: Extent.sample(
      ["portrait.mov", "odd.webm", "playlist.m3u8", "concat.ffconcat", "session.sdp"], every: 3))
  func opened(fixture: String) async throws {
    let library = LibraryFolder()
    let folder = try makeFolder("in", holding: [fixture])
    // The files that the playlists name are beside them, and are left alone.
    if fixture != "portrait.mov" { try copyFixture("portrait.mov", to: "in/portrait.mov") }
    try await library.importing("aac.m4a")
    // An ordinary user may not raise a thread's priority, which Dispatch would report to syslog.
    let trace = try await Strace.run(
      [
        "trace=open,openat,openat2,creat,%network,execve,setpriority",
        "inject=setpriority:error=EACCES",
      ],
      library.command(["import", "\(folder)/\(fixture)"]))
    // The socket pair to a worker, and the messages over it.
    let network = trace.calls.filter { call in
      !["open", "creat(", "execve", "setpriority("].contains { call.hasPrefix($0) }
    }
    #expect(network.contains { $0.hasPrefix("socketpair(AF_UNIX, ") })
    #expect(
      network.filter { call in
        let isPair = call.hasPrefix("socketpair(AF_UNIX, ")
        let isTalk = call.hasPrefix("sendmsg(") || call.hasPrefix("recvmsg(")
        // Messages go to the other end: no call names an address.
        let isPlain = call.hasPrefix("sendto(") && call.contains("MSG_NOSIGNAL, NULL, 0)")
        let namesNobody = isTalk && call.contains("msg_namelen=0") || isPlain
        let isEnd = call.hasPrefix("shutdown(")
        // A process that was killed while waiting has received nothing.
        if isTalk, ["<unfinished ...>) = ?", "<detached ...>"].contains(where: call.hasSuffix) {
          return false
        }
        return !isPair && !(call.contains("<socket:[") && (namesNobody || isEnd))
      } == [])
    // The command, and the nursery of its workers.
    #expect(trace.calls.count { $0.hasPrefix("execve(") && $0.hasSuffix("= 0") } == 2)
    let opened = trace.calls.filter { $0.hasPrefix("open") && !$0.contains("= -1 ") }
    let system = ["/etc/", "/proc/", "/sys/", "/dev/", "/usr/share/"]
    var sources: Set<String> = []
    for call in opened {
      // With -y, the call ends with the path of what was opened.
      let path = try #require(call.split(separator: "<").last?.dropLast())
      // A folder that was opened only as a reference cannot be read.
      if path.hasPrefix("\(library.path)/") || path == library.path || path.contains(".so")
        || path == "/dev/null" || call.contains("O_PATH")
      {
        continue
      }
      #expect(!call.contains("O_WRONLY") && !call.contains("O_RDWR"), "\(call)")
      if !system.contains(where: path.hasPrefix) { sources.insert(String(path)) }
    }
    // The folder may be listed for the photo that a short movie belongs to.
    #expect(sources.subtracting([folder]) == ["\(folder)/\(fixture)"])
  }
}
