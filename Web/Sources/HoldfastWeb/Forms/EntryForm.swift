internal import Foundation
internal import Holdfast

/// The fields that cravings and usage share, as they are filled in at first.
struct EntryFields: Sendable {
  var when: String
  var primary: [Choice]
  var secondary: [Choice]
  var places: [Choice]
  var notes: String
  var longestNotes = Entry.longestNotes
  var recordings: [Choice] = []
  var back: String

  init(_ entry: (any LoggedEntry)?, now: Date, back: String) {
    let zone = entry.map(\.timestampOffset) ?? now.localOffset
    when = (entry?.timestamp ?? now).fieldText(offset: zone)
    let triggers = entry?.triggers.list ?? []
    func choices(_ all: [Trigger]) -> [Choice] {
      all.map { Choice($0.rawValue, isChosen: triggers.contains($0)) }
    }
    primary = choices(Trigger.primary)
    secondary = choices(Trigger.secondary)
    places = Location.Place.allCases.map {
      Choice($0.rawValue, isChosen: entry?.location == .place($0))
    }
    notes = entry?.notes ?? ""
    self.back = back
  }

  /// What the fields look like, for a form around them.
  static let html = #"""
    <label for="when">When</label>
    <input type="datetime-local" id="when" name="when" value="{{fields.when}}" data-week>
    <p class="hint" data-week-hint hidden>That is more than a week ago: memory may be less reliable.</p>
    <details{{#isEdited}} open{{/isEdited}}><summary>More, if you like</summary>
    <fieldset><legend>What brought it on</legend><div class="chips">
    {{#fields.primary}}<label class="chip"><input type="checkbox" name="trigger" value="{{value}}"{{#isChosen}} checked{{/isChosen}}><span>{{value}}</span></label>{{/fields.primary}}
    </div><div class="chips">
    {{#fields.secondary}}<label class="chip"><input type="checkbox" name="trigger" value="{{value}}"{{#isChosen}} checked{{/isChosen}}><span>{{value}}</span></label>{{/fields.secondary}}
    </div></fieldset>
    <fieldset><legend>Where</legend><div class="chips">
    {{#fields.places}}<label class="chip"><input type="radio" name="place" value="{{value}}"{{#isChosen}} checked{{/isChosen}}><span>{{value}}</span></label>{{/fields.places}}
    </div></fieldset>
    <label for="notes">Notes</label>
    <textarea id="notes" name="notes" rows="3" maxlength="{{fields.longestNotes}}" data-counter="400">{{fields.notes}}</textarea>
    <p class="hint" data-counter-for="notes" aria-live="polite"></p>
    """#
}

extension Form {
  /// Takes over what the fields that cravings and usage share say.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isNew: Whether it is logged now.
  ///   - now: The present moment.
  ///   - unchanged: What the field for the moment said at first. The same again changes nothing.
  /// - Throws: `RuleError` for what is no time, trigger or place.
  func fill(
    _ entry: inout some LoggedEntry, isNew: Bool, now: Date, unless unchanged: String? = nil
  ) throws {
    if let when = self["when"], when != unchanged {
      // An entry that was logged in another zone is shown, and changed, by the clock there.
      let zone = TimeZone(secondsFromGMT: entry.timestampOffset * 60)
      let moment = try Entry.moment(
        when, now: now, zone: isNew ? .current : zone ?? .current)
      (entry.timestamp, entry.timestampOffset) = (moment.date, moment.offset)
    }
    entry.triggers = TriggerSet(try all("trigger").map(Trigger.init(named:)))
    // A place that this page does not offer, such as coordinates, stays as long as none is chosen.
    if let place = self["place"] { entry.location = try Location(place) }
    entry.notes = self["notes"]
  }
}
