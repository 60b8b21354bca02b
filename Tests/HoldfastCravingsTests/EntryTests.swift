import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Cravings and usage", .temporaryFolder)
struct EntryTests {
  private func before(_ days: Double) -> Date { noon.addingTimeInterval(-days * 86_400) }

  /// An error that a change throws.
  private struct Stop: Error {}

  // MARK: Round trips

  @Test("A craving is read back whole, with every field and with only the required ones")
  func cravingRoundTrip() throws {
    let library = try openLibrary()
    let helper = try recording()
    try library.insert([helper])
    var full = try craving(
      at: before(3).addingTimeInterval(0.123), intensity: 10,
      triggers: TriggerSet(Trigger.allCases), location: try Location("-33.868,151.209"),
      notes: "e\u{301} 🌋\nline 'q' \"d\"", recording: helper.id)
    full.modifiedAt = noon.addingTimeInterval(0.001).roundedToMillisecond
    let bare = try craving(intensity: 1)
    for one in [full, bare] {
      try library.add(one)
      #expect(try library.record(Craving.self, id: one.id) == one)
    }
    #expect(try library.cravings(matching: CravingQuery()) == [bare, full])
    #expect(try library.record(Craving.self, id: UUID()) == nil)
    let twice = #expect(throws: HoldfastError.self) { try library.add(full) }
    #expect(twice?.code == .refused)
  }

  @Test("A usage is read back whole, with every field and with only the required ones")
  func usageRoundTrip() throws {
    let library = try openLibrary()
    let bare = usage()
    let full = usage(
      at: before(3), method: .bowls, amount: 1.5, triggers: [.social, .hungry],
      location: .place(.outside), notes: "with Ana")
    for one in [full, bare] {
      try library.add(one)
      #expect(try library.record(Usage.self, id: one.id) == one)
    }
    #expect(try library.usage(matching: UsageQuery()) == [bare, full])
    #expect(try library.record(Usage.self, id: UUID()) == nil)
  }

  @Test("Every word of the vocabularies is stored", arguments: Trigger.allCases)
  func words(trigger: Trigger) throws {
    let library = try openLibrary()
    for place in Location.Place.allCases {
      let one = try craving(triggers: [trigger], location: .place(place))
      try library.add(one)
      #expect(try library.record(Craving.self, id: one.id) == one)
    }
    for method in UsageMethod.allCases {
      let one = usage(method: method, amount: method.range.upperBound, triggers: [trigger])
      try library.add(one)
      #expect(try library.record(Usage.self, id: one.id) == one)
    }
  }

  // MARK: Changes

