import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("The schema refuses entries and messages that break a rule", .temporaryFolder)
struct EntrySchemaTests {
  /// A catalog with one craving, one usage, and one custom message.
  private func catalog() throws -> String {
    let library = try openLibrary()
    if try library.records(Craving.self).isEmpty {
      try library.add(craving(triggers: [.sad]))
      try library.add(usage(triggers: [.sad]))
      try library.add(Message(content: "You can.", category: .urge, createdAt: noon))
    }
    return library.catalogPath
  }

  private func expectRefusal(of statement: String, _ reason: String) throws {
    let command = try SQLite3Command(try catalog(), "PRAGMA foreign_keys = ON; \(statement);")
    #expect(command.status != 0, "\(statement)")
    #expect(command.output.contains(reason), "\(command.output)")
  }

  /// Runs a statement on the original catalog, and undoes it afterwards.
  private func expectStorage(by statement: String) throws {
    let path = try catalog()
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try sqlite3(path, "PRAGMA foreign_keys = ON; \(statement); SELECT changes();") == "1")
    // Accepted rows can be read.
    let library = try openLibrary(for: .reading)
    #expect(try library.cravings(matching: CravingQuery()).count == 1)
    #expect(try library.usage(matching: UsageQuery()).count == 1)
    #expect(try library.messages().count == 12)
    try before.write(to: URL(filePath: path))
  }

  /// Texts that are not locations.
  static let badLocations = [
    "''", "' '", "'home'", "'Moon'", "' Home'", "'Home '", "'Home' || char(0)", "'1'", "','",
    "'1,'", "',1'", "'1,2,3'", "'1e2,3'", "'1,1e2'", "'nan,1'", "'1,inf'", "'0x1,2'", "'--1,2'",
    "'1,--2'", "'+1,2'", "'1-,2'", "'1-2,3'", "'-,1'", "'1.,2'", "'1,2.'", "'.5,1'", "'-.5,1'",
    "'1..2,3'", "'1.2.3,4'", "'1 ,2'", "'1, 2'", "'1,2 '", "'１,２'", "'١,٢'", "'²,1'", "'1;2'",
    "'91,0'", "'-91,0'", "'90.000001,0'", "'0,181'", "'0,-180.000001'",
    "printf('%.400c,1', '9')", "'1,2' || char(0)", "'1,2' || char(0) || 'x'", "'1,2' || char(10)",
  ]

  /// Invalid notes: more than 8,000 bytes, or with a NUL.
  static let badNotes = [
    "printf('%.8001c', 'x')", "replace(printf('%.2001c', 'x'), 'x', '🌋')",
    "replace(printf('%.500c', 'x'), 'x', '👩‍👩‍👦')", "char(0)", "'a' || char(0) || 'b'",
  ]

  /// Notes of at most 8,000 bytes.
  static let takenNotes = [
    "NULL", "'x'", "printf('%.8000c', 'x')", "replace(printf('%.2000c', 'x'), 'x', '🌋')",
    "replace(printf('%.444c', 'x'), 'x', '👩‍👩‍👦')",
  ]

  @Test("Cravings and usage keep the same rules", arguments: ["craving", "usage"])
  func common(table: String) throws {
    for (assignment, reason) in [
      ("id = lower(id)", "id is an upper-case UUID"), ("id = 'x'", "id is an upper-case UUID"),
      ("id = NULL", "NOT NULL"), ("timestamp = '2024-05-17'", "timestamp is a UTC date"),
      ("timestamp = '2024-05-17T12:00:00.000'", "timestamp is a UTC date"),
      ("timestamp = '2024-05-17 12:00:00'", "timestamp is a UTC date"),
      ("timestamp = 0", "timestamp is a UTC date"), ("timestamp = NULL", "NOT NULL"),
      ("createdAt = ''", "createdAt is a UTC date"), ("createdAt = NULL", "NOT NULL"),
      ("modifiedAt = 'now'", "modifiedAt is a UTC date"), ("timestampOffset = NULL", "NOT NULL"),
      ("location = x'312C32'", "cannot store BLOB"), ("notes = x'78'", "cannot store BLOB"),
    ] { try expectRefusal(of: "UPDATE \(table) SET \(assignment)", reason) }
  }

  @Test("A location is a known one, or coordinates in their ranges", arguments: badLocations)
  func location(value: String) throws {
    for table in ["craving", "usage"] {
      try expectRefusal(
        of: "UPDATE \(table) SET location = \(value)",
        "CHECK constraint failed: location is a known one, or latitude,longitude")
    }
  }

  @Test(
    "Other valid locations are stored",
    arguments: [
      "NULL", "'Home'", "'Work'", "'Social'", "'Outside'", "'Car'", "'0,0'", "'90,180'",
      "'-90,-180'", "'52.52,13.405'", "'-0.000001,0.000001'", "'90.000000,-180.0'",
    ])
  func goodLocation(value: String) throws {
    for table in ["craving", "usage"] {
      try expectStorage(by: "UPDATE \(table) SET location = \(value)")
    }
  }

  @Test("Notes have at most 8,000 bytes, and no NUL", arguments: badNotes)
  func noNotes(value: String) throws {
    for table in ["craving", "usage"] {
      try expectRefusal(
        of: "UPDATE \(table) SET notes = \(value)",
        "CHECK constraint failed: notes have at most 8000 bytes")
    }
  }

  @Test("Notes of the greatest length are stored", arguments: takenNotes)
  func goodNotes(value: String) throws {
    for table in ["craving", "usage"] {
      try expectStorage(by: "UPDATE \(table) SET notes = \(value)")
    }
  }

  @Test(
    "An intensity is a whole number from 1 to 10",
    arguments: [
      ("0", "intensity goes from 1 to 10"), ("11", "intensity goes from 1 to 10"),
      ("-1", "intensity goes from 1 to 10"), ("5.5", "cannot store REAL"),
      ("'strong'", "cannot store TEXT"), ("NULL", "NOT NULL"),
    ])
  func intensity(value: String, reason: String) throws {
    try expectRefusal(of: "UPDATE craving SET intensity = \(value)", reason)
  }

  @Test("Every intensity is stored", arguments: 1...10)
  func goodIntensity(value: Int) throws {
    try expectStorage(by: "UPDATE craving SET intensity = \(value)")
  }

  @Test("A craving links only to an existing recording")
  func link() throws {
    for id in ["'nothing'", "''", "'\(UUID().uuidString)'"] {
      try expectRefusal(
        of: "UPDATE craving SET recordingId = \(id)", "FOREIGN KEY constraint failed")
    }
  }

  @Test(
    "A trigger is a known one, at most once for an existing entry", arguments: ["craving", "usage"])
  func triggers(table: String) throws {
    let known = "CHECK constraint failed: trigger is a known one"
    for (value, reason) in [
      ("'angry'", known), ("'Thirsty'", known), ("''", known), ("'Sad' || char(0)", known),
      ("NULL", "NOT NULL"), ("'Sad'", "UNIQUE constraint failed"),
    ] {
      try expectRefusal(
        of: "INSERT INTO \(table)Trigger (trigger, \(table)Id) SELECT \(value), id FROM \(table)",
        reason)
    }
    try expectRefusal(
      of: "INSERT INTO \(table)Trigger (trigger, \(table)Id) VALUES ('Angry', 'nothing')",
      "FOREIGN KEY constraint failed")
    for trigger in Trigger.allCases where trigger != .sad {
      try expectStorage(
        by: "INSERT INTO \(table)Trigger (trigger, \(table)Id) "
          + "SELECT '\(trigger.rawValue)', id FROM \(table)")
    }
  }

  @Test(
    "An amount must fit its method",
    arguments: [
      ("Bowls", ["0", "0.3", "0.75", "5.5", "-1"]), ("Joints", ["0.25", "6", "1e-9"]),
      ("Blunts", ["0.1", "1.1", "9e999"]), ("Vape", ["0", "0.5", "1.5", "11"]),
      ("Dab", ["0.5", "2.5", "6"]), ("Edible", ["0", "1", "7", "12.5", "102", "105"]),
    ])
  func amounts(method: String, amounts: [String]) throws {
    for amount in amounts {
      try expectRefusal(
        of: "UPDATE usage SET method = '\(method)', amount = \(amount)", "CHECK constraint failed")
    }
    for amount in ["NULL", "'many'"] {
      try expectRefusal(of: "UPDATE usage SET method = '\(method)', amount = \(amount)", "usage.")
    }
  }

  @Test(
    "Amounts that fit are stored",
    arguments: [
      ("Bowls", ["0.5", "1", "5"]), ("Joints", ["0.5", "2.5", "5.0"]), ("Blunts", ["1.5", "5"]),
      ("Vape", ["1", "10"]), ("Dab", ["1", "5"]), ("Edible", ["5", "35", "100"]),
    ])
  func goodAmounts(method: String, amounts: [String]) throws {
    for amount in amounts {
      try expectStorage(by: "UPDATE usage SET method = '\(method)', amount = \(amount)")
    }
  }

  @Test("A method is a known one", arguments: ["'bowls'", "'Pipe'", "''", "'Dab' || char(0)"])
  func methods(value: String) throws {
    try expectRefusal(of: "UPDATE usage SET method = \(value), amount = 1", "method is a known one")
  }

  // MARK: Messages

  @Test(
    "A custom message must keep the rules",
    arguments: [
      ("content = ''", "content is not empty"), ("content = '  '", "content is not empty"),
      ("content = char(9, 10, 11, 12, 13, 32)", "content is not empty"),
      ("content = NULL", "NOT NULL"),
      ("content = printf('%.501c', 'x')", "content has at most 500 characters"),
      ("content = replace(printf('%.251c', 'x'), 'x', '👍🏽')", "at most 500 characters"),
      ("content = 'a' || char(0)", "content has at most 500 characters"),
      ("category = 'Urge'", "category is a known one"), ("category = ''", "category is a known"),
      ("category = NULL", "NOT NULL"), ("priority = -1", "priority is 0 or more"),
      ("priority = 1.5", "cannot store REAL"), ("timesShown = -1", "timesShown is 0 or more"),
      ("lastShownAt = 'yesterday'", "lastShownAt is a UTC date"), ("isActive = 2", "isActive is"),
      ("isActive = NULL", "NOT NULL"), ("id = 'x'", "a message keeps its id"),
      ("isCustom = 0", "a default message can be hidden, not changed"),
    ])
  func message(assignment: String, reason: String) throws {
    try expectRefusal(of: "UPDATE message SET \(assignment) WHERE isCustom", reason)
  }

  @Test(
    "A custom message may be changed",
    arguments: [
      "content = printf('%.500c', 'x')", "content = replace(printf('%.250c', 'x'), 'x', '👍🏽')",
      "priority = 0", "category = 'celebration'", "isActive = 0", "timesShown = 9",
      "lastShownAt = '2024-05-17 12:00:00.000'",
    ])
  func goodMessage(assignment: String) throws {
    try expectStorage(by: "UPDATE message SET \(assignment) WHERE isCustom")
  }

  @Test(
    "A default message can be neither deleted nor changed in any way",
    arguments: [
      ("DELETE FROM message WHERE NOT isCustom", "can be hidden, not deleted"),
      ("DELETE FROM message", "can be hidden, not deleted"),
      ("UPDATE message SET content = 'x' WHERE NOT isCustom", "can be hidden, not changed"),
      ("UPDATE message SET category = 'social' WHERE NOT isCustom", "can be hidden, not changed"),
      ("UPDATE message SET priority = 9 WHERE NOT isCustom", "can be hidden, not changed"),
      ("UPDATE message SET isCustom = 1 WHERE NOT isCustom", "can be hidden, not changed"),
      (
        """
        REPLACE INTO message SELECT id, 'x', category, isCustom, priority, timesShown, lastShownAt,
          isActive, createdAt, modifiedAt FROM message WHERE NOT isCustom
        """, "can be hidden, not changed"
      ),
      (
        """
        REPLACE INTO message SELECT id, content, category, 1, priority, timesShown, lastShownAt,
          isActive, createdAt, modifiedAt FROM message WHERE NOT isCustom
        """, "can be hidden, not changed"
      ),
      (
        """
        UPDATE OR REPLACE message SET id = (SELECT id FROM message WHERE NOT isCustom)
        WHERE isCustom
        """, "a message keeps its id"
      ),
    ])
  func defaults(statement: String, reason: String) throws {
    try expectRefusal(of: statement, reason)
  }

  @Test("A default message may be hidden and shown")
  func defaultsMayBeHidden() throws {
    let one = "WHERE id = (SELECT id FROM message WHERE NOT isCustom LIMIT 1)"
    try expectStorage(by: "UPDATE message SET isActive = 0, modifiedAt = createdAt \(one)")
    try expectStorage(
      by: "UPDATE message SET timesShown = 1, lastShownAt = '2026-05-17 12:00:00.000' \(one)")
  }
}
