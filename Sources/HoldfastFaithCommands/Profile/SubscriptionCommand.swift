internal import ArgumentParser
internal import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith subscription`
struct SubscriptionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscription", abstract: "Keep records of subscriptions elsewhere.",
    discussion: "Nothing in Holdfast depends on them: no part of it is paid.",
    subcommands: [
      SubscriptionAddCommand.self, SubscriptionListCommand.self,
      RecordShowCommand<Subscription>.self, SubscriptionEditCommand.self,
      RecordDeleteCommand<Subscription>.self,
    ])
}

/// `holdfast faith subscription add`
struct SubscriptionAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a subscription.",
    discussion: "Only Premium has a last day, and it needs one.")

  @Argument(help: "Whose it is: any name or id, at most 100 characters.")
  var user: String

  @Option(
    help: ArgumentHelp(
      "The plan: \(SubscriptionPlan.words) (default: Free).", valueName: "plan"),
    completion: .list(SubscriptionPlan.allCases.map(\.rawValue)),
    transform: { try SubscriptionPlan(named: $0) })
  var plan: SubscriptionPlan?

  @Option(
    help: ArgumentHelp("The first day (default: today).", valueName: "date"),
    transform: { try Day($0) })
  var start: Day?

  @Option(help: ArgumentHelp("The last day.", valueName: "date"), transform: { try Day($0) })
  var end: Day?

  @Flag(help: "It renews itself.")
  var autoRenew = false

  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try subscription(now: Date()).validate() } }

  func run() throws {
    try common.add(subscription(now: Date())) { try $0.add($1) }
  }

  private func subscription(now: Date) -> Subscription {
    Subscription(
      userID: user, planType: plan ?? .free, startDate: start ?? Day(now: now), endDate: end,
      autoRenew: autoRenew, createdAt: now)
  }
}

/// `holdfast faith subscription edit`
struct SubscriptionEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a subscription; only what you name changes.",
    discussion: "Free and Lifetime have no last day: with them it is removed.")

  @OptionGroup var record: RecordArgument<Subscription>

  @Option(
    help: ArgumentHelp("The plan: \(SubscriptionPlan.words).", valueName: "plan"),
    completion: .list(SubscriptionPlan.allCases.map(\.rawValue)),
    transform: { try SubscriptionPlan(named: $0) })
  var plan: SubscriptionPlan?

  @Option(help: ArgumentHelp("The first day.", valueName: "date"), transform: { try Day($0) })
  var start: Day?

  @Option(help: ArgumentHelp("The last day.", valueName: "date"), transform: { try Day($0) })
  var end: Day?

  @Flag(inversion: .prefixedNo, help: "Whether it renews itself.")
  var autoRenew: Bool?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      plan != nil || start != nil || end != nil || autoRenew != nil,
      "--plan, --start, --end, --auto-renew or --no-auto-renew")
  }

  func run() throws {
    try common.update(record, "changed") { library, before in
      try library.faith.edit(subscription: before.id) { subscription in
        if let plan {
          subscription.planType = plan
          if plan != .premium { (subscription.endDate, subscription.autoRenew) = (nil, false) }
        }
        if let start { subscription.startDate = start }
        if let end { subscription.endDate = end }
        if let autoRenew { subscription.autoRenew = autoRenew }
      }
    }
  }
}

/// `holdfast faith subscription list`
struct SubscriptionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List subscriptions, by their start, newest first.")

  @Option(parsing: .unconditional, help: "Only those of this user.")
  var user: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) {
      try $0.faith.subscriptions(of: user, limit: $1, offset: page.offset)
    }
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
