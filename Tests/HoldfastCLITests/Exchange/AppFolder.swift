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

extension AppFolder {
  /// 2025-10-12T22:13:20.500Z, in seconds since 2001.
  static let moment = "782000000.5"

  /// Makes an app with two recordings and what was logged. Some rows are only in its `-wal`.
  static func whole() async throws -> AppFolder {
    let app = try AppFolder()
    try app.copy("portrait.mov", to: "video_\(LibraryFolder.id(1)).mov")
    try app.copy("aac.m4a", to: "\(LibraryFolder.id(77)).m4a")
    try app.makeStore(
      old: """
        INSERT INTO ZRECORDINGMODEL VALUES
          (1, 1, 1, \(AppFolder.id(1)), \(moment), 'video', 'milestone', 2.0,
            'Recordings/video_\(LibraryFolder.id(1)).mov', NULL, 'Thirty days', 'My own notes',
            7, 782000100, 782000001, 782001000),
          (2, 1, 1, \(AppFolder.id(2)), \(moment), 'Audio', 'Craving Moment', 2.0,
            'file:///var/mobile/Containers/Data/A/Documents/Recordings/\(LibraryFolder.id(77)).m4a',
            NULL, NULL, NULL, 0, NULL, 782000001, NULL);
        INSERT INTO ZCRAVINGMODEL VALUES
          (1, 2, 1, \(AppFolder.id(11)), \(moment), 8, X'\(AppFolder.wordList)', 'Home', 'Mine', 1,
            782000001, 782000001, 1, 'Breathe out');
        INSERT INTO ZSYNCSTATE VALUES (1, 5, 1, 3), (2, 5, 1, 3);
        """,
      new: """
        INSERT INTO ZCRAVINGMODEL VALUES
          (2, 2, 1, \(AppFolder.id(12)), \(moment), 3, X'\(try await AppFolder.archive())', 'Park',
            NULL, 2, 782000001, NULL, 0, NULL);
        INSERT INTO ZUSAGEMODEL VALUES
          (1, 3, 1, \(AppFolder.id(21)), \(moment), 'Bowls', 1.5, CAST('["Social"]' AS BLOB),
            '52.5,13.4', NULL, 782000001, NULL);
        INSERT INTO ZMOTIVATIONALMESSAGEMODEL VALUES
          (1, 4, 1, \(AppFolder.id(31)), 'You can.', 'urge', 1, 2, 3, \(moment), 1, \(moment));
        """)
    return app
  }
}

extension AppFolder {
  /// Makes a phone's backup of these folders by their domains, as idevicebackup2 does.
  static func makeBackup(
    _ folders: [String: String], isEncrypted: Bool = false
  ) async throws -> String {
    let backup = temporary("backup")
    let script = """
      import hashlib, os, plistlib, shutil, sqlite3, sys
      backup, encrypted = sys.argv[1], sys.argv[2] == 'true'
      shutil.rmtree(backup, ignore_errors=True)
      os.makedirs(backup)
      plistlib.dump({'IsEncrypted': encrypted, 'Version': '10.0'},
        open(backup + '/Manifest.plist', 'wb'), fmt=plistlib.FMT_BINARY)
      db = sqlite3.connect(backup + '/Manifest.db')
      db.execute('CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT,'
        ' flags INTEGER, file BLOB)')
      for pair in sys.argv[3:]:
        domain, folder = pair.split('=')
        for place, _, files in os.walk(folder):
          for file in files:
            path = os.path.relpath(os.path.join(place, file), folder)
            id = hashlib.sha1(f'{domain}-{path}'.encode()).hexdigest()
            os.makedirs(f'{backup}/{id[:2]}', exist_ok=True)
            shutil.copy(os.path.join(place, file), f'{backup}/{id[:2]}/{id}')
            db.execute('INSERT INTO Files VALUES (?, ?, ?, 1, NULL)',
              (id, domain, path))
      db.commit()
      """
    _ = try await Command.output(
      of: "python3",
      ["-c", script, backup, "\(isEncrypted)"] + folders.map { "\($0.key)=\($0.value)" }.sorted())
    return backup
  }
}

extension LibraryFolder {
  /// Runs `holdfast` with this library in UTC, in which the moments of an app's days are written.
  func holdfastInUTC(_ arguments: String...) async throws -> CommandResult {
    try await holdfastInUTC(arguments)
  }

  func holdfastInUTC(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(Command.holdfast, command(arguments), environment: ["TZ": "UTC"])
  }
}
