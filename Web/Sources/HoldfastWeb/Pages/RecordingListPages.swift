import Foundation
import Holdfast
import Hummingbird

/// The list of recordings, with its search and filters.
struct RecordingListPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/recordings") { request, _ in try await list(request) }
  }

  private static let pageLength = 48

  private struct Values: Sendable {
    var recordings: [RecordingCard]
    var address: Address
    var filters: [Choice]
    var sorts: [Choice]
    var next: String?
    var previous: String?
    /// How many recordings a search found; `nil` without one.
    var found: String?
    /// How many recordings a search did not read, because their words are not written down; `nil`
    /// if it found something.
    var unread: String?
  }

  /// What the page's address asks for.
  private struct Address: Sendable {
    var search: String?
    var type: RecordingType?
    var purpose: RecordingPurpose?
    var sort: RecordingQuery.Sort?
    var page: Int

    init(_ fields: Form) throws {
      search = fields["q"]
      type = try fields["type"].map(RecordingType.init(named:))
      purpose = try fields["purpose"].map(RecordingPurpose.init(named:))
      sort = try fields["sort"].map(RecordingQuery.Sort.init(listed:))
      page = max(fields["page"].flatMap { Int($0) } ?? 1, 1)
      guard page < 1_000_000 else { throw WebProblem.notFound }
    }

    var isFiltered: Bool { search != nil || type != nil || purpose != nil }

    /// Returns the address after a change. A change other than of the page leads to the first page.
    func link(page: Int = 1, _ change: (inout Self) -> Void = { _ in }) -> String {
      var other = self
      other.page = page
      change(&other)
      let fields = [
        ("q", other.search), ("type", other.type?.rawValue), ("purpose", other.purpose?.rawValue),
        ("sort", other.sort?.rawValue), ("page", other.page > 1 ? "\(other.page)" : nil),
      ]
      let query = fields.compactMap { name, value in
        value.map { "\(name)=\($0.addingPercentEncoding)" }
      }
      return query.isEmpty ? "/recordings" : "/recordings?\(query.joined(separator: "&"))"
    }

    /// Links that each apply a filter at once, or remove it.
    var filters: [Choice] {
      RecordingType.allCases.map { type in
        let isChosen = type == self.type
        return Choice(
          link { $0.type = isChosen ? nil : type }, type == .video ? "Video" : "Sound",
          isChosen: isChosen)
      }
        + RecordingPurpose.allCases.map { purpose in
          let isChosen = purpose == self.purpose
          return Choice(
            link { $0.purpose = isChosen ? nil : purpose }, purpose.rawValue.capitalized,
            isChosen: isChosen)
        }
    }

    var sorts: [Choice] {
      RecordingQuery.Sort.allCases.map { sort in
        Choice(link { $0.sort = sort }, sort.words, isChosen: sort == self.sort ?? .recent)
      }
    }
  }

  private func list(_ request: Request) async throws -> Response {
    let address = try Address(request.fields)
    var query = RecordingQuery(
      type: address.type, purpose: address.purpose, search: address.search,
      sort: address.sort ?? .recent, limit: Self.pageLength + 1)
    query.offset = (address.page - 1) * Self.pageLength
    let (found, cards, unread) = try await host.read { [query] library in
      let found = try library.recordings(matching: query)
      let page = found.prefix(Self.pageLength)
      let hits = try library.spokenHits(of: address.search ?? "", in: page.map(\.id), limit: 1)
      let isVain = found.isEmpty && address.search != nil
      return (
        found, try library.cards(of: page, hits: hits),
        isVain ? try library.countToTranscribe() : 0
      )
    }
    let values = Values(
      recordings: cards, address: address, filters: address.filters, sorts: address.sorts,
      next: found.count > Self.pageLength ? address.link(page: address.page + 1) : nil,
      previous: address.page > 1 ? address.link(page: address.page - 1) : nil,
      found: address.search.map { _ in
        found.count > Self.pageLength
          ? "More than \(Self.pageLength) recordings" : found.count.counted("recording")
      }, unread: unread > 0 ? unread.counted("recording") : nil)
    let isEmpty = found.isEmpty && !address.isFiltered && address.page == 1
    return Page(
      "Recordings", tab: .recordings, template: isEmpty ? Self.empty : Self.template, values: values
    ).response
  }

  private static let empty = Page.template(
    #"""
    <div class="empty card">\#(Icon.microphone)
    <h2>No recordings yet</h2>
    <p>The first one can be short: why you stopped, in your own words.</p>
    <p class="row"><a class="button large" href="/record">Record or choose files</a></p></div>
    """#)

  private static let template = Page.template(
    #"""
    {{#address}}<form method="get" action="/recordings#found" class="filters" role="search">
    <label class="hidden" for="q">Search</label>\#
    <input type="search" id="q" name="q" value="{{search}}" \#
    placeholder="Titles, notes and words">\#
    {{#type}}<input type="hidden" name="type" value="{{.}}">{{/type}}\#
    {{#purpose}}<input type="hidden" name="purpose" value="{{.}}">{{/purpose}}\#
    {{#sort}}<input type="hidden" name="sort" value="{{.}}">{{/sort}}\#
    <button class="button quiet" aria-label="Search">\#(Icon.search)</button> \#
    <a class="button" href="/record">New</a></form>{{/address}}
    <ul class="chips links" aria-label="Filters">{{#filters}}<li><a href="{{value}}"\#
    {{#isChosen}} aria-current="true"{{/isChosen}}>{{name}}</a></li>{{/filters}}</ul>
    <ul class="sorts" aria-label="Order">{{#sorts}}<li><a href="{{value}}"\#
    {{#isChosen}} aria-current="true"{{/isChosen}}>{{name}}</a></li>{{/sorts}}</ul>
    {{^recordings}}<p role="status" id="found" tabindex="-1">No recordings match. \#
    <a href="/recordings">Show all</a></p>\#
    {{#unread}}<p class="hint">What is said in {{.}} is not written down yet, so a search cannot \#
    find it. In a terminal, <code>holdfast transcribe</code> writes it down.</p>{{/unread}}\#
    {{/recordings}}
    {{^empty(recordings)}}{{#found}}<p role="status" id="found" tabindex="-1" \#
    class="detail">{{.}}</p>{{/found}}{{/empty(recordings)}}
    <ul class="cards">{{#recordings}}{{{html}}}{{/recordings}}</ul>
    <p class="pages">{{#previous}}<a href="{{.}}" rel="prev">Newer</a>{{/previous}} {{#next}}\#
    <a href="{{.}}" rel="next">More</a>{{/next}}</p>
    """#)
}

extension RecordingQuery.Sort {
  fileprivate var words: String {
    switch self {
    case .recent: "Newest"
    case .played: "Most played"
    case .longest: "Longest"
    case .title: "Title"
    }
  }
}
