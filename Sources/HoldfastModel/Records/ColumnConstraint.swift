/// Constraints for the columns of a journal's tables. A person reads a constraint's name when it
/// refuses a row.
///
/// They are part of released migrations, so their text never changes: a different rule is a new
/// function.
public enum ColumnConstraint {
  /// The columns that each table of records has, `createdAt` and `modifiedAt`, with their
  /// constraints.
  public static let dates = """
    createdAt TEXT NOT NULL \(moment("createdAt")),
      modifiedAt TEXT \(moment("modifiedAt"))
    """

  /// An upper-case UUID.
  public static func uuid(_ column: String) -> String {
    """
    CONSTRAINT "\(column) is an upper-case UUID" CHECK (
          \(column) GLOB '????????-????-????-????-????????????' AND \
    \(column) NOT GLOB '*[^0-9A-F-]*'
          AND length(replace(\(column), '-', '')) = 32)
    """
  }

  /// A date and time in UTC, to the millisecond.
  public static func moment(_ column: String) -> String {
    let (two, three) = ("[0-9][0-9]", "[0-9][0-9][0-9]")
    return """
      CONSTRAINT "\(column) is a UTC date and time"
            CHECK (\(column) GLOB '\(two)\(two)-\(two)-\(two) \(two):\(two):\(two).\(three)')
      """
  }

  /// A day of the calendar, as `yyyy-MM-dd`.
  ///
  /// `date('2025-02-30')` is `2025-02-30`, but with a modifier `date` returns a real day.
  public static func day(_ column: String) -> String {
    """
    CONSTRAINT "\(column) is a day of the calendar" CHECK (\(column) IS date(\(column), '+0 days'))
    """
  }

  /// A time zone, in minutes east of Greenwich.
  public static func offset(_ column: String) -> String {
    "CONSTRAINT \"\(column) is less than a day\" CHECK (\(column) BETWEEN -1439 AND 1439)"
  }

  /// At most `limit` Unicode scalars.
  public static func text(_ column: String, atMost limit: Int) -> String {
    "CONSTRAINT \"\(column) has at most \(limit) characters\" CHECK (length(\(column)) <= \(limit))"
  }

  /// More than white space, and at most `limit` Unicode scalars.
  public static func name(_ column: String, atMost limit: Int) -> String {
    """
    CONSTRAINT "\(column) is not blank, and has at most \(limit) characters" CHECK (
          length(\(column)) <= \(limit) AND trim(\(column), \(whiteSpace)) <> '')
    """
  }

  /// From one to `limit` Unicode scalars, without white space at either end.
  public static func trimmedName(_ column: String, atMost limit: Int) -> String {
    """
    CONSTRAINT "\(column) has 1 to \(limit) characters, and no white space at its ends" CHECK (
          length(\(column)) BETWEEN 1 AND \(limit) AND trim(\(column), \(whiteSpace)) = \(column))
    """
  }

  /// White space by Unicode's property. By default, `trim` removes only the space.
  private static let whiteSpace = """
    char(
            9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, \
    8199, 8200,
            8201, 8202, 8232, 8233, 8239, 8287, 12288)
    """

  /// One of the words of a vocabulary.
  public static func word<Word: Vocabulary>(_ column: String, _ type: Word.Type) -> String {
    let words = type.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return "CONSTRAINT \"\(column) is a known one\" CHECK (\(column) IN (\(words)))"
  }

  /// A truth value.
  public static func flag(_ column: String) -> String {
    "CONSTRAINT \"\(column) is 0 or 1\" CHECK (\(column) IN (0, 1))"
  }

  /// A whole number in a range.
  public static func integer(_ column: String, _ range: ClosedRange<Int>) -> String {
    """
    CONSTRAINT "\(column) goes from \(range.lowerBound) to \(range.upperBound)" CHECK (\
    \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound))
    """
  }
}
