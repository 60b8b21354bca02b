internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith subscription`
struct SubscriptionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subscription", abstract: "Keep records of subscriptions elsewhere.",
    discussion: "Nothing in Holdfast depends on them: no part of it is paid.",
    subcommands: [
      SubscriptionAddCommand.self, SubscriptionListCommand.self, SubscriptionShowCommand.self,
      SubscriptionEditCommand.self, RecordDeleteCommand<Subscription>.self,
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
    let subscription = subscription(now: Date())
    try common.openLibrary(for: .writing, .faith).faith.add(subscription)
    try common.console.show(subscription, "added")
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

  @OptionGroup var record: RecordArgument

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
    if plan == nil, start == nil, end == nil, autoRenew == nil {
      throw ValidationError(
        "Name what to change: --plan, --start, --end, --auto-renew or --no-auto-renew.")
    }
  }

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(Subscription.self, idPrefix: record.id)
    let changed = try faith.edit(subscription: before.id) { subscription in
      if let plan {
        subscription.planType = plan
        if plan != .premium { (subscription.endDate, subscription.autoRenew) = (nil, false) }
      }
      if let start { subscription.startDate = start }
      if let end { subscription.endDate = end }
      if let autoRenew { subscription.autoRenew = autoRenew }
    }
    try common.console.show(changed, "changed")
  }
}

/// A subscription as the commands print it.
struct SubscriptionOutput: Encodable {
  var subscription: Subscription

  private enum CodingKeys: String, CodingKey { case isActive }

  func encode(to encoder: any Encoder) throws {
    try subscription.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subscription.isActive(on: Day()), forKey: .isActive)
  }
}

/// `holdfast faith subscription show`
struct SubscriptionShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about a subscription.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    let subscription = try faith.record(Subscription.self, idPrefix: record.id)
    let console = common.console
    if console.isJSON {
      return try console.json(SubscriptionOutput(subscription: subscription))
    }
    console.details(subscription.allDetails)
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
    let faith = try common.openLibrary(for: .reading, .faith).faith
    try common.console.page(page, noun: { $0.noun("subscription") }) { limit in
      try faith.subscriptions(of: user, limit: limit, offset: page.offset)
    } json: {
      SubscriptionOutput(subscription: $0)
    } table: {
      Subscription.table(of: $0)
    }
  }
}

extension Subscription: ShownRecord {
  var line: String { "\(planType.rawValue)  \(userID)" }

  static let heading = "PLAN AND USER"
  static let columns: [TextTable.Column] = [
    .init(heading: "FROM"), .init(heading: "THROUGH"), .init(heading: "ACTIVE"),
  ]
  var cells: [String] {
    [startDate.description, endDate?.description ?? "", isActive(on: Day()) ? "yes" : "no"]
  }

  var facts: [(name: String, value: String?)] {
    [
      ("user", userID), ("plan", planType.rawValue), ("from", startDate.description),
      ("through", endDate?.description), ("active", isActive(on: Day()) ? "yes" : "no"),
      ("renews", autoRenew.yes),
    ]
  }
}
