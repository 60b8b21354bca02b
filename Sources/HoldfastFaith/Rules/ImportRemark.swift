/// What an import of a record should say. It is no part of the record: all remarks are equal.
struct ImportRemark: Hashable, Sendable {
  var text: String?

  static func == (one: ImportRemark, other: ImportRemark) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
