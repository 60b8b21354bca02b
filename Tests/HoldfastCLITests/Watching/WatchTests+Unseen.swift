import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// Folders for which the kernel does not report everything: this user may not list a folder above,
/// or a program provides their contents.
extension WatchTests {
  @Test(
    "Files of a folder that was unreadable during an import are imported later",
    .enabled(if: geteuid() == 0))
  func closed() async throws {
    // A mount makes the watch try again at once, instead of after a minute.
    try await asOtherUser(
      """
      mkdir -p in/sub mnt
      ffmpeg -v error -f lavfi -i testsrc2=s=1280x720:d=20 -c:v mpeg2video -q:v 4 in/a.mkv
      cp "$fixtures/aac.m4a" in/sub; chown -R 65534:65534 in
      watch --jobs 1 in
      until [ -n "$(find lib/.staging -type f)" ]; do sleep 0.05; done; chmod 000 in/sub
      wait_for 1; sleep 1; chmod 755 in/sub; mount -t tmpfs none mnt
      wait_for 2
      """)
  }

  @Test(
    "Files below an unreadable folder, on a new mount, are imported once it is readable",
    .notInSample, .enabled(if: geteuid() == 0))
  func closedAbove() async throws {
    try await asOtherUser(
      """
      mkdir -p above/in/sub; chown 65534:65534 above/in/sub
      watch above/in
      chmod 700 above; mount -t tmpfs none above/in/sub; sleep 2
      cp "$fixtures/aac.m4a" above/in/sub; chown 65534:65534 above/in/sub/*; sleep 1
      chmod 755 above
      wait_for 1
      """)
  }

  @Test(
    "A folder that is made again is watched, even where this user may not list its parent",
    .notInSample, .enabled(if: geteuid() == 0))
  func unlistable() async throws {
    try await asOtherUser(
      """
      mkdir -p shut/in; chmod 711 shut
      watch shut/in
      rmdir shut/in; sleep 2; mkdir shut/in
      for try in {1..900}; do ! grep -q 'in is back' log || break; sleep 0.1; done
      grep -q 'in is back' log
      cp "$fixtures/aac.m4a" shut/in; chown 65534:65534 shut/in/*
      wait_for 1
      """)
  }

  @Test(
    "Folders without events are polled each minute, but not through links",
    .notInSample, .enabled(if: geteuid() == 0))
  func unsure() async throws {
    try await asOtherUser(
      """
      mkdir -p link/b/c else/c beside/r two/in/sub place/r list/A/sub new; $user "$0" init lib2
      cp "$fixtures/pcm.mov" else/c; cp "$fixtures/aac.m4a" new
      chown -R 65534:65534 else beside/r place/r; chmod 711 link two two/in place list/A
      watch --move link/b/c beside/r two/in/sub place/r list/A/sub list/A
      mv link/b link/old; ln -s ../else link/b
      mv two/in two/old; mkdir -p two/in/sub; cp "$fixtures/alac.m4a" two/in/sub; chmod 711 two/in
      chown 65534 two/in/sub/*
      mv place/r place/old; mv lib2 place/r
      chown -R 65534 new; mv list other; mv other list; mv new list/A/sub
      sleep 65
      mv else/c beside/c
      mv place/r place/lib2; mkdir place/r; cp "$fixtures/adts.aac" place/r
      chown 65534 place/r/*
      wait_for 3; sleep 4; wait_for 3
      [ -e beside/c/pcm.mov ]; [ $(grep -c 'could not open' log) -le 2 ]
      """)
  }

