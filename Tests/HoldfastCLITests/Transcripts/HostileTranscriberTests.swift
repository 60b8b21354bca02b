import Foundation
import HoldfastTestSupport
import Testing

@Suite("A hostile transcriber", .temporaryFolder)
struct HostileTranscriberTests {
  private let library = LibraryFolder()

  /// What a hostile program tries. Each attempt that succeeds is named in the transcript.
  private static func attempts(_ library: String) -> String {
    """
    import ctypes, resource, struct
    got = []
    def attempt(name, action):
        try:
            action()
            got.append(name)
        except BaseException:
            pass
    for family in ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_UNIX", "AF_PACKET"):
        attempt(family, lambda: socket.socket(getattr(socket, family)))
    attempt("datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
    attempt("catalog", lambda: open("\(library)/catalog.sqlite", "rb"))
    attempt("recordings", lambda: os.listdir("\(library)/Recordings"))
    attempt("write", lambda: open("\(library)/holdfast.json", "a"))
    attempt("staging", lambda: open(os.path.dirname(sounds[0]) + "/new", "w"))
    attempt("sound", lambda: open(sounds[0], "r+"))
    attempt("secret", lambda: open("\(temporary("secret"))"))
    attempt("home", lambda: os.listdir(os.path.expanduser("~root")))
    attempt("passwords", lambda: open("/etc/passwd"))
    attempt("temporary", lambda: open("/tmp/holdfast-hostile", "w"))
    attempt("itself", lambda: open(sys.argv[0], "a"))
    attempt("environment", lambda: open("/proc/%d/environ" % os.getppid()).read())
    attempt("kill", lambda: os.kill(os.getppid(), 9))
    attempt("program", lambda: subprocess.run(["sudo", "-n", "true"], check=True))
    attempt("memory", lambda: bytearray(6 << 30))
    attempt("file", lambda: os.truncate(open("large", "w").name, 1 << 32))
    attempt("mode", lambda: os.chmod(sys.argv[0], 0o777))
    attempt("open mode", lambda: os.fchmod(os.open(sys.argv[0], os.O_RDONLY), 0o777))
    attempt("library's mode", lambda: os.chmod("\(library)", 0))
    attempt("owner", lambda: os.chown(sys.argv[0], os.getuid(), os.getgid()))
    attempt("times", lambda: os.utime(sys.argv[0]))
    attempt("attribute", lambda: os.setxattr(sys.argv[0], "user.x", b"x"))
    parent = os.getppid()
    attempt("limit", lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (1, 1)))
    attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, parent, 19))
    attempt("scheduler", lambda: os.sched_setscheduler(
        parent, os.SCHED_BATCH, os.sched_param(0)))
    attempt("processors", lambda: os.sched_setaffinity(parent, {0}))
    libc = ctypes.CDLL(None, use_errno=True)
    def call(name, *values):
        if getattr(libc, name)(*values) < 0: raise OSError
    attempt("shared memory", lambda: call("shmget", 0, 4096, 0o1600))
    attempt("queue", lambda: call("msgget", 0, 0o1600))
    attempt("semaphore", lambda: call("semget", 0, 1, 0o1600))
    attempt("events", lambda: call("inotify_init1", 0))
    attempt("outliving", lambda: call("prctl", 1, 0, 0, 0, 0))
    attempt("others", lambda: call("pidfd_open", parent, 0))
    # By number, and with bits that the kernel ignores.
    libc.syscall.restype = ctypes.c_long
    intel = os.uname().machine == "x86_64"
    truncate, prctl, fcntl, ioctl = (76, 157, 72, 16) if intel else (45, 167, 25, 29)
    def numbered(*values):
        if libc.syscall(*[ctypes.c_long(v) if isinstance(v, int) else v for v in values]) < 0:
            raise OSError
    itself, high = sys.argv[0].encode(), 1 << 32
    value, owned = ctypes.create_string_buffer(b"x"), socket.socketpair()[0].fileno()
    attribute = struct.pack("QII", ctypes.addressof(value), 1, 0)
    attempt("truncate", lambda: numbered(truncate, itself, 0))
    attempt("emptying", lambda: os.open(sys.argv[0], os.O_RDONLY | os.O_TRUNC))
    attempt("outliving's bits", lambda: numbered(prctl, high | 1, 0, 0, 0, 0))
    attempt("signal's bits", lambda: numbered(fcntl, owned, high | 10, 12))
    attempt("owner's bits", lambda: numbered(fcntl, owned, high | 8, parent))
    attempt("flags' bits", lambda: numbered(
        ioctl, os.open(sys.argv[0], os.O_RDONLY), high | 0x40086602, struct.pack("q", 0x80)))
    attempt("requests", lambda: numbered(
        ioctl, os.open(sys.argv[0], os.O_RDONLY), 0x80086601, ctypes.create_string_buffer(8)))
    attempt("attributes", lambda: os.listxattr(sys.argv[0]))
    attempt("changes", lambda: numbered(fcntl, os.open(".", os.O_RDONLY), 1026, 2))
    attempt("lease", lambda: numbered(fcntl, os.open(sys.argv[0], os.O_RDONLY), 1024, 0))
    attempt("operations", lambda: numbered(
        206 if intel else 0, 1, ctypes.create_string_buffer(8)))
    attempt("new attribute", lambda: numbered(463, -100, itself, 0, b"user.y", attribute, 16))
    write(sounds[0], whisper((0, 1, "got: " + " ".join(got))))
    """
  }

