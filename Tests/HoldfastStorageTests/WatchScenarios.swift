@testable import HoldfastStorage

extension Scenario {
  static let all = own + others + found + lost + polled + retried

  /// The watching user's files, and events that report them.
  private static let own = [
    Scenario(
      "A file is named two seconds after it is closed",
      [.write("a"), .wait(1), .close("a"), .wait(9)], names: "3 a"),
    Scenario(
      "A file that is open is not named", [.write("a"), .wait(500)], names: ""),
    Scenario(
      "A file that is closed after a long time is named then",
      [.write("a"), .wait(500), .close("a"), .wait(5)], names: "502 a"),
    Scenario(
      "A file that is closed for a moment is not named before it is closed again",
      [.write("a"), .close("a"), .wait(1), .write("a"), .wait(200), .close("a"), .wait(5)],
      names: "203 a"),
    Scenario(
      "A file that was named is named again when it was written again",
      [.write("a"), .close("a"), .wait(9), .write("a"), .close("a"), .wait(9)], names: "2 a, 11 a"),
    Scenario(
      "A file is named once, however long the watch goes on",
      [.write("a"), .close("a"), .wait(5000)], names: "2 a"),
    Scenario(
      "A file that Syncthing renames when it is complete is named by its last name",
      [.write("t"), .wait(7), .close("t"), .move("t", to: "a"), .wait(9)], names: "9 a"),
    Scenario(
      "A file that is moved in is named two seconds later",
      [
        .write("t"), .close("t"), .wait(1), .move("t", to: "a"), .wait(9),
      ], names: "3 a"),
    Scenario(
      "A file that takes another's place is named",
      [
        .write("a"), .close("a"), .wait(9), .write("t"), .close("t"), .move("t", to: "a"), .wait(9),
      ],
      names: "2 a, 11 a"),
    Scenario(
      "A file that takes the place of one that waits is named once",
      [
        .write("a"), .close("a"), .wait(1), .write("t"), .close("t"), .move("t", to: "a"), .wait(9),
      ],
      names: "3 a"),
    Scenario(
      "A file that is removed before it is due is not named",
      [.write("a"), .close("a"), .wait(1), .remove("a"), .wait(99)], names: ""),
    Scenario(
      "A file that is made where one was closed is not named while it is open",
      [.write("a"), .close("a"), .remove("a"), .write("a"), .wait(300)], names: ""),
    Scenario(
      "A hard link is named although it is never closed",
      [.write("t"), .close("t"), .wait(9), .link("t", to: "a"), .wait(9)], names: "2 t, 11 a"),
    Scenario(
      "A hard link to a file that is written is named when that is closed unseen",
      [
        .write("t"), .wait(1), .link("t", to: "a"), .remove("t"), .wait(9), .closeUnseen("a"),
        .wait(99),
      ],
      names: "63 a"),
    Scenario(
      "Files that are complete at the same time are named by their paths",
      [.write("b"), .write("a"), .close("b"), .close("a"), .wait(9)], names: "2 a, 2 b"),
    Scenario(
      "A file whose rights change while it waits is named when it has rested",
      [.write("a"), .close("a"), .wait(1), .chmod("a"), .wait(9)], names: "3 a"),
    Scenario(
      "A file in a folder that is closed to the user is named once that can be read",
      [.write("a"), .close("a"), .hide("a"), .wait(30), .show("a"), .wait(99)], names: "62 a"),
    Scenario(
      "A file whose disk gives errors for long is named when they end",
      [.write("a"), .close("a"), .hide("a"), .wait(600), .show("a"), .wait(99)], names: "602 a"),
    Scenario(
      "A file that is written to by one name and closed by another is checked each minute",
      [.write("a"), .wait(100), .closeUnseen("a"), .wait(60)], names: "122 a"),
  ]

