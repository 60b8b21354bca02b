import Foundation
import HoldfastTestSupport
import Testing

/// Rows other than recordings, and documents in the form of `export`.
extension LibraryFolder {
  /// An id that ends with a number.
  static func id(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(String(1_000_000_000_000 + number).dropFirst())
  }

  /// Fills the library: two recordings, and rows of every other kind, with text that is easily
  /// damaged.
  func fill() async throws {
    try await importing(
      "portrait.mov", "aac.m4a", options: ["--title", "Day, \"one\"", "--notes", "a\r\nb\nc; 'd'"])
    let (created, changed) = ("'2026-01-02 10:00:00.001'", "'2026-01-02 10:00:00.007'")
    let moment = "'2026-01-01 23:59:59.999'"
    try await changeCatalog(
      """
      INSERT INTO craving VALUES
        ('\(Self.id(1))', \(moment), 7, '-33.86,151.2', 'a,b' || char(10) || '"c" — 🌊é',
          (SELECT id FROM recording WHERE type = 'video'), \(created), \(changed), 0),
        ('\(Self.id(2))', \(moment), 1, 'Home', NULL, NULL, \(created), \(changed), 345),
        ('\(Self.id(3))', \(moment), 10, NULL, ' ', NULL, \(created), NULL, -210);
      UPDATE craving SET location = 'Work' WHERE location GLOB '-*';
      INSERT INTO cravingTrigger VALUES
        ('Bored', '\(Self.id(1))'), ('Anxious', '\(Self.id(1))');
      UPDATE craving SET notes = NULL WHERE notes = ' ';
      INSERT INTO usage VALUES
        ('\(Self.id(4))', \(moment), 'Bowls', 0.5, '52.52,13.405', 'x', \(created), \(changed),
        840),
        ('\(Self.id(5))', \(moment), 'Edible', 100, NULL, NULL, \(created), \(changed), 120);
      INSERT INTO usageTrigger VALUES ('Habit', '\(Self.id(4))');
      INSERT INTO message VALUES
        ('\(Self.id(6))', 'Atme.', 'social', 1, 3, 9, \(changed), 0, \(created), \(changed));
      UPDATE recording SET playCount = 4, lastPlayedAt = \(changed) WHERE type = 'audio';
      INSERT INTO plays SELECT id, '\(Self.id(7))', 4 FROM recording WHERE type = 'audio';
      UPDATE message SET timesShown = 2, lastShownAt = \(changed), isActive = 0,
        modifiedAt = \(changed)
        WHERE id = (SELECT min(id) FROM message WHERE NOT isCustom);
      """)
  }

  /// The library's export, as bytes.
  func export() async throws -> [UInt8] {
    let result = try await holdfast("export", "--format", "json")
    try #require(result.status == 0, "\(result.errorOutput)")
    return result.outputBytes
  }

  /// The library's export, as a file in the running test's folder.
  func export(to name: String) async throws -> String {
    let path = temporary(name)
    let result = try await holdfast("export", "--format", "json", "--output", path)
    try #require(result.status == 0, "\(result.errorOutput)")
    return path
  }

  /// A copy of the library, with its files.
  func copy(to name: String) async throws -> LibraryFolder {
    let copy = LibraryFolder(at: name)
    _ = try await Command.output(of: "cp", ["-a", path, copy.path])
    return copy
  }

  /// A document that holds these lists, as a file in the running test's folder.
  static func document(_ lists: String, name: String = "document.json") throws -> String {
    let path = temporary(name)
    try Data("{\"format\":\"holdfast\",\"schemaVersion\":1\(lists)}".utf8)
      .write(to: URL(fileURLWithPath: path))
    return path
  }
}
