import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb

/// The shared fields of cravings and usage, with their first values.
struct EntryFields: Sendable {
  var primary: [Choice]
  var secondary: [Choice]
  var places: [Choice]
  var longestNotes = Entry.longestNotes
  var back: String

  /// The value for no place.
  static let nowhere = "none"

  init(_ entry: (any LoggedEntry)?, _ address: Form) {
    let triggers = entry?.triggers.list ?? []
    func choices(_ all: [Trigger]) -> [Choice] {
      all.map { Choice($0.rawValue, isChosen: triggers.contains($0)) }
    }
    primary = choices(Trigger.primary)
    secondary = choices(Trigger.secondary)
    var known = Location.Place.allCases.map(Location.place)
    // Coordinates, which the phone's app notes.
    if let place = entry?.location, !known.contains(place) { known.append(place) }
    places =
      [Choice(Self.nowhere, "Not said", isChosen: entry?.location == nil)]
      + known.map { Choice($0.text, $0.label, isChosen: entry?.location == $0) }
    back = entry == nil ? address.back : "/history"
  }

  /// The beginning of the form, for a template whose fields have these as `shared`.
  static let start = #"""
    <form method="post" action="{{action}}" class="form">
    <input type="hidden" name="back" value="{{shared.back}}">
    <input type="hidden" name="opened" value="{{when}}">
    """#

  static let html = #"""
    <label for="when">When</label>
    <input type="datetime-local" id="when" name="when" value="{{when}}" data-week>
    <p class="hint" data-week-hint hidden>That is more than a week ago: memory may be less \#
    reliable.</p>
    <details{{#isOpen}} open{{/isOpen}}><summary>More details (optional)</summary>
    {{#shared}}<fieldset><legend>What triggered it?</legend><div class="chips">
    {{#primary}}<label class="chip">\#
    <input type="checkbox" name="trigger" value="{{value}}"{{#isChosen}} checked{{/isChosen}}>\#
    <span>{{value}}</span></label>{{/primary}}
    </div><div class="chips">
    {{#secondary}}<label class="chip">\#
    <input type="checkbox" name="trigger" value="{{value}}"{{#isChosen}} checked{{/isChosen}}>\#
    <span>{{value}}</span></label>{{/secondary}}
    </div></fieldset>
    <fieldset><legend>Where</legend><div class="chips">
    {{#places}}<label class="chip">\#
    <input type="radio" name="place" value="{{value}}"{{#isChosen}} checked{{/isChosen}}>\#
    <span>{{name}}</span></label>{{/places}}
    </div></fieldset>
    <label for="notes">Notes</label>
    <textarea id="notes" name="notes" rows="3" maxlength="{{longestNotes}}" \#
    data-counter="400">{{record.notes}}</textarea>
    <p class="hint" data-counter-for="notes" aria-live="polite"></p>{{/shared}}
    """#

  static let end = #"""
    </details>
    \#(Page.submit("Save", cancel: "{{shared.back}}"))
    {{#id}}\#(Page.deletion("Delete this entry", back: "/history")){{/id}}
    """#
}

extension Form {
  /// Applies the fields that cravings and usage share. An unknown trigger or place throws
  /// `RuleError`.
  func fill(_ entry: inout some LoggedEntry) throws {
    entry.triggers = TriggerSet(try all("trigger").map(Trigger.init(named:)))
    if let place = self["place"] {
      entry.location = place == EntryFields.nowhere ? nil : try Location(place)
    }
    entry.notes = self["notes"]
  }
}
