import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// Changes to the folders themselves.
extension WatchTests {
  @Test("A renamed folder is reported, and watched again when it is back")
  func renamed() async throws {
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      try await shell("mv ../phone ../old && sleep 1 && cp $FIXTURES/aac.m4a ../old")
      _ = try await Command.output(of: "mkdir", [folder])
      try await shell("cp $FIXTURES/alac.m4a .")
      try await wait(for: process, toImport: ["alac.m4a"])
      _ = try await Command.output(of: "rm", ["-r", folder])
      _ = try await Command.output(of: "mkdir", ["-p", folder + "/deep"])
      try await shell("cp $FIXTURES/pcm.mov deep")
      try await wait(for: process, toImport: ["alac.m4a", "pcm.mov"])
      try await shell("mv ../phone ../other && mv ../old ../phone")
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a", "pcm.mov"])
    }
    // The watch may not have noticed a folder's absence if it is made again at once.
    let notices = result.errorLines.filter { $0.contains(" is ") }.map { $0.contains(" gone") }
    #expect([2, 3].contains(notices.count / 2))
    #expect(notices == notices.indices.map { $0.isMultiple(of: 2) })
  }

  @Test("A renamed folder above is reported, and a link's target is watched")
  func above() async throws {
    let root = temporary("above/deep/phone")
    _ = try await Command.output(
      of: "bash", ["-c", "mkdir -p \"$0\" && ln -s \"$0\" \"$1\"", root, temporary("link")])
    let result = try await Command.start(
      Command.holdfast, library.command(["watch", temporary("link"), root])
    ) { process in
      try await wait(for: process, toWatch: [root])
      try await shell("cd .. && mv above other && sleep 1 && cp $FIXTURES/aac.m4a other/deep/phone")
      try await shell("cd .. && sleep 3 && mv other above")
      try await wait(for: process, toImport: ["aac.m4a"])
      try await shell("cd .. && rm -r above && sleep 1 && mkdir -p above/deep/phone && sleep 1")
      try await shell("cp $FIXTURES/pcm.mov ../above/deep/phone")
      try await wait(for: process, toImport: ["aac.m4a", "pcm.mov"])
      process.send(SIGTERM)
    }
    let (gone, back) = ("\(root) is gone. It is watched again when it is back.", "\(root) is back.")
    #expect(result.errorLines.filter { $0.contains(" is ") } == [gone, back, gone, back])
  }

  @Test("A library in place of many nested folders does not slow the watch down")
  func nested() async throws {
    let depths = 1...24
    let roots = depths.map { folder + String(repeating: "/n", count: $0) } + [folder + "/beside"]
    _ = try await Command.output(of: "mkdir", ["-p"] + roots)
    let result = try await Command.start(
      Command.holdfast, library.command(["watch"] + roots.reversed())
    ) { process in
      try await wait(for: process, toWatch: roots)
      try await shell(
        "mv n ../old; \"$HOLDFAST\" init ../other; mv ../old/n ../other/n; mv ../other n")
      try await shell("cp $FIXTURES/aac.m4a beside; cp $FIXTURES/alac.m4a n/n")
      try await wait(for: process, toImport: ["aac.m4a"])
      try await shell("mv n ../other; mv ../other/n n; cp $FIXTURES/adts.aac n/n")
      try await wait(for: process, toImport: ["aac.m4a", "adts.aac", "alac.m4a"])
      process.send(SIGTERM)
    }
    #expect(result.status == 0)
  }

  @Test("Neither of two exchanged folders or files is lost")
  func exchanges() async throws {
    try await shell(
      "mkdir -p a b c ../out/new && cp $FIXTURES/aac.m4a ../out/new && cp $FIXTURES/alac.m4a ../out"
    )
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      try await exchange("a", "b")
      try await exchange("c", "../out/new")
      try await wait(for: process, toImport: ["aac.m4a"])
      try await shell("cp $FIXTURES/pcm.mov a; cp $FIXTURES/adts.aac b; cp $FIXTURES/amr-nb.amr c")
      let all = ["aac.m4a", "adts.aac", "amr-nb.amr", "pcm.mov"]
      try await wait(for: process, toImport: all)
      // A recording replaces a refused file.
      try await shell("echo 'no sound' > talk.m4a")
      try await wait(for: process, toRefuse: 1)
      try await exchange("talk.m4a", "../out/alac.m4a")
      try await shell("mkdir d.ogg; cp $FIXTURES/voice.ogg ../out/late.ogg")
      try await exchange("../out/late.ogg", "d.ogg")
      try await wait(for: process, toImport: (all + ["d.ogg", "talk.m4a"]).sorted())
    }
    #expect(result.status == 0)
  }

  /// Swaps two names in the folder.
  private func exchange(_ first: String, _ second: String) async throws {
    let script = """
      import ctypes, os, sys
      here, exchange = -100, 2
      first, second = map(os.fsencode, sys.argv[1:])
      if ctypes.CDLL(None).renameat2(here, first, here, second, exchange):
        sys.exit("not exchanged")
      """
    _ = try await Command.output(
      of: "python3", ["-c", script, first, second], workingDirectory: folder)
  }

  @Test("Nothing is imported through a link to a renamed folder")
  func link() async throws {
    let result = try await watch { process in
      try await wait(for: process, toWatch: [folder])
      try await shell(
        """
        cd ..; mv phone old; sleep 1; ln -s old phone; cp $FIXTURES/aac.m4a old; sleep 4
        rm phone; mv old phone; rm phone/aac.m4a; cp $FIXTURES/alac.m4a phone
        """)
      try await wait(for: process, toImport: ["alac.m4a"])
    }
    #expect(
      result.errorLines.filter { $0.contains(" is ") } == [
        "\(folder) is gone. It is watched again when it is back.", "\(folder) is back.",
      ])
  }

  @Test("A folder is watched again after a link was in its place, or above it")
  func linksAbove() async throws {
    let roots = [temporary("p/r"), temporary("q/s")]
    _ = try await Command.output(of: "mkdir", ["-p", temporary("z"), temporary("n/s")] + roots)
    let result = try await Command.start(
      Command.holdfast, library.command(["watch", "--move"] + roots)
    ) { process in
      try await wait(for: process, toWatch: roots)
      try await shell(
        """
        cd ..; cp $FIXTURES/pcm.mov n/s
        rm -r p; ln -s "$PWD/z" p; sleep 1
        mv q/s z/s; sleep 1; rm p; mv n p; sleep 1
        mkdir p/r; sleep 1; cp $FIXTURES/aac.m4a p/r; sleep 1
        mv z/s q/s; sleep 1; cp $FIXTURES/alac.m4a q/s
        """)
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a"])
      try await shell(
        "cd ..; rm -r p/r; ln -s ../z p/r; sleep 1; rm p/r; mkdir p/r; sleep 1; "
          + "cp $FIXTURES/adts.aac p/r"
      )
      try await wait(for: process, toImport: ["aac.m4a", "adts.aac", "alac.m4a"])
      process.send(SIGTERM)
    }
    #expect(result.status == 0)
    #expect(FileManager.default.fileExists(atPath: temporary("p/s/pcm.mov")))
  }

  @Test("No file is imported through a link in a folder's place")
  func linkInside() async throws {
    try await shell("mkdir a b; mkdir ../away; cp $FIXTURES/pcm.mov ../away")
    let result = try await watch(["--move"]) { process in
      try await wait(for: process, toWatch: [folder])
      process.send(SIGSTOP)
      try await shell("mv a ../old; ln -s ../away a; rmdir b; mkdir c; rmdir c; ln -s ../away c")
      process.send(SIGCONT)
      try await shell(
        """
        python3 -c "import os; os.mkdir('d'); os.rename('d', '../d'); os.symlink('../away', 'd')"
        sleep 1; cp $FIXTURES/aac.m4a .
        """)
      try await wait(for: process, toImport: ["aac.m4a"])
      try await shell("touch a/pcm.mov; cp $FIXTURES/alac.m4a .")
      try await wait(for: process, toImport: ["aac.m4a", "alac.m4a"])
    }
    #expect(result.status == 0)
    #expect(FileManager.default.fileExists(atPath: temporary("away/pcm.mov")))
  }

  @Test("No file is imported through a link that appears during an import of many files")
  func linkMeanwhile() async throws {
    // A file differs from the others in its last byte.
    try await shell(
      """
      mkdir a b ../out ../away; for i in {1..12}; do
        for to in a b ../out ../away; do
          cp $FIXTURES/voice.wav $to/$i.wav; printf "$to$i" >> $to/$i.wav
        done
      done
      """)
    _ = try await watch(["--move", "--jobs", "1"]) { process in
      _ = try await HoldfastCLITests.wait(for: process) { try await !self.names().isEmpty }
      try await shell(
        "mv a ../old; ln -s ../out a; "
          + "for file in b/*; do ln -sf \"$PWD/../away/${file#b/}\" $file; done"
      )
      try await shell("cp $FIXTURES/aac.m4a .")
      _ = try await HoldfastCLITests.wait(for: process) {
        try await self.names().contains("aac.m4a")
      }
    }
    let left = try await Command.output(
      of: "bash", ["-c", "ls out away | grep -c wav"], workingDirectory: temporary(""))
    #expect(left.lines == ["24"])
    let taken = try await names().count
    #expect((2...12).contains(taken), "\(taken)")
    #expect(
      try await library.column("SELECT count(DISTINCT sourceSHA256) FROM recording") == ["\(taken)"]
    )
  }

  @Test("Folders are seen again after something was mounted on them", .enabled(if: geteuid() == 0))
  func mounts() async throws {
    let script = """
      cd "$1"; mkdir -p a b c
      "$0" watch --library "$2" . & watch=$!; sleep 2
      mkdir a/d; mount --bind a b; sleep 1; mv b/d b/e; cp "$FIXTURES/adts.aac" b; umount b; sleep 1
      mount -t tmpfs none c; sleep 1; kill -STOP $watch; umount c; kill -CONT $watch; sleep 1
      cp "$FIXTURES/aac.m4a" a/e; cp "$FIXTURES/alac.m4a" b; cp "$FIXTURES/pcm.mov" c
      for try in {1..100}; do
        [ $(sqlite3 "$2/catalog.sqlite" "SELECT count(*) FROM recording") = 4 ] && break; sleep 0.2
      done
      kill $watch; wait $watch
      """
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", script, Command.holdfast, folder, library.path],
      environment: ["FIXTURES": Repository.root + "/fixtures"], isMostlyIdle: true)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await names() == ["aac.m4a", "adts.aac", "alac.m4a", "pcm.mov"])
  }

  @Test(
    "Files are imported where a library or another folder was mounted before",
    .enabled(if: geteuid() == 0))
  func unmounts() async throws {
    let script = """
      cd "$1"; mkdir a b c
      mount -t tmpfs none c; "$0" init c/lib >&2; mv c/lib/* c/lib/.[!.]* c; rmdir c/lib
      mount --bind b a
      "$0" watch --library "$2" . & watch=$!; sleep 2
      umount c; cp "$FIXTURES/aac.m4a" c; umount a; sleep 1; cp "$FIXTURES/alac.m4a" a
      mount -t tmpfs none c; cp "$FIXTURES/adts.aac" c; sleep 1; cp "$FIXTURES/pcm.mov" b
      for try in {1..100}; do
        [ $(sqlite3 "$2/catalog.sqlite" "SELECT count(*) FROM recording") = 3 ] && break; sleep 0.2
      done
      kill $watch; wait $watch
      """
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", script, Command.holdfast, folder, library.path],
      environment: ["FIXTURES": Repository.root + "/fixtures"], isMostlyIdle: true)
    #expect(result.status == 0, "\(result.errorOutput)")
    // The first one was covered before the watch considered it complete.
    #expect(try await names() == ["adts.aac", "alac.m4a", "pcm.mov"])
  }

  @Test("A source stays if a link took its folder's place while it was encoded")
  func linkDuringEncode() async throws {
    try await shell(
      """
      mkdir sub ../out
      ffmpeg -v error -f lavfi -i testsrc2=s=1280x720:d=40 -c:v mpeg2video -q:v 4 sub/slow.mkv
      """)
    let staging = library.path + "/.staging"
    _ = try await watch(["--move"]) { process in
      _ = try await HoldfastCLITests.wait(for: process) {
        try await !Command.output(of: "find", [staging, "-type", "f"]).lines.isEmpty
      }
      try await shell("mv sub ../out/sub; ln -s ../out/sub sub")
      let before = try await names()
      #expect(before.isEmpty)
      try await wait(for: process, toImport: ["slow.mkv"])
      try await shell("cp $FIXTURES/aac.m4a .")
      try await wait(for: process, toImport: ["aac.m4a", "slow.mkv"])
    }
    #expect(FileManager.default.fileExists(atPath: temporary("out/sub/slow.mkv")))
  }
}
