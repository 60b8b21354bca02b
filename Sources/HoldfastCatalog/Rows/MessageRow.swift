internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A message as a row of the table `message`.
struct MessageRow: CatalogRow {
  static let databaseTableName = "message"

  enum Columns {
    static let id = Column("id")
    static let content = Column("content")
    static let category = Column("category")
    static let isCustom = Column("isCustom")
    static let priority = Column("priority")
    static let timesShown = Column("timesShown")
    static let lastShownAt = Column("lastShownAt")
    static let isActive = Column("isActive")
    static let createdAt = Column("createdAt")
    static let modifiedAt = Column("modifiedAt")
  }

  var value: Message

  init(_ value: Message) { self.value = value }

  init(row: Row) throws {
    value = Message(
      id: try row.value(Columns.id, UUID.init(stored:)),
      content: try row.value(Columns.content),
      category: try row.value(Columns.category, MessageCategory.init(rawValue:)),
      priority: try row.value(Columns.priority), createdAt: try row.value(Columns.createdAt))
    value.isCustom = try row.value(Columns.isCustom)
    value.timesShown = try row.value(Columns.timesShown)
    value.lastShownAt = try row.optionalValue(Columns.lastShownAt, as: Date.self)?
      .roundedToMillisecond
    value.isActive = try row.value(Columns.isActive)
    value.modifiedAt = try row.optionalValue(Columns.modifiedAt, as: Date.self)?
      .roundedToMillisecond
  }

  func encode(to container: inout PersistenceContainer) throws {
    try value.validate()
    container[Columns.id] = value.id.uuidString
    container[Columns.content] = value.content
    container[Columns.category] = value.category.rawValue
    container[Columns.isCustom] = value.isCustom
    container[Columns.priority] = value.priority
    container[Columns.timesShown] = value.timesShown
    container[Columns.lastShownAt] = value.lastShownAt?.roundedToMillisecond
    container[Columns.isActive] = value.isActive
    container[Columns.createdAt] = value.createdAt.roundedToMillisecond
    container[Columns.modifiedAt] = value.modifiedAt?.roundedToMillisecond
  }
}

extension MessageQuery {
  /// The rows that match the query, in its order.
  var request: QueryInterfaceRequest<MessageRow> {
    typealias Columns = MessageRow.Columns
    var request =
      switch sort {
      case .priority:
        MessageRow.order(Columns.category, Columns.priority, Columns.timesShown, Columns.id)
      case .shown:
        MessageRow.order(Columns.timesShown, Columns.priority, Columns.lastShownAt, Columns.id)
      }
    if let category { request = request.filter(Columns.category == category.rawValue) }
    if let isCustom { request = request.filter(Columns.isCustom == isCustom) }
    if let isActive { request = request.filter(Columns.isActive == isActive) }
    return request
  }
}
