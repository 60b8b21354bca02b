import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct UsageListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List usage, newest first.")

  @OptionGroup var list: EntryListOptions

  @Option(word: "Only usage in this form: \(UsageMethod.words).", valueName: "method")
  var method: UsageMethod?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    var query = UsageQuery(
      since: list.since, method: method, trigger: list.trigger, offset: list.page.offset)
    if list.summary {
      let summaries = try library.summary(of: query)
      if console.isJSON { return try console.json(summaries) }
      if summaries.isEmpty { console.result("Nothing logged.") }
      for summary in summaries {
        let average =
          summary.count > 1 ? ", \(summary.method.text(summary.averageAmount)) on average" : ""
        console.result(
          "\(summary.method.rawValue): \(summary.method.text(summary.amount)) in "
            + "\(summary.count.counted("entry", "entries"))\(average).")
      }
      return
    }
    try console.page(list.page, in: library) { limit in
      query.limit = limit
      return try library.usage(matching: query)
    }
  }
}
