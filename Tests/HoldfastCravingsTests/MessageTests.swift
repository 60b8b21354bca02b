import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Messages", .temporaryFolder)
struct MessageTests {
  private func later(_ seconds: Double) -> Date {
    noon.addingTimeInterval(seconds).roundedToMillisecond
  }

  /// Hides the messages for which `isHidden` returns true.
  private func hide(in library: Library, where isHidden: (Message) -> Bool) throws {
    for message in try library.messages() where isHidden(message) {
      try library.hideMessage(id: message.id)
    }
  }

  @Test("Eleven messages come with a library, in the right voice")
  func defaults() throws {
    let messages = try openLibrary().messages()
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
    let (one, other) = (try openLibrary(), try openLibrary("other"))
    #expect(try one.messages() == other.messages())
  }

  @Test("A category's messages take turns: least shown first, then the lowest priority")
  func turns() throws {
    let library = try openLibrary()
    let urges = try library.messages(matching: MessageQuery(category: .urge))
    var shown: [UUID] = []
    for step in 0..<7 {
      let message = try library.show(.urge, now: later(Double(step)))
      #expect(message.timesShown == step / 3 + 1)
      #expect(message.lastShownAt == later(Double(step)))
      #expect(try library.record(Message.self, id: message.id) == message)
      shown.append(message.id)
    }
    let ids = urges.map(\.id)
    #expect(shown == ids + ids + [ids[0]])
  }

  @Test("Among equals, one never shown comes first, then the least recently shown")
  func longestNotShown() throws {
    let library = try openLibrary()
    try hide(in: library) { _ in true }
    func add(_ id: Int, shown: Int, at date: Date?, priority: Int = 1) throws {
      var message = Message(
        id: try uuid(id), content: "You \(id).", category: .social, priority: priority,
        createdAt: noon)
      (message.timesShown, message.lastShownAt) = (shown, date)
      try library.add(message)
    }
    try add(1, shown: 2, at: later(1), priority: 0)
    try add(2, shown: 1, at: later(30), priority: 2)
    try add(3, shown: 1, at: later(20))
    try add(4, shown: 1, at: later(10))
    try add(5, shown: 1, at: nil)
    try add(6, shown: 1, at: later(10))
    var order: [UUID] = []
    for _ in 0..<6 {
      let message = try library.show(.social, now: later(100))
      order.append(message.id)
      try library.hideMessage(id: message.id)
    }
    let expected = try [5, 4, 6, 3, 2, 1].map { try uuid($0) }
    #expect(order == expected)
  }

  @Test("A list is by priority, then least shown, then ID; or in the order of showing")
  func lists() throws {
    let library = try openLibrary()
    func add(
      _ id: Int, _ category: MessageCategory = .social, priority: Int = 5, shown: Int = 0,
      at date: Date? = nil, isActive: Bool = true
    ) throws {
      var message = Message(
        id: try uuid(id), content: "You \(id).", category: category, priority: priority,
        createdAt: noon)
      (message.timesShown, message.lastShownAt) = (shown, date)
      message.isActive = isActive
      try library.add(message)
    }
    try add(1, shown: 3, at: later(1))
    try add(2, shown: 2, at: later(9))
    try add(3, shown: 2, at: later(5))
    try add(4, priority: 4, shown: 8, at: later(2))
    try add(5, .anxiety, priority: 9, shown: 2, at: later(3), isActive: false)
    func ids(_ query: MessageQuery) throws -> [UUID] {
      try library.messages(matching: query).map(\.id)
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
    #expect(try library.messages(matching: MessageQuery(isCustom: false)).count == 11)
    #expect(try library.messages().count == 16)
  }

  @Test("A category whose messages are all hidden falls back to urge, then to any, then to none")
  func fallback() throws {
    let library = try openLibrary()
    try hide(in: library) { $0.category == .boredom }
    #expect(try library.show(.boredom, now: noon).category == .urge)
    #expect(try library.show(.social, now: noon).category == .social)
    try hide(in: library) { $0.category == .urge }
    let other = try library.show(.boredom, now: noon)
    #expect(![.urge, .boredom].contains(other.category))
    _ = try library.show(.urge, now: noon)
    try hide(in: library) { $0.category != .celebration || $0.priority != 2 }
    for category in MessageCategory.allCases {
      #expect(try library.show(category, now: noon).category == .celebration)
    }
    try hide(in: library) { _ in true }
    let before = try library.messages()
    for category in MessageCategory.allCases {
      let error = #expect(throws: HoldfastError.self) {
        try library.nextMessage(for: category)
      }
      #expect(error?.code == .noMessage)
    }
    #expect(try library.messages() == before)
  }