  @Test("A change writes everything, the triggers too; one that throws writes nothing")
  func cravingUpdate() throws {
    let library = try openLibrary()
    let helper = try recording()
    try library.insert([helper])
    let one = try craving(triggers: [.sad, .angry], location: .place(.home), notes: "before")
    let other = try craving(triggers: [.sad])
    try library.add(one)
    try library.add(other)
    let changed = try library.edit(Craving.self, id: one.id) {
      $0.timestamp = before(1)
      $0.intensity = try Intensity(9)
      $0.triggers = [.bored, .sad]
      $0.location = nil
      $0.notes = " "
      $0.recordingID = helper.id
    }
    #expect(changed.triggers.list == [.sad, .bored])
    let read = try #require(try library.record(Craving.self, id: one.id))
    #expect(read.notes == nil)
    #expect(
      try sqlite3(library.catalogPath, "SELECT count(*) FROM craving WHERE notes IS NOT NULL;")
        == "0")
    #expect(read.timestamp == before(1) && read.intensity.value == 9 && read.location == nil)
    #expect(read.triggers == [.sad, .bored] && read.recordingID == helper.id)
    #expect(try library.record(Craving.self, id: other.id) == other)
    #expect(throws: Stop.self) {
      _ = try library.edit(Craving.self, id: one.id) {
        $0.notes = "after"
        throw Stop()
      }
    }
    for change: (inout Craving) -> Void in [
      { $0.notes = String(repeating: "x", count: 501) }, { $0.recordingID = UUID() },
      { $0.location = .coordinates(latitude: .nan, longitude: 0) },
    ] {
      #expect(throws: HoldfastError.self) {
        try library.edit(Craving.self, id: one.id) {
          $0.triggers = [.lonely]
          change(&$0)
        }
      }
    }
    #expect(try library.record(Craving.self, id: one.id) == read)
    let missing = #expect(throws: HoldfastError.self) {
      try library.edit(Craving.self, id: UUID()) { _ in }
    }
    #expect(missing?.code == .noSuchRecord)
  }

  @Test("A change of a usage writes everything; one that throws writes nothing")
  func usageUpdate() throws {
    let library = try openLibrary()
    let one = usage(method: .dab, amount: 3, triggers: [.sad], notes: "before")
    try library.add(one)
    let changed = try library.edit(Usage.self, id: one.id) {
      ($0.method, $0.amount, $0.triggers) = (.edible, 35, [])
    }
    #expect(try library.record(Usage.self, id: one.id) == changed)
    #expect(changed.method == .edible && changed.triggers == [])
    let error = #expect(throws: HoldfastError.self) {
      try library.edit(Usage.self, id: one.id) { $0.method = .vape }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.description.contains("amount 35.0: Vape goes from 1 pull to 10 pulls") == true)
    #expect(try library.record(Usage.self, id: one.id) == changed)
    let missing = #expect(throws: HoldfastError.self) {
      try library.edit(Usage.self, id: UUID()) { _ in }
    }
    #expect(missing?.code == .noSuchRecord)
  }

  @Test("A craving links only to an existing recording; many link to one, and outlive it")
  func links() throws {
    let library = try openLibrary()
    let (helper, other) = (try recording(), try recording())
    try library.insert([helper, other])
    let cravings = try (0..<5).map {
      try craving(at: before(Double($0)), triggers: [.sad], recording: helper.id)
    }
    for one in cravings { try library.add(one) }
    let elsewhere = try craving(recording: other.id)
    try library.add(elsewhere)
    let refusal = #expect(throws: HoldfastError.self) {
      try library.add(try craving(recording: UUID()))
    }
    #expect(refusal?.code == .noSuchRecord)
    #expect(try library.cravings(matching: CravingQuery(recording: helper.id)) == cravings)
    try library.deleteRecording(id: helper.id)
    #expect(try library.recording(id: helper.id) == nil)
    #expect(try library.cravings(matching: CravingQuery(recording: helper.id)) == [])
    for var one in cravings {
      one.recordingID = nil
      #expect(try library.record(Craving.self, id: one.id) == one)
    }
    #expect(try library.record(Craving.self, id: elsewhere.id) == elsewhere)
    try library.delete(Craving.self, id: elsewhere.id)
    #expect(try library.recording(id: other.id) == other)
    #expect(try sqlite3(library.catalogPath, "PRAGMA integrity_check;") == "ok")
  }

  @Test("Deleting an entry deletes its triggers")
  func cascades() throws {
    let library = try openLibrary()
    let (one, other) = (try craving(triggers: [.sad, .bored]), try craving(triggers: [.sad]))
    let used = usage(triggers: [.habit, .tired])
    try library.add(one)
    try library.add(other)
    try library.add(used)
    try library.delete(Craving.self, id: one.id)
    #expect(throws: HoldfastError.self) { try library.delete(Craving.self, id: one.id) }
    try library.delete(Usage.self, id: used.id)
    #expect(throws: HoldfastError.self) { try library.delete(Usage.self, id: used.id) }
    let left = try sqlite3(
      library.catalogPath, "SELECT * FROM cravingTrigger; SELECT * FROM usageTrigger;")
    #expect(left == "Sad|\(other.id.uuidString)")
    #expect(try library.cravings(matching: CravingQuery()) == [other])
  }

  // MARK: Questions

  @Test("Cravings are found by days, intensity, trigger and recording, newest first")
  func cravingQueries() throws {
    let library = try openLibrary()
    let helper = try recording()
    try library.insert([helper])
    let all = [
      try craving(id: uuid(1), at: noon, intensity: 3, triggers: [.sad]),
      try craving(id: uuid(2), at: noon, intensity: 9, triggers: [.bored], recording: helper.id),
      try craving(id: uuid(3), at: before(5), intensity: 6, triggers: [.sad, .bored]),
      try craving(id: uuid(4), at: before(9), intensity: 10),
      try craving(
        id: uuid(5), at: before(40), intensity: 1, triggers: [.sad], recording: helper.id),
    ]
    for one in all.reversed() { try library.add(one) }
    for (query, numbers) in [
      (CravingQuery(), [1, 2, 3, 4, 5]), (CravingQuery(since: before(5)), [1, 2, 3]),
      (CravingQuery(since: before(5).addingTimeInterval(0.001)), [1, 2]),
      (CravingQuery(minimum: try Intensity(6)), [2, 3, 4]),
      (CravingQuery(minimum: try Intensity(1)), [1, 2, 3, 4, 5]),
      (CravingQuery(trigger: .sad), [1, 3, 5]), (CravingQuery(trigger: .angry), []),
      (CravingQuery(since: before(7), trigger: .sad), [1, 3]),
      (CravingQuery(recording: helper.id), [2, 5]), (CravingQuery(recording: UUID()), []),
      (CravingQuery(minimum: try Intensity(2), trigger: .bored, recording: helper.id), [2]),
    ] {
      let found = try library.cravings(matching: query)
      #expect(found == numbers.map { all[$0 - 1] })
      let summary = try library.summary(of: query)
      #expect(summary.count == numbers.count)
      let sum = found.reduce(0) { $0 + $1.intensity.value }
      #expect(summary.averageIntensity == (found.isEmpty ? nil : Double(sum) / Double(found.count)))
      var page = query
      (page.limit, page.offset) = (2, 1)
      #expect(try library.cravings(matching: page) == Array(found.dropFirst().prefix(2)))
      #expect(try library.summary(of: page) == summary)
    }
  }

  @Test("Usage is found by days, method and trigger, and summed for each method")
  func usageQueries() throws {
    let library = try openLibrary()
    let all = [
      usage(id: try uuid(1), at: noon, method: .vape, amount: 3, triggers: [.sad]),
      usage(id: try uuid(2), at: noon, method: .bowls, amount: 0.5),
      usage(id: try uuid(3), at: before(5), method: .vape, amount: 4, triggers: [.sad, .habit]),
      usage(id: try uuid(4), at: before(9), method: .edible, amount: 15, triggers: [.habit]),
    ]
    for one in all.reversed() { try library.add(one) }
    for (query, numbers) in [
      (UsageQuery(), [1, 2, 3, 4]), (UsageQuery(since: before(5)), [1, 2, 3]),
      (UsageQuery(method: .vape), [1, 3]), (UsageQuery(method: .dab), []),
      (UsageQuery(trigger: .habit), [3, 4]), (UsageQuery(since: before(7), trigger: .habit), [3]),
      (UsageQuery(since: before(2), method: .vape, trigger: .sad), [1]),
    ] {
      let found = try library.usage(matching: query)
      #expect(found == numbers.map { all[$0 - 1] })
      for sum in try library.summary(of: query) {
        let amounts = found.filter { $0.method == sum.method }.map(\.amount)
        #expect(sum.count == amounts.count && sum.amount == amounts.reduce(0, +))
      }
      var page = query
      (page.limit, page.offset) = (1, 1)
      #expect(try library.usage(matching: page) == Array(found.dropFirst().prefix(1)))
      #expect(try library.summary(of: page) == library.summary(of: query))
    }
    #expect(
      try library.summary(of: UsageQuery()) == [
        UsageSummary(method: .vape, count: 2, amount: 7),
        UsageSummary(method: .bowls, count: 1, amount: 0.5),
        UsageSummary(method: .edible, count: 1, amount: 15),
      ])
  }

  @Test("A prefix of an ID finds the entry that begins with it")
  func prefixes() throws {
    let library = try openLibrary()
    for digit in [0, 9, 10, 15] {
      try library.add(try craving(id: uuid(digit)))
      try library.add(usage(id: try uuid(digit)))
    }
    for (prefix, found) in [("aaaa", 10), ("FFFFFFFF-ffff", 15), ("0000", 0)] {
      #expect(try library.record(Craving.self, idPrefix: prefix).id == uuid(found))
      #expect(try library.record(Usage.self, idPrefix: prefix).id == uuid(found))
    }
    for (prefix, code) in [
      ("0", HoldfastError.Code.ambiguousID), ("", .ambiguousID), ("%%%%", .noSuchRecord),
      ("ABAB", .noSuchRecord), ("AAAA'", .noSuchRecord), ("ﬀﬀﬀﬀ", .noSuchRecord),
    ] {
      for find: () throws -> Void in [
        { _ = try library.record(Craving.self, idPrefix: prefix) },
        { _ = try library.record(Usage.self, idPrefix: prefix) },
      ] {
        #expect(#expect(throws: HoldfastError.self, performing: find)?.code == code, "\(prefix)")
      }
    }
  }

  @Test("An unreadable row is an error that says so")
  func unreadable() throws {
    let library = try openLibrary()
    let path = library.catalogPath
    let one = try craving(id: uuid(1), triggers: [.sad])
    try library.add(one)
    for (statement, reason) in [
      ("UPDATE craving SET intensity = 11", "its intensity is 11"),
      ("UPDATE craving SET intensity = 5, location = 'Moon'", "its location is \"Moon\""),
      (
        "UPDATE craving SET location = NULL; UPDATE cravingTrigger SET trigger = 'Thirsty'",
        "its triggers is [\"Thirsty\"]"
      ),
    ] {
      try sqlite3(path, "PRAGMA ignore_check_constraints = ON; \(statement);")
      let error = #expect(throws: HoldfastError.self) {
        try library.record(Craving.self, id: one.id)
      }
      #expect(error?.code == .unreadableRow)
      #expect(
        error?.description.contains("row \(one.id.uuidString) cannot be read: \(reason)") == true)
    }
  }

  @Test("Dates long ago are kept, from the year 1")
  func years() throws {
    let library = try openLibrary()
    for text in [
      "0001-01-01T00:00Z", "0999-12-31T23:59Z", "1582-10-04T12:00Z", "1582-10-15T12:00Z",
    ] {
      let moment = try Entry.moment(text, now: noon).date
      let one = try craving(at: moment)
      try library.add(one)
      #expect(try library.record(Craving.self, id: one.id)?.timestamp == moment, "\(text)")
    }
  }
}