  /// Another user's files: the kernel does not report whether they are open.
  private static let others = [
    Scenario(
      "Another user's file is named two seconds after it is closed",
      [.write("a", .other), .wait(30), .close("a"), .wait(9)], names: "32 a"),
    Scenario(
      "Another user's half-written file is not named while its writer pauses",
      [.write("a", .other), .wait(599)], names: ""),
    Scenario(
      "Another user's file is named after ten minutes of rest if its end was not reported",
      [.write("a", .other), .wait(700)], names: "600 a"),
    Scenario(
      "Another user's file that changes now and then is not named",
      [
        .write("a", .other), .wait(500), .append("a"), .wait(500), .append("a"), .wait(500),
        .append("a"), .wait(500),
      ], names: ""),
    Scenario(
      "Another user's file that is opened again after it was closed is not named as it is then",
      [.write("a", .other), .close("a"), .wait(1), .write("a", .other), .wait(300)], names: ""),
    Scenario(
      "Another user's file that is opened again is named when it is closed again",
      [
        .write("a", .other), .close("a"), .wait(1), .write("a", .other), .wait(50), .close("a"),
        .wait(9),
      ],
      names: "53 a"),
    Scenario(
      "Another user's file that is moved in is named two seconds later",
      [.write("t", .other), .wait(1), .move("t", to: "a"), .wait(9)], names: "3 a"),
    Scenario(
      "Another user's file that is moved in and then written to is not named",
      [.write("t", .other), .move("t", to: "a"), .wait(1), .append("a"), .wait(300)], names: ""),
    Scenario(
      "Another user's file that is made where one was closed is not named",
      [.write("a", .other), .close("a"), .remove("a"), .write("a", .other), .wait(300)], names: ""),
    Scenario(
      "Another user's file that is made where the user's was closed is not named",
      [.write("a"), .close("a"), .remove("a"), .write("a", .other), .wait(300)], names: ""),
    Scenario(
      "Another user's hard link is named after ten minutes of rest",
      [.write("t", .other), .link("t", to: "a"), .remove("t"), .wait(700)], names: "600 a"),
    Scenario(
      "Another user's file whose rights change after it was closed is named",
      [.write("a", .other), .close("a"), .wait(1), .chmod("a"), .wait(9)], names: "3 a"),
    Scenario(
      "Two users' files are each named by their own rule",
      [.write("a"), .write("b", .other), .wait(10), .closeUnseen("a"), .close("b"), .wait(99)],
      names: "12 b, 62 a"),
    Scenario(
      "Another user's file that cannot be read when it is due is named later",
      [.write("a", .other), .close("a"), .hide("a"), .wait(20), .show("a"), .wait(99)],
      names: "62 a"),
  ]

  /// Files that a walk finds.
  private static let found = [
    Scenario(
      "A file that has rested is named at once", [.find("a", rest: 60), .wait(9)], names: "0 a"),
    Scenario(
      "A file that has just changed is named when it has rested", [.find("a"), .wait(9)],
      names: "2 a"),
    Scenario(
      "A file that is found open is not named", [.find("a", rest: 60, isOpen: true), .wait(99)],
      names: ""),
    Scenario(
      "Another user's file that has rested for ten minutes is named at once",
      [.find("a", .other, rest: 600), .wait(9)], names: "0 a"),
    Scenario(
      "Another user's file waits for the rest of its ten minutes",
      [.find("a", .other, rest: 590), .wait(99)], names: "10 a"),
    Scenario(
      "Another user's file, after the clock was set back, waits ten minutes",
      [.find("a", .other, rest: -9000), .wait(700)], names: "600 a"),
    Scenario(
      "A file, after the clock was set back, waits two seconds",
      [.find("a", rest: -9000), .wait(9)],
      names: "2 a"),
    Scenario(
      "Another user's file, before which the machine slept, waits ten minutes",
      [.find("a", .other, rest: -100), .wait(599), .wait(2)], names: "600 a"),
    Scenario(
      "Another user's file that is closed while it waits is named then",
      [.find("a", .other), .wait(30), .append("a"), .close("a"), .wait(9)], names: "32 a"),
    Scenario(
      "A file that is found twice is named once", [.find("a", rest: 9), .mount, .wait(9)],
      names: "0 a"),
    Scenario(
      "A file that waits is not named earlier because it is found again",
      [.find("a", .other), .wait(99), .mount, .wait(99), .mount, .wait(500)], names: "600 a"),
  ]

