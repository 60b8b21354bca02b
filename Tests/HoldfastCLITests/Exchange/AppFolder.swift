import Foundation
import HoldfastTestSupport

/// The folder of an app in the running test's folder, as a phone has it: a store in WAL mode, and
/// the recordings' files. The sqlite3 program writes the store.
struct AppFolder {
  let path: String
  var store: String { path + "/Library/Application Support/default.store" }
  var recordings: String { path + "/Documents/Recordings" }

  init(_ name: String = "app") throws {
    path = temporary(name)
    for folder in ["Library/Application Support", "Documents/Recordings/Thumbnails"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    }
  }

  /// The tables of an app with recordings, cravings, usage and messages.
  static let tables = """
    CREATE TABLE Z_PRIMARYKEY
      (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'RecordingModel', 0, 9), (2, 'CravingModel', 0, 9),
      (3, 'UsageModel', 0, 9), (4, 'MotivationalMessageModel', 0, 9), (5, 'SyncState', 0, 9);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
    CREATE TABLE ZRECORDINGMODEL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZID BLOB, ZTIMESTAMP TIMESTAMP, ZTYPE VARCHAR, ZPURPOSE VARCHAR, ZDURATION FLOAT,
      ZFILEPATH VARCHAR, ZTHUMBNAILPATH VARCHAR, ZTITLE VARCHAR, ZNOTES VARCHAR,
      ZPLAYCOUNT INTEGER, ZLASTPLAYEDAT TIMESTAMP, ZCREATEDAT TIMESTAMP, ZMODIFIEDAT TIMESTAMP);
    CREATE TABLE ZCRAVINGMODEL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZID BLOB, ZTIMESTAMP TIMESTAMP, ZINTENSITY INTEGER, ZTRIGGERS BLOB, ZLOCATION VARCHAR,
      ZNOTES VARCHAR, ZRECORDING INTEGER, ZCREATEDAT TIMESTAMP, ZMODIFIEDAT TIMESTAMP,
      ZWASMANAGEDSUCCESSFULLY INTEGER, ZMANAGEMENTSTRATEGY VARCHAR);
    CREATE TABLE ZUSAGEMODEL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZID BLOB, ZTIMESTAMP TIMESTAMP, ZMETHOD VARCHAR, ZAMOUNT FLOAT, ZTRIGGERS BLOB,
      ZLOCATION VARCHAR, ZNOTES VARCHAR, ZCREATEDAT TIMESTAMP, ZMODIFIEDAT TIMESTAMP);
    CREATE TABLE ZMOTIVATIONALMESSAGEMODEL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
      Z_OPT INTEGER, ZID BLOB, ZCONTENT VARCHAR, ZCATEGORY VARCHAR, ZISCUSTOM INTEGER,
      ZPRIORITY INTEGER, ZTIMESSHOWN INTEGER, ZLASTSHOWNAT TIMESTAMP, ZISACTIVE INTEGER,
      ZCREATEDAT TIMESTAMP);
    CREATE TABLE ZSYNCSTATE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA INTEGER);
    CREATE VIEW ZENDLESS AS WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a)
      SELECT n FROM a;
    """

  /// A property list of the words Anxious and Bored, as Python's plistlib writes it.
  static let wordList =
    "62706C6973743030A2010257416E78696F757355426F726564080B130000"
    + "000000000101000000000000000300000000000000000000000000000019"

  /// An archive of the words Hungry and Full moon, as Python's plistlib writes it.
  static func archive() async throws -> String {
    let result = try await Command.output(
      of: "python3",
      [
        "-c",
        """
        import plistlib as p
        u = p.UID
        print(p.dumps({'$archiver': 'NSKeyedArchiver', '$version': 100000, '$top': {'root': u(1)},
          '$objects': ['$null', {'NS.objects': [u(2), u(3)], '$class': u(4)}, 'Hungry', 'Full moon',
          {'$classname': 'NSArray', '$classes': ['NSArray', 'NSObject']}]},
          fmt=p.FMT_BINARY).hex(), end='')
        """,
      ])
    return result.output
  }

  /// Makes the store: `old` is in the main file, and `new` only in its `-wal`.
  func makeStore(tables: String = tables, old: String = "", new: String = "") throws {
    let made = temporary("made-\(UUID().uuidString).store")
    try sqlite3(
      made,
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      \(tables)
      \(old)
      PRAGMA wal_checkpoint(TRUNCATE);
      BEGIN; \(new.isEmpty ? "UPDATE Z_PRIMARYKEY SET Z_MAX = 10;" : new) COMMIT;
      .shell cp '\(made)' '\(store)'; cp '\(made)-wal' '\(store)-wal'
      """)
  }

  /// A UUID in a store, with a number at its end.
  static func id(_ number: Int) -> String {
    "X'" + LibraryFolder.id(number).filter { $0 != "-" } + "'"
  }

  func copy(_ fixture: String, to name: String) throws {
    try FileManager.default.copyItem(
      atPath: Fixtures.path(fixture), toPath: "\(recordings)/\(name)")
  }
}
