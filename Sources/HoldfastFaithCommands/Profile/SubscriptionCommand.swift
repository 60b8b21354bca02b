import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct SubscriptionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscription", abstract: "Keep records of subscriptions elsewhere.",
    discussion: "Nothing in Holdfast depends on them: no part of it is paid.",
    subcommands: [
      RecordAddCommand<NewSubscription>.self, RecordListCommand<SubscriptionList>.self,
      RecordShowCommand<Subscription>.self, RecordEditCommand<SubscriptionEdit>.self,
      RecordDeleteCommand<Subscription>.self,
    ])
}

struct NewSubscription: NewRecord {
  static let verb = RecordVerb.add(
    "Add a subscription.", "Only Premium has a last day, and it needs one.")

  @Argument(help: "Whose it is: any name or id, at most 100 characters.")
  var user: String

  @Option(
    word: "The plan: \(SubscriptionPlan.words) (default: Free).",
    valueName: "plan",
    completion: .list(SubscriptionPlan.allCases.map(\.rawValue)))
  var plan: SubscriptionPlan?

  @Option(day: "The first day (default: today).")
  var start: Day?

  @Option(day: "The last day.")
  var end: Day?

  @Flag(help: "It renews itself.")
  var autoRenew = false

  func record(now: Date) -> Subscription {
    Subscription(
      userID: user, planType: plan ?? .free, startDate: start ?? Day(now: now), endDate: end,
      autoRenew: autoRenew, createdAt: now)
  }
}

struct SubscriptionEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a subscription; only what you name changes.",
    "Free and Lifetime have no last day: with them it is removed.")
  static let options = "--plan, --start, --end, --auto-renew or --no-auto-renew"

  @Option(
    help: ArgumentHelp("The plan: \(SubscriptionPlan.words).", valueName: "plan"),
    completion: .list(SubscriptionPlan.allCases.map(\.rawValue)),
    transform: { try SubscriptionPlan(named: $0) })
  var plan: SubscriptionPlan?

  @Option(day: "The first day.")
  var start: Day?

  @Option(day: "The last day.")
  var end: Day?

  @Flag(inversion: .prefixedNo, help: "Whether it renews itself.")
  var autoRenew: Bool?

  var changes: [Change<Subscription>?] {
    [
      .set(plan) { subscription, plan in
        subscription.planType = plan
        if plan != .premium { (subscription.endDate, subscription.autoRenew) = (nil, false) }
      },
      .set(\.startDate, start), .set(\.endDate, end), .set(\.autoRenew, autoRenew),
    ]
  }
}

struct SubscriptionList: RecordFilter {
  static let verb = RecordVerb.list("List subscriptions, by their start, newest first.")

  @Option(parsing: .unconditional, help: "Only those of this user.")
  var user: String?

  func records(in library: Library, limit: Int, offset: Int) throws -> [Subscription] {
    try library.faith.subscriptions(of: user, limit: limit, offset: offset)
  }
}

extension Subscription: FaithRecord {
  package var line: String { "\(planType.rawValue)  \(userID)" }

  private var isActive: Bool { isActive(on: Day()) }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("FROM", \.startDate.description), .init("THROUGH") { $0.endDate?.description ?? "" },
      .init("ACTIVE") { $0.isActive.yes ?? "no" }, .init("PLAN AND USER", \.line),
    ]
  }

  package func listOutput(in library: Library) -> any Encodable {
    ExtendedOutput(self, ["isActive": isActive])
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("user", userID), ("plan", planType.rawValue), ("from", startDate.description),
      ("through", endDate?.description), ("active", isActive.yes ?? "no"),
      ("renews", autoRenew.yes),
    ]
  }
}
