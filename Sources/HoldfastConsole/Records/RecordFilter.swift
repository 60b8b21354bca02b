package import ArgumentParser
package import Holdfast

/// The options that choose the records of a list, for ``RecordListCommand``.
package protocol RecordFilter: ParsableArguments {
  associatedtype Record: ShownRecord

  static var verb: RecordVerb { get }

  /// Returns the chosen records of a page.
  func records(in library: Library, limit: Int, offset: Int) throws -> [Record]
}

package struct RecordListCommand<Filter: RecordFilter>: ParsableCommand {
  package static var configuration: CommandConfiguration { Filter.verb.configuration }

  @OptionGroup var filter: Filter
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let library = try common.openLibrary(for: .reading, Filter.Record.self)
    try common.console.page(page, in: library) {
      try filter.records(in: library, limit: $0, offset: page.offset)
    }
  }
}