  /// Events that are lost, and mounts.
  private static let lost = [
    Scenario(
      "A file whose events are lost is named when it has rested",
      [.write("a"), .closeUnseen("a"), .overflow, .wait(9)], names: "2 a"),
    Scenario(
      "A file that is open when events are lost is not named",
      [.write("a"), .overflow, .wait(300)], names: ""),
    Scenario(
      "Another user's file that was closed before events were lost may be another one",
      [.write("a", .other), .close("a"), .overflow, .wait(300)], names: ""),
    Scenario(
      "Another user's file that is closed after events were lost is named",
      [.write("a", .other), .overflow, .wait(5), .close("a"), .wait(9)], names: "7 a"),
    Scenario(
      "Another user's file is named after ten minutes when events were lost",
      [.write("a", .other), .close("a"), .overflow, .wait(700)], names: "600 a"),
    Scenario(
      "A file that a mount covers before it is due is not named",
      [.write("a"), .close("a"), .wait(1), .remove("a"), .mount, .wait(99)], names: ""),
    Scenario(
      "A file that was covered is named when the other disk is unmounted",
      [.mount, .find("a", rest: 500), .wait(9)], names: "0 a"),
    Scenario(
      "A mount does not name a file that waits for its writer",
      [.write("a"), .wait(5), .mount, .wait(99)], names: ""),
    Scenario(
      "A mount does not forget that another user's file was closed",
      [.write("a", .other), .close("a"), .mount, .wait(9)], names: "2 a"),
  ]

  /// Files that no event reports.
  private static let polled = [
    Scenario(
      "A polled file is named when two polls find the same", [.poll(), .find("a"), .wait(99)],
      names: "60 a"),
    Scenario(
      "A polled file that has rested for long is named after two polls as well",
      [.poll(), .find("a", rest: 5000), .wait(99)], names: "60 a"),
    Scenario(
      "A polled file that grows is not named before it stops",
      [.poll(), .find("a"), .wait(50), .append("a"), .wait(60), .append("a"), .wait(300)],
      names: "180 a"),
    Scenario("A polled file is named once", [.poll(), .find("a"), .wait(5000)], names: "60 a"),
    Scenario(
      "A polled file that changes is named again after two more polls",
      [.poll(), .find("a"), .wait(100), .append("a"), .wait(300)], names: "60 a, 180 a"),
    Scenario(
      "A polled file whose rights change is not named again",
      [.poll(), .find("a"), .wait(100), .chmod("a"), .wait(300)], names: "60 a"),
    Scenario(
      "A polled file that is removed and comes back is named again",
      [
        .poll(), .find("a"), .wait(100), .remove("a"), .wait(100), .find("a"), .wait(200),
      ], names: "60 a, 300 a"),
    Scenario(
      "A check that takes as long as two polls counts as one",
      [.poll(), .find("a"), .slow("a", 70), .wait(69), .slow("a", 0), .wait(200)], names: "130 a"),
    Scenario(
      "A polled file that cannot be read is named later",
      [.poll(), .find("a"), .wait(30), .hide("a"), .wait(100), .show("a"), .wait(99)],
      names: "180 a"),
    Scenario(
      "A file beyond the watch limit that this machine writes is not named",
      [.poll(.watchLimit), .find("a", isOpen: true), .wait(300)], names: ""),
    Scenario(
      "A file beyond the watch limit is named when it is closed and two polls find the same",
      [.poll(.watchLimit), .find("a", isOpen: true), .wait(130), .closeUnseen("a"), .wait(99)],
      names: "180 a"),
    Scenario(
      "A file that waits when its folder begins to be polled is named after two polls",
      [.write("a"), .poll(), .wait(99)], names: "60 a"),
    Scenario(
      "A file whose folder is no longer polled is named by its events",
      [.poll(), .wait(9), .stopPolling, .write("a"), .close("a"), .wait(9)], names: "11 a"),
  ]

