package import Foundation

package struct RecordLine: Sendable {
  private var id: String
  private var path: String?
  private var what: String
  private var detail: String?
  private var notes: String?
  private var recording: String?
  private var sound: String
  private var more: String?
  private var picture: String?

  /// - Parameters:
  ///   - sound: The word for the linked recording.
  ///   - more: The path of another page, for the list's template.
  ///   - picture: The path of a picture, which the words describe.
  package init(
    _ id: String, _ what: String, detail: String? = nil, notes: String? = nil,
    path: String? = nil, recording: UUID? = nil, sound: String = "recording", more: String? = nil,
    picture: String? = nil
  ) {
    self.id = id
    self.path = path
    self.what = what
    self.detail = detail
    self.notes = notes
    self.recording = recording?.uuidString
    self.sound = sound
    self.more = more
    self.picture = picture
  }

  /// The template of a list, by its name in the values of a page. The rest of a line is beside the
  /// record if the line is split, else below it.
  package static func list(_ name: String, isSplit: Bool = true, rest: String = "") -> String {
    #"""
    <ul class="entries">{{#\#(name)}}<li\#(isSplit ? #" class="split""# : "")>{{#path}}\#
    <a href="{{.}}"{{#picture}} class="pictured"{{/picture}}>{{/path}}{{^path}}<p>{{/path}}\#
    {{#picture}}<img src="{{.}}" alt="" loading="lazy">{{/picture}}\#
    <span class="what">{{what}}</span>\#
    {{#detail}}<span class="detail">{{.}}</span>{{/detail}}{{#notes}}\#
    <span class="notes">{{.}}</span>{{/notes}}{{#path}}</a>{{/path}}{{^path}}</p>{{/path}}
    {{#recording}}<a class="play" href="/recordings/{{.}}" \#
    aria-label="Play the {{sound}} of {{what}}">Play</a>{{/recording}}
    \#(rest)</li>{{/\#(name)}}</ul>
    """#
  }
}

/// A page of a searchable list of records.
package struct RecordList: Sendable {
  private static let length = 50

  private var search: String
  private var isSearched: Bool
  private var hasPrivate: Bool
  private var records: [RecordLine]
  private var next: String?

  /// - Parameter path: The page's address, without the number of the page.
  package init(
    _ fields: Form, at path: String,
    _ find: (_ limit: Int, _ offset: Int) throws -> [RecordLine]
  ) rethrows {
    let page = min(max(fields["page"].flatMap { Int($0) } ?? 1, 1), 1_000_000)
    let found = try find(Self.length + 1, (page - 1) * Self.length)
    search = fields["q"] ?? ""
    isSearched = fields["q"] != nil
    hasPrivate = fields.wantsPrivate
    records = Array(found.prefix(Self.length))
    next = found.count > Self.length ? "\(path)&page=\(page + 1)" : nil
  }

  /// The template of the search fields of the list at `path`.
  package static func search(_ path: String, _ placeholder: String, hidden: String = "") -> String {
    #"""
    <form method="get" action="\#(path)" class="filters" role="search">\#(hidden)\#
    <label class="hidden" for="q">Search</label>
    <input type="search" id="q" name="q" value="{{search}}" placeholder="\#(placeholder)">
    <label class="check"><input type="checkbox" name="private" value="1"{{#hasPrivate}} \#
    checked{{/hasPrivate}}> Private ones too</label>\#
    <button class="button quiet">Show</button></form>
    """#
  }

  /// The template of the list and the link to its next page.
  package static func html(empty: String, rest: String = "") -> String {
    #"""
    {{^records}}<p role="status">\#(empty)</p>{{/records}}
    \#(RecordLine.list("records", rest: rest))
    {{#next}}<p class="pages"><a href="{{.}}" rel="next">Earlier</a></p>{{/next}}
    """#
  }
}

extension Form {
  package var wantsPrivate: Bool { self["private"] != nil }
}
