import Foundation
import HoldfastCatalog
import HoldfastModel
import Testing

@Suite("Messages")
struct MessageTests {
  private func later(_ seconds: Double) -> Date {
    noon.addingTimeInterval(seconds).roundedToMillisecond
  }

  /// Hides the messages for which `isHidden` says so.
  private func hide(in catalog: Catalog, where isHidden: (Message) -> Bool) throws {
    for message in try catalog.messages() where isHidden(message) {
      _ = try catalog.updateMessage(id: message.id) { $0.isActive = false }
    }
  }

  @Test("Eleven come with a library, in the voice that they should have")
  func defaults() throws {
    let messages = try Catalog.inMemory().messages()
    #expect(messages.count == 11)
    let counts = Dictionary(grouping: messages, by: \.category).mapValues(\.count)
    #expect(
      counts == [.urge: 3, .anxiety: 2, .boredom: 2, .social: 2, .celebration: 2])
    for category in MessageCategory.allCases {
      let priorities = messages.filter { $0.category == category }.map(\.priority)
      #expect(priorities == Array(1...priorities.count))
    }
    for message in messages {
      try message.validate()
      #expect(!message.isCustom && message.isActive)
      #expect(message.timesShown == 0 && message.lastShownAt == nil)
      #expect(message.modifiedAt == nil)
      // Short, in the second person, and no day is counted.
      #expect(message.content.unicodeScalars.count <= 100)
      #expect(message.content.lowercased().contains("you"))
      #expect(message.content.allSatisfy { !$0.isNumber })
    }
    #expect(Set(messages.map(\.content)).count == 11)
  }

  @Test("The default messages are the same in every library")
  func sameEverywhere() throws {
    let (one, other) = (try Catalog.inMemory(), try Catalog.inMemory())
    #expect(try one.messages() == other.messages())
  }

  @Test("A category's messages take turns: least shown first, then the lowest priority")
  func turns() throws {
    let catalog = try Catalog.inMemory()
    let urges = try catalog.messages(matching: MessageQuery(category: .urge))
    var shown: [UUID] = []
    for step in 0..<7 {
      let message = try #require(try catalog.show(.urge, now: later(Double(step))))
      #expect(message.timesShown == step / 3 + 1)
      #expect(message.lastShownAt == later(Double(step)))
      #expect(try catalog.message(id: message.id) == message)
      shown.append(message.id)
    }
    let ids = urges.map(\.id)
    #expect(shown == ids + ids + [ids[0]])
  }

  @Test("Among equals the one not shown for longest comes, and one never shown before all")
  func longestNotShown() throws {
    let catalog = try Catalog.inMemory()
    try hide(in: catalog) { _ in true }
    func add(_ id: Int, shown: Int, at date: Date?, priority: Int = 1) throws {
      var message = Message(
        id: try uuid(id), content: "You \(id).", category: .social, priority: priority,
        createdAt: noon)
      (message.timesShown, message.lastShownAt) = (shown, date)
      try catalog.insert(message)
    }
    try add(1, shown: 2, at: later(1), priority: 0)
    try add(2, shown: 1, at: later(30), priority: 2)
    try add(3, shown: 1, at: later(20))
    try add(4, shown: 1, at: later(10))
    try add(5, shown: 1, at: nil)
    try add(6, shown: 1, at: later(10))
    var order: [UUID] = []
    for _ in 0..<6 {
      let message = try #require(try catalog.show(.social, now: later(100)))
      order.append(message.id)
      _ = try catalog.updateMessage(id: message.id) { $0.isActive = false }
    }
    let expected = try [5, 4, 6, 3, 2, 1].map { try uuid($0) }
    #expect(order == expected)
  }

  @Test("A list is by priority, then least shown, then ID; or in the order of showing")
  func lists() throws {
    let catalog = try Catalog.inMemory()
    func add(
      _ id: Int, _ category: MessageCategory = .social, priority: Int = 5, shown: Int = 0,
      at date: Date? = nil, isActive: Bool = true
    ) throws {
      var message = Message(
        id: try uuid(id), content: "You \(id).", category: category, priority: priority,
        createdAt: noon)
      (message.timesShown, message.lastShownAt) = (shown, date)
      message.isActive = isActive
      try catalog.insert(message)
    }
    try add(1, shown: 3, at: later(1))
    try add(2, shown: 2, at: later(9))
    try add(3, shown: 2, at: later(5))
    try add(4, priority: 4, shown: 8, at: later(2))
    try add(5, .anxiety, priority: 9, shown: 2, at: later(3), isActive: false)
    func ids(_ query: MessageQuery) throws -> [UUID] {
      try catalog.messages(matching: query).map(\.id)
    }
    func uuids(_ ids: Int...) throws -> [UUID] { try ids.map { try uuid($0) } }

    var query = MessageQuery(isCustom: true)
    #expect(try ids(query) == uuids(5, 4, 2, 3, 1))
    query.sort = .shown
    #expect(try ids(query) == uuids(3, 2, 5, 1, 4))
    query.isActive = true
    #expect(try ids(query) == uuids(3, 2, 1, 4))
    query.isActive = false
    #expect(try ids(query) == uuids(5))
    query.category = .social
    #expect(try ids(query).isEmpty)
    #expect(try catalog.messages(matching: MessageQuery(isCustom: false)).count == 11)
    #expect(try catalog.messages().count == 16)
  }

  @Test("A category that is hidden whole falls back to urge, then to any, then to none")
  func fallback() throws {
    let catalog = try Catalog.inMemory()
    try hide(in: catalog) { $0.category == .boredom }
    #expect(try catalog.show(.boredom, now: noon)?.category == .urge)
    #expect(try catalog.show(.social, now: noon)?.category == .social)
    try hide(in: catalog) { $0.category == .urge }
    let other = try catalog.show(.boredom, now: noon)
    #expect(other.map { ![.urge, .boredom].contains($0.category) } == true)
    #expect(try catalog.show(.urge, now: noon) != nil)
    try hide(in: catalog) { $0.category != .celebration || $0.priority != 2 }
    for category in MessageCategory.allCases {
      #expect(try catalog.show(category, now: noon)?.category == .celebration)
    }
    try hide(in: catalog) { _ in true }
    let before = try catalog.messages()
    for category in MessageCategory.allCases {
      #expect(try catalog.nextMessage(for: category) == nil)
    }
    #expect(try catalog.messages() == before)
  }

  @Test("A showing counts, and is no change of the message")
  func showing() throws {
    let catalog = try Catalog.inMemory()
    let before = try catalog.messages()
    let shown = try #require(
      try catalog.show(.anxiety, now: noon.addingTimeInterval(0.0006)))
    #expect(shown.lastShownAt == later(0.001))
    for message in before {
      var expected = message
      if message.id == shown.id {
        (expected.timesShown, expected.lastShownAt) = (1, later(0.001))
      }
      #expect(try catalog.message(id: message.id) == expected)
    }
  }

  @Test("Messages of a person's own are added, found, changed and deleted")
  func own() throws {
    let catalog = try Catalog.inMemory()
    let own = Message(
      id: try uuid(10), content: "Ruf Ana an. 👍🏽", category: .celebration, priority: 0,
      createdAt: noon)
    try catalog.insert(own)
    #expect(try catalog.message(id: own.id) == own)
    #expect(try catalog.messages(idPrefix: "aaaa", limit: 2) == [own])
    #expect(
      try catalog.messages(matching: MessageQuery(category: .celebration)).first == own)
    #expect(try catalog.messages().count == 12)
    let edited = try catalog.updateMessage(id: own.id) {
      $0.content = "Call Ana."
      $0.category = .social
      $0.modifiedAt = later(5)
    }
    #expect(edited?.content == "Call Ana.")
    #expect(try catalog.message(id: own.id) == edited)
    #expect(try catalog.deleteMessage(id: own.id))
    #expect(try !catalog.deleteMessage(id: own.id))
    #expect(try catalog.message(id: own.id) == nil)
    #expect(try catalog.updateMessage(id: own.id) { _ in } == nil)
  }

  @Test("A message that breaks a rule is refused by the catalog, and nothing is written")
  func refused() throws {
    let catalog = try Catalog.inMemory()
    let before = try catalog.messages()
    for content in ["", " \n", "a\0b", String(repeating: "x", count: 501)] {
      let message = Message(content: content, category: .urge, createdAt: noon)
      let error = #expect(throws: CatalogError.self) { try catalog.insert(message) }
      #expect(error?.code == .refused)
    }
    for message in before.prefix(3) {
      for change: (inout Message) -> Void in [
        { $0.content = "Other words." }, { $0.category = .celebration }, { $0.priority += 7 },
        { $0.isCustom = true },
      ] {
        let error = #expect(throws: CatalogError.self) {
          try catalog.updateMessage(id: message.id, change)
        }
        #expect(error?.code == .refused)
        #expect(error?.reason.contains("a default message can be hidden, not changed") == true)
      }
      let error = #expect(throws: CatalogError.self) { try catalog.deleteMessage(id: message.id) }
      #expect(error?.code == .refused)
    }
    #expect(try catalog.messages() == before)
    _ = try catalog.updateMessage(id: before[0].id) { $0.isActive = false }
    #expect(try catalog.message(id: before[0].id)?.isActive == false)
  }
}

extension Catalog {
  /// Picks a message, and counts its showing.
  fileprivate func show(_ category: MessageCategory, now: Date) throws -> Message? {
    try nextMessage(for: category).flatMap { try countShowing(id: $0.id, now: now) }
  }
}