  /// Files that could not be used when they were reported.
  private static let retried = [
    Scenario(
      "A retry names a file again",
      [.write("a"), .close("a"), .wait(9), .retry("a", after: 60), .wait(99)], names: "2 a, 69 a"),
    Scenario(
      "A retry does not delay a file that was written and closed since it was named",
      [
        .write("a"), .close("a"), .write("b", .other), .close("b"), .wait(9), .append("a"),
        .close("a"), .append("b"), .close("b"), .retry("a", after: 60), .retry("b", after: 60),
        .wait(99),
      ], names: "2 a, 2 b, 11 a, 11 b"),
    Scenario(
      "A retry names another user's file again that is as it was named",
      [.write("a", .other), .close("a"), .wait(9), .retry("a", after: 60), .wait(99)],
      names: "2 a, 69 a"),
    Scenario(
      "A retry does not name another user's file that was written meanwhile",
      [
        .write("a", .other), .close("a"), .wait(9), .retry("a", after: 60), .wait(5), .append("a"),
        .wait(300),
      ], names: "2 a"),
    Scenario(
      "A retry does not name the user's file while it is written",
      [
        .write("a"), .close("a"), .wait(9), .retry("a", after: 60), .write("a"), .wait(99),
        .close("a"),
        .wait(9),
      ], names: "2 a, 110 a"),
    Scenario(
      "A file that waits for a retry is named at once when it is closed again",
      [
        .write("a"), .close("a"), .wait(9), .retry("a", after: 600), .write("a"), .close("a"),
        .wait(9),
      ],
      names: "2 a, 11 a"),
    Scenario(
      "A mount names the files that wait for a retry",
      [.write("a"), .close("a"), .wait(9), .retry("a", after: 600), .wait(9), .mount, .wait(9)],
      names: "2 a, 18 a"),
    Scenario(
      "All retries can be made at once",
      [
        .write("a"), .close("a"), .write("b"), .close("b"), .wait(9), .retry("a", after: 600),
        .retry("b", after: 900), .wait(9), .retryAll, .wait(9),
      ], names: "2 a, 2 b, 18 a, 18 b"),
    Scenario(
      "A retry of a file that is gone is dropped",
      [.write("a"), .close("a"), .wait(9), .retry("a", after: 60), .remove("a"), .wait(999)],
      names: "2 a"),
    Scenario(
      "Lost events do not stop a retry of another user's file",
      [.write("a", .other), .close("a"), .wait(9), .retry("a", after: 60), .overflow, .wait(99)],
      names: "2 a, 69 a"),
    Scenario(
      "A retry names a polled file again",
      [.poll(), .find("a"), .wait(70), .retry("a", after: 20), .wait(99)], names: "60 a, 90 a"),
    Scenario(
      "A retry does not name a polled file that has changed",
      [.poll(), .find("a"), .wait(70), .retry("a", after: 20), .append("a"), .wait(79)],
      names: "60 a"),
    Scenario(
      "A retry of a polled file that cannot be read is made again",
      [
        .poll(), .find("a"), .wait(70), .retry("a", after: 20), .hide("a"), .wait(30), .show("a"),
        .wait(99),
      ], names: "60 a, 150 a"),
    Scenario(
      "A polled file that is written again before its retry is named after two polls",
      [
        .poll(.watchLimit), .find("a"), .wait(70), .retry("a", after: 20), .write("a"), .wait(30),
        .closeUnseen("a"), .wait(200),
      ], names: "60 a, 180 a"),
    Scenario(
      "A poll does not make a retry before it is due",
      [.poll(), .find("a"), .wait(70), .retry("a", after: 500), .wait(600)], names: "60 a, 570 a"),
  ]
}