  @Test(
    "A file that another computer still writes stays, also in nested folders without events",
    .notInSample,
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse")))
  func silentInEachOther() async throws {
    try await asOtherUser(
      """
      mkdir -p back/out/in disk; head -c 3000 "$fixtures/adts.aac" > back/out/in/a.aac
      chown -R 65534:65534 back; serve back disk
      watch --move disk/out/in disk/out
      sleep 5; [ -e back/out/in/a.aac ]; tail -c +3001 "$fixtures/adts.aac" >> back/out/in/a.aac
      wait_for 1
      sqlite3 lib/catalog.sqlite 'SELECT sourceSHA256 FROM recording' > hash
      [ "$(cat hash)" = "$(sha256sum < "$fixtures/adts.aac" | head -c 64)" ]
      """)
  }

  @Test(
    "Another user's file that is written again while the library is missing stays",
    .notInSample, .enabled(if: geteuid() == 0))
  func othersWhileWaiting() async throws {
    try await asOtherUser(
      """
      mkdir in mnt; chown 65534:65534 in
      watch --move in
      mv lib away; cp "$fixtures/pcm.mov" in; head -c 2000 "$fixtures/adts.aac" > in/a.aac
      for try in {1..300}; do ! grep -q again log || break; sleep 0.1; done; grep -q again log
      sleep 1
      chmod 664 in/pcm.mov
      exec 3>> in/a.aac; tail -c +2001 "$fixtures/adts.aac" | head -c 1000 >&3
      mv away lib; mount -t tmpfs none mnt; sleep 4
      wait_for 1; [ -e in/a.aac ]; tail -c +3001 "$fixtures/adts.aac" >&3; exec 3>&-
      wait_for 2
      sqlite3 lib/catalog.sqlite 'SELECT sourceSHA256 FROM recording' > hashes
      grep -q "$(sha256sum < "$fixtures/adts.aac" | head -c 64)" hashes
      """)
  }

  @Test(
    "A new file of another user stays, although one of the same name was just closed",
    .notInSample, .enabled(if: geteuid() == 0))
  func madeAgain() async throws {
    try await asOtherUser(
      """
      mkdir in; chown 65534:65534 in
      watch --move in; kill -STOP $!
      cp "$fixtures/adts.aac" in/now.aac; mv in/now.aac in/done.aac
      cp "$fixtures/pcm.mov" in/x.mov; rm in/x.mov
      exec 3> in/now.aac; exec 4> in/x.mov; head -c 2000 "$fixtures/adts.aac" >&3
      head -c 200 "$fixtures/aac.m4a" >&4
      kill -CONT $!; wait_for 1; sleep 4
      [ -e in/now.aac ]; [ -e in/x.mov ]; cat "$fixtures/adts.aac" >&3
      tail -c +201 "$fixtures/aac.m4a" >&4
      exec 3>&-; exec 4>&-
      wait_for 3
      """)
  }

  @Test(
    "A new file in place of a closed one stays, if others are imported just then",
    .notInSample, .enabled(if: geteuid() == 0))
  func madeAgainBeforeOthers() async throws {
    // After the first import, the watch learns that the file is closed, but checks it only when
    // there is another one.
    try await asOtherUser(
      """
      mkdir in; chown 65534:65534 in
      for size in 1280x720 1920x1080; do
        ffmpeg -v error -f lavfi -i testsrc2=s=$size:d=10 -c:v mpeg2video -q:v 4 $size.mkv
      done
      watch --move --jobs 1 in; pid=$!
      mv 1920x1080.mkv in; sleep 1; mv 1280x720.mkv in
      until [ -n "$(find lib/.staging -type f)" ]; do sleep 0.05; done
      strace -q -o calls -P $PWD/in/x.aac -e inject=newfstatat:delay_enter=2000000 -p $pid &
      tracer=$!
      cp "$fixtures/adts.aac" in/x.aac; wait_for 1; sleep 0.5
      rm in/x.aac; exec 3> in/x.aac; head -c 2000 "$fixtures/adts.aac" >&3
      wait_for 2; kill $tracer; sleep 4; [ -e in/x.aac ]
      tail -c +2001 "$fixtures/adts.aac" >&3; exec 3>&-
      wait_for 3
      """)
  }

  @Test(
    "A new file in place of one that waits during an import stays",
    .notInSample, .enabled(if: geteuid() == 0))
  func madeAgainInBatch() async throws {
    try await asOtherUser(
      """
      mkdir in; chown 65534:65534 in
      ffmpeg -v error -f lavfi -i testsrc2=s=1920x1080:d=10 -c:v mpeg2video -q:v 4 a.mkv
      watch --move --jobs 1 in
      mv a.mkv in; cp "$fixtures/adts.aac" in/other.aac; cp "$fixtures/amr-nb.amr" in/own.amr
      chown 65534 in/own.amr
      # All are due at once.
      sleep 1; kill -STOP $!; sleep 2; kill -CONT $!
      until [ -n "$(find lib/.staging -type f)" ]; do sleep 0.05; done
      rm in/o*; exec 3> in/other.aac; exec 4> in/own.amr; chown 65534 in/own.amr
      head -c 2000 "$fixtures/adts.aac" >&3; head -c 1000 "$fixtures/amr-nb.amr" >&4
      wait_for 1; sleep 6; wait_for 1; [ -e in/other.aac ]
      tail -c +2001 "$fixtures/adts.aac" >&3; tail -c +1001 "$fixtures/amr-nb.amr" >&4
      exec 3>&-; exec 4>&-
      wait_for 3
      """)
  }

  @Test(
    "An open file in a replaced folder stays, although the queue of events overflowed",
    .notInSample, .enabled(if: geteuid() == 0))
  func overflowBesideAnother() async throws {
    try await asOtherUser(
      """
      mkdir -p in/{d,many}; chown -R 65534:65534 in
      watch --move in; kill -STOP $!
      cp "$fixtures/alac.m4a" in/b.aac
      for number in {1..9000}; do : > in/many/$number.part; done
      mv in/d old; mkdir in/d; chown 65534 in/d; exec 3> in/d/a.aac
      head -c 2000 "$fixtures/adts.aac" >&3
      rm in/b.aac; exec 4> in/b.aac; head -c 2000 "$fixtures/adts.aac" >&4
      kill -CONT $!; sleep 4; cp "$fixtures/aac.m4a" old/a.aac; sleep 4
      [ -e in/d/a.aac ]; tail -c +2001 "$fixtures/adts.aac" >&3; exec 3>&-
      [ -e in/b.aac ]; cat "$fixtures/adts.aac" >&4; exec 4>&-
      wait_for 2
      """)
  }

  @Test(
    "All files that waited for the library are imported with the first new one",
    .notInSample, .enabled(if: geteuid() == 0))
  func waiting() async throws {
    try await asOtherUser(
      """
      mkdir in; chown 65534:65534 in
      watch in; mv lib away
      for file in aac.m4a pcm.mov adts.aac; do cp "$fixtures/$file" in; sleep 4; done
      mv away lib; cp "$fixtures/alac.m4a" in; sleep 8
      wait_for 4; [ $SECONDS -lt 50 ]
      """)
  }

  @Test(
    "A file that found the disk full is tried again with the next one that finds room",
    .notInSample, .enabled(if: geteuid() == 0))
  func full() async throws {
    try await asOtherUser(
      """
      mkdir in disk; mount -t tmpfs -o size=60m none disk; chown 65534:65534 in disk
      $user "$0" init disk/lib; rm -r lib; ln -s disk/lib
      head -c 50M /dev/zero > disk/filler
      watch in; cp "$fixtures/aac.m4a" in
      for try in {1..600}; do ! grep -q refused log || break; sleep 0.1; done
      grep -q 'refused .* free; it will be tried again$' log
      rm disk/filler; since=$SECONDS; cp "$fixtures/alac.m4a" in
      wait_for 2; [ $((SECONDS - since)) -lt 50 ]
      """)
  }

  @Test(
    "A file that another computer writes again while the library is missing stays",
    .notInSample,
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse")))
  func silentWhileWaiting() async throws {
    // A mount has the watch try again at once, instead of after a minute.
    try await asOtherUser(
      """
      mkdir -p back disk mnt; head -c 2000 "$fixtures/adts.aac" > back/a.aac
      cp "$fixtures/pcm.mov" back; touch -d @1700000000 back/pcm.mov
      chown -R 65534:65534 back; serve back disk
      watch --move disk
      mv lib away
      for try in {1..1800}; do ! grep -q again log || break; sleep 0.1; done; grep -q again log
      tail -c +2001 "$fixtures/adts.aac" | head -c 1000 >> back/a.aac; touch back/pcm.mov
      sleep 3; mv away lib; mount -t tmpfs none mnt; sleep 5
      [ -e back/a.aac ]; tail -c +3001 "$fixtures/adts.aac" >> back/a.aac
      [ -e back/pcm.mov ]; touch -d @1700000000 back/pcm.mov
      wait_for 2
      sqlite3 lib/catalog.sqlite 'SELECT sourceSHA256 FROM recording' > hashes
      grep -q "$(sha256sum < "$fixtures/adts.aac" | head -c 64)" hashes
      """)
  }

  @Test(
    "A file that another computer still writes stays, even if one poll takes as long as two",
    .notInSample,
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse")))
  func slowLook() async throws {
    try await asOtherUser(
      """
      mkdir back disk; chown 65534:65534 back; serve back disk; server=$!
      watch --move disk
      sleep 50; kill -STOP $server; sleep 74
      head -c 3000 "$fixtures/adts.aac" > back/a.aac; chown 65534:65534 back/a.aac
      kill -CONT $server; sleep 8
      [ -e back/a.aac ]
      """)
  }

  @Test(
    "Files on another computer that gave errors for a while are imported",
    .notInSample,
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse")))
  func erring() async throws {
    try await asOtherUser(
      """
      mkdir -p back other/root in/sub disk mnt; chown -R 65534:65534 back other
      serve back in/sub; first=$!; serve other disk; second=$!
      fail() {
        strace -f -q -o calls -e inject=%%stat,openat:error=EHOSTDOWN -p $1 & down="$down $!"
        sleep 1; ! ls $2 2> /dev/null
      }
      fail $first in/sub
      watch in disk disk/root
      fail $second disk; mount -t tmpfs none mnt; sleep 3
      kill $down; sleep 1
      cp "$fixtures/adts.aac" back; cp "$fixtures/pcm.mov" other; rmdir other/root
      echo > other/root
      chown 65534 back/* other/*
      wait_for 2
      [ $(grep -c 'is gone' log) = 1 ]; grep -q 'disk/root is gone' log
      """)
  }

  @Test(
    "Files are imported from more folders than the system can watch", .notInSample,
    .enabled(if: geteuid() == 0))
  func watchLimit() async throws {
    try await asOtherUser(
      """
      mkdir -p in/{a,b,c,d,e,f}; chown -R 65534:65534 in
      printf '#!/bin/sh\necho 9 > /proc/sys/user/max_inotify_watches; exec "$@"\n' > limited
      chmod 755 limited
      user="$user unshare -Ur ./limited"
      watch in
      for folder in in/*; do
        cp "$fixtures/adts.aac" $folder/${folder#in/}.aac; echo $folder >> $folder/*
      done
      chown 65534 in/*/*
      wait_for 6
      [ $(grep -c max_user_watches log) = 1 ]
      """)
  }

  /// Runs a script as root beside another user's watch, with private mounts. In it, `watch` begins
  /// a watch, `wait_for` waits for a number of recordings, `serve` has a program provide a folder
  /// from another one, and `$fixtures` is the folder of the fixtures.
  private func asOtherUser(_ script: String) async throws {
    let preparation = """
      trap 'echo "not so: $BASH_COMMAND" >&2; cat log >&2' ERR
      fixtures=$2; chmod 755 "$1"; mkdir -m 777 "$1/other"; cd "$1/other"; mkdir run
      chown 65534:65534 run
      export XDG_RUNTIME_DIR=$PWD/run; user="setpriv --reuid=65534 --regid=65534 --clear-groups"
      $user "$0" init lib
      trap 'kill $(jobs -p)' EXIT
      serve() {
        bindfs -f -o attr_timeout=0,entry_timeout=0 $1 $2 &
        until mountpoint -q $2; do kill -0 $!; sleep 0.1; done
      }
      watch() {
        $user "$0" watch --library lib "$@" 2> log &
        until grep -q Watching log; do kill -0 $!; sleep 0.1; done
      }
      wait_for() {
        for try in {1..3000}; do
          [ "$(sqlite3 lib/catalog.sqlite 'SELECT count(*) FROM recording')" = $1 ] && return
          sleep 0.1
        done
        return 1
      }

      """
    let result = try await Command.run(
      "unshare",
      [
        "-m", "bash", "-ec", preparation + script, try Command.holdfast,
        URL(filePath: folder).deletingLastPathComponent().path, Repository.root + "/fixtures",
      ], isMostlyIdle: true)
    #expect(result.status == 0, "\(result.errorOutput)")
  }
}
