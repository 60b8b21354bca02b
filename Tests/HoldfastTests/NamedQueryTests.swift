import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Queries by name", .temporaryFolder)
struct NamedQueryTests {
  private let noon = Date(timeIntervalSince1970: 1_761_393_600)

  private func hours(_ hours: Double) -> Date { noon.addingTimeInterval(hours * 3600) }

  @Test("Each names the entries that it says, newest first")
  func entries() throws {
    let library = try open(nil)
    var cravings: [Craving] = []
    for (hour, intensity, triggers) in [
      (0.0, 2, [Trigger.sad]), (1, 4, [.sad, .bored]), (2, 9, [.bored]), (3, 5, []),
    ] {
      let craving = Craving(
        timestamp: hours(hour), intensity: try Intensity(intensity), triggers: TriggerSet(triggers),
        createdAt: noon)
      try library.log(craving, now: hours(9))
      cravings.append(craving)
    }
    #expect(try library.recentCravings(limit: 2) == [cravings[3], cravings[2]])
    #expect(try library.cravings(in: hours(1)..<hours(3)) == [cravings[2], cravings[1]])
    #expect(try library.cravings(broughtOnBy: .sad) == [cravings[1], cravings[0]])
    #expect(try library.cravings(helpedBy: UUID()) == [])
    #expect(try library.averageIntensity(in: hours(0)..<hours(3)) == 5)
    #expect(try library.averageIntensity(in: hours(8)..<hours(9)) == nil)

    var usage: [Usage] = []
    for (hour, method, amount) in [(0.0, UsageMethod.vape, 2.0), (1, .dab, 1), (2, .vape, 5)] {
      let used = Usage(
        timestamp: hours(hour), method: method, amount: amount, triggers: [.habit], createdAt: noon)
      try library.log(used, now: hours(9))
      usage.append(used)
    }
    #expect(try library.recentUsage(limit: 1) == [usage[2]])
    #expect(try library.usage(of: .vape) == [usage[2], usage[0]])
    #expect(try library.usage(with: .habit) == usage.reversed())
    #expect(try library.usage(in: hours(0)..<hours(2)) == [usage[1], usage[0]])
    #expect(try library.averageAmounts(in: hours(0)..<hours(3)) == [.vape: 3.5, .dab: 1])
  }

  @Test("Recordings and messages")
  func recordings() async throws {
    let outcomes = try await run(ScriptedEngine(), ["a.m4a", "b.m4a"])
    #expect(outcomes.imported.count == 2)
    let library = try open(nil)
    let all = try library.recentRecordings()
    #expect(try library.recentRecordings(limit: 1) == [all[0]])
    #expect(try library.recordings(of: .audio) == all)
    #expect(try library.recordings(of: .video) == [])
    #expect(try library.recordings(for: .motivational) == all)
    #expect(try library.recordings(for: .milestone) == [])
    let moment = all[0].recorded.date
    #expect(try library.recordings(in: moment..<moment.addingTimeInterval(1)).contains(all[0]))
    #expect(try library.recordings(in: .distantPast..<all[1].recorded.date) == [])
    try library.countPlay(id: all[1].id)
    #expect(try library.mostPlayedRecordings(limit: 1).map(\.id) == [all[1].id])

    let messages = try library.activeMessages(for: .boredom)
    #expect(messages.map(\.priority) == [1, 2])
    try library.hideMessage(id: messages[0].id)
    #expect(try library.activeMessages(for: .boredom) == [messages[1]])
    try library.countShowing(id: messages[1].id)
    #expect(try library.leastShownMessages().last?.id == messages[1].id)
    #expect(try library.leastShownMessages().count == 10)
  }
}