  @Test("A showing counts, but does not change the message")
  func showing() throws {
    let library = try openLibrary()
    let before = try library.messages()
    let shown = try library.show(.anxiety, now: noon.addingTimeInterval(0.0006))
    #expect(shown.lastShownAt == later(0.001))
    for message in before {
      var expected = message
      if message.id == shown.id {
        (expected.timesShown, expected.lastShownAt) = (1, later(0.001))
      }
      #expect(try library.record(Message.self, id: message.id) == expected)
    }
  }

  @Test("Custom messages are added, found, changed and deleted")
  func own() throws {
    let library = try openLibrary()
    let own = Message(
      id: try uuid(10), content: "Ruf Ana an. 👍🏽", category: .celebration, priority: 0,
      createdAt: noon)
    try library.add(own)
    #expect(try library.record(Message.self, id: own.id) == own)
    #expect(try library.record(Message.self, idPrefix: "aaaa") == own)
    #expect(
      try library.messages(matching: MessageQuery(category: .celebration)).first == own)
    #expect(try library.messages().count == 12)
    let edited = try library.editMessage(id: own.id, now: later(5)) {
      $0.content = "Call Ana."
      $0.category = .social
    }
    #expect(edited.content == "Call Ana." && edited.modifiedAt == later(5))
    #expect(try library.record(Message.self, id: own.id) == edited)
    try library.deleteMessage(id: own.id)
    #expect(try library.record(Message.self, id: own.id) == nil)
    for step: () throws -> Void in [
      { try library.deleteMessage(id: own.id) }, { try library.editMessage(id: own.id) { _ in } },
    ] {
      let error = #expect(throws: HoldfastError.self, performing: step)
      #expect(error?.code == .noSuchRecord)
    }
  }

  @Test("A message that breaks a rule is refused, and nothing is written")
  func refused() throws {
    let library = try openLibrary()
    let before = try library.messages()
    for content in ["", " \n", "a\0b", String(repeating: "x", count: 501)] {
      let message = Message(content: content, category: .urge, createdAt: noon)
      let error = #expect(throws: HoldfastError.self) { try library.add(message) }
      #expect(error?.code == .invalidValue)
    }
    for message in before.prefix(3) {
      for change: (inout Message) -> Void in [
        { $0.content = "Other words." }, { $0.category = .celebration }, { $0.priority += 7 },
        { $0.isCustom = true },
      ] {
        let error = #expect(throws: HoldfastError.self) {
          try library.editMessage(id: message.id, change)
        }
        #expect(error?.code == .defaultMessage)
        // The catalog refuses it as well.
        let refusal = #expect(throws: HoldfastError.self) {
          try library.edit(Message.self, id: message.id, change)
        }
        #expect(refusal?.code == .refused)
        #expect(
          refusal?.description.contains("a default message can be hidden, not changed") == true)
      }
      let error = #expect(throws: HoldfastError.self) { try library.deleteMessage(id: message.id) }
      #expect(error?.code == .defaultMessage)
      let refusal = #expect(throws: HoldfastError.self) {
        try library.delete(Message.self, id: message.id)
      }
      #expect(refusal?.code == .refused)
    }
    #expect(try library.messages() == before)
    try library.hideMessage(id: before[0].id)
    #expect(try library.record(Message.self, id: before[0].id)?.isActive == false)
  }
}

extension Library {
  /// Chooses a message, and counts its showing.
  fileprivate func show(_ category: MessageCategory, now: Date) throws -> Message {
    try countShowing(id: nextMessage(for: category).id, now: now)
  }
}