  @Test("reaches no network, no file and no process", arguments: [false, true])
  func reachesNothing(asOther: Bool) async throws {
    try await library.importingTones(1)
    try Data("secret".utf8).write(to: URL(filePath: temporary("secret")))
    let fake = try FakeTranscriber(Self.attempts(library.path))
    if asOther {
      guard geteuid() == 0 else { return }
      _ = try await Command.output(of: "chown", ["-R", "65534:65534", TemporaryFolder.current])
      let result = try await Command.run(
        "setpriv",
        ["--reuid=65534", "--regid=65534", "--clear-groups", try Command.holdfast]
          + library.command(["transcribe", "--program", fake.program, "--model", fake.model]),
        environment: FakeTranscriber.environment)
      #expect(result.status == 0, "\(result.errorOutput)")
    } else {
      let result = try await fake.transcribe(library)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await library.segments() == [["0", "1000", "got:"]])
  }

  @Test(
    "is not run where it cannot be kept from files",
    arguments: ["landlock_create_ruleset", "landlock_restrict_self", "seccomp"])
  func isNotRun(call: String) async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber("write(sounds[0], whisper((0, 1, 'It ran')))")
    let faults = try await Strace.run(
      ["trace=\(call)", "inject=\(call):error=EPERM"],
      library.command(["transcribe", "--program", fake.program, "--model", fake.model]))
    #expect(faults.result.status != 0)
    #expect(try await library.segments().isEmpty)
  }

  @Test(
    "costs one sentence, whatever it writes",
    arguments: [
      "print('x' * (1 << 20) * 100)",
      "write(sounds[0], '')",
      "write(sounds[0], '{')",
      "write(sounds[0], '[' * 100000)",
      "write(sounds[0], '{\"segments\": 3}')",
      "write(sounds[0], '{\"segments\": [{\"start\": 1e999, \"end\": 0, \"text\": \"x\"}]}')",
      "write(sounds[0], whisper(*[(0, 1, 'x')] * 6000))",
      "write(sounds[0], whisper((0, 1, 'x' * 2000000)))",
      "open(path(sounds[0]), 'wb').write(whisper((0, 1, 'QQ')).encode().replace(b'Q', b'\\xff'))",
      "open(path(sounds[0]), 'wb').truncate(2 << 30)",
      """
      [open('part%d' % i, 'wb').write(bytes(1 << 20)) for i in range(2048)]
      write(sounds[0], '{}')
      """,
      "os.symlink('/etc/passwd', path(sounds[0]))",
      "os.mkfifo(path(sounds[0]))",
      "os.mkdir(path(sounds[0]))",
      "os.kill(os.getpid(), 11)",
      "sys.stderr.write('\\x1b]0;title\\x07' * 100000); sys.exit(3)",
      """
      os.setsid() if os.fork() == 0 else sys.exit(0)
      [os.fork() for _ in range(4)]
      time.sleep(999)
      """,
      "os.makedirs('a/b/c'); open('a/b/c/d', 'w'); os.chmod('a/b', 0)",
    ])
  func oneSentence(body: String) async throws {
    try await library.importingTones(1)
    let result = try await FakeTranscriber(body).transcribe(library)
    #expect(result.status == 3, "\(result.output) \(result.errorOutput)")
    #expect(result.errorLines.count == 1)
    #expect(!result.errorOutput.contains("\u{1B}") && result.errorOutput.utf8.count < 1000)
    #expect(try await library.states().isEmpty)
    try await library.expectSound()
  }

  @Test("cannot make marks on one letter cost hours")
  func marks() async throws {
    try await library.importingTones(1)
    let result = try await FakeTranscriber(
      "write(sounds[0], whisper((0, 1, 'a' + '\\u0316\\u0301' * 70000 + ' end')))"
    ).transcribe(library)
    #expect(result.status == 0, "\(result.output) \(result.errorOutput)")
    let texts = try await library.column("SELECT text FROM transcriptSegment")
    // The letter has taken one of them.
    #expect(texts.map { $0.unicodeScalars.count } == [30 + 4])
  }

  @Test("in a batch that is interrupted: what was done is kept, and the next run does the rest")
  func batch() async throws {
    try await library.importingTones(53)
    let fake = try FakeTranscriber(
      """
      if len(sounds) < 50: open("begun", "w"); time.sleep(99999)
      for sound in sounds: write(sound, whisper((0, 1, "Word")))
      """)
    let result = try await Command.start(
      Command.holdfast,
      library.command(["transcribe", "--program", fake.program, "--model", fake.model]),
      environment: FakeTranscriber.environment
    ) { running in
      while try await library.find("-name", "begun").isEmpty { await Task.yield() }
      running.send(SIGINT)
    }
    #expect(result.status == 130)
    #expect(try await library.states() == Array(repeating: "words", count: 50))
    try await library.expectSound("after the interruption")
    let rest = try FakeTranscriber(
      "for sound in sounds: write(sound, whisper((0, 1, str(len(sounds)))))")
    #expect(try await rest.transcribe(library).status == 0)
    let texts = try await library.column("SELECT text FROM transcriptSegment WHERE text = '3'")
    #expect(texts.count == 3)
  }

  @Test(
    "on a disk that is full, or that the program fills, costs a sentence and leaves nothing behind",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    })
  func fullDisk() async throws {
    // Each is larger as PCM than what SQLite may give back of a full disk.
    for tone in [400, 500] {
      let sound = temporary("\(tone).wav")
      _ = try await Command.output(
        of: "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=\(tone):d=60", sound])
      _ = try await library.holdfast("import", sound)
    }
    let first = try #require(
      try await library.column("SELECT id FROM recording ORDER BY timestamp, id").first)
    let fake = try FakeTranscriber(
      """
      for sound in sounds:
          if "\(first)" in sound:
              with open("part", "wb", 0) as file:
                  while True: file.write(bytes(1 << 16))
          write(sound, whisper((0, 1, "Word")))
      """)
    let script = """
      mount -t tmpfs -o size=12m none "$3"; cd "$3"; cp -a "$1" library
      run() { "$0" transcribe --library library --program "$2" --model "$4" --now 2>&1; echo $?; }
      run "$@"; cat /dev/zero > filler 2>/dev/null; run "$@"; rm filler
      find library/.staging library/.trash -mindepth 1; "$0" verify --library library 2>&1
      """
    let disk = try makeFolder("disk")
    let result = try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c", script, Command.holdfast, library.path, fake.program, disk,
        fake.model,
      ], environment: FakeTranscriber.environment)
    #expect(result.lines.contains { $0.hasPrefix("failed") && $0.contains("No space left") })
    // What a process that ends gives back may be enough for the sound.
    #expect(result.lines.filter { ["1", "3"].contains($0) }.count == 2, "\(result.output)")
    #expect(result.lines.filter { $0 == "1 transcribed, 1 failed." }.count == 1)
    #expect(result.lines.last == "2 recordings checked: nothing found.")
  }

  @Test("on which the program dies costs a sentence each, and the others are transcribed")
  func deadly() async throws {
    try await library.importingTones(6)
    // As whisper-cli: it ends at the first file that it cannot read.
    let newest = try await library.column(
      "SELECT id FROM recording ORDER BY timestamp DESC, id LIMIT 2")
    let fake = try FakeTranscriber(
      """
      for sound in sounds:
          if any(id in sound for id in \(newest)): sys.exit(7)
          write(sound, whisper((0, 1, "Word")))
      """)
    let result = try await fake.transcribe(library)
    #expect(result.status == 3, "\(result.output) \(result.errorOutput)")
    #expect(try await library.states() == Array(repeating: "words", count: 4))
  }

  @Test(
    "leaves no process behind when Holdfast or its workers are killed", arguments: [false, true])
  func killed(onlyWorkers: Bool) async throws {
    try await library.importingTones(1)
    let fake = try FakeTranscriber(
      """
      if os.fork() == 0:
          os.setsid()
          if os.fork() == 0: open('begun', 'w')
      time.sleep(99999)
      """)
    let command = library.command(
      ["transcribe", "--program", fake.program, "--model", fake.model, "--now"])
    _ = try await Command.start(
      Command.holdfast, command, environment: FakeTranscriber.environment
    ) { running in
      while try await library.find("-name", "begun").isEmpty { await Task.yield() }
      guard onlyWorkers else {
        running.send(SIGKILL, toGroup: true)
        return
      }
      let workers = ["-9", "-P", "\(running.processIdentifier)"]
      _ = try await Command.output(of: "pkill", workers)
    }
    var left = "?"
    for _ in 0..<500 where left != "" {
      left = try await Command.run("pgrep", ["-f", fake.program]).output
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(left == "")
    // The next command that writes removes what was left of the batch.
    _ = try await library.holdfast("verify", "--repair")
    try await library.expectSound()
  }

  @Test("leaves no process behind when it is interrupted")
  func interrupted() async throws {
    try await library.importingTones(1)
    // Beside other work, a chain of idle processes would not begin before its time is over.
    let fake = try FakeTranscriber(
      """
      depth = 0
      while depth < 60 and os.fork() == 0: depth += 1
      if depth == 60: open('begun', 'w')
      time.sleep(99999)
      """)
    let command = library.command(
      ["transcribe", "--program", fake.program, "--model", fake.model, "--now"])
    let result = try await Command.start(
      Command.holdfast, command, environment: FakeTranscriber.environment
    ) { running in
      while try await library.find("-name", "begun").isEmpty { await Task.yield() }
      running.send(SIGINT)
    }
    #expect(result.status == 130)
    let left = try await Command.run("pgrep", ["-f", fake.program])
    #expect(left.output == "")
    try await library.expectSound()
  }
}
