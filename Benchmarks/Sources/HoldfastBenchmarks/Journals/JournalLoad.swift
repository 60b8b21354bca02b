/// A library with one large journal, and the commands that are timed in it.
struct JournalLoad {
  /// The journal's name.
  var journal: String
  /// Its contents, for the table.
  var what: String
  /// The statements that fill its tables.
  var fill: String
  /// The commands.
  var commands: [String]
  /// How long a command may take, compared with sqlite3.
  var goal: Goal

  /// Every journal that is measured.
  static let all = [food, habits, faith]

  /// The numbers from 1, as a table.
  static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(count))"
  }

  /// A new identity.
  static let identity = """
    printf('%s-%s-%s-%s-%s', hex(randomblob(4)), hex(randomblob(2)), hex(randomblob(2)), \
    hex(randomblob(2)), hex(randomblob(6)))
    """
}
