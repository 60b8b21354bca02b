import Foundation
public import Holdfast

extension AppModel {
  /// The app that keeps cravings, usage and messages. It may link a craving to its recording on
  /// either side.
  public static let cravings = AppModel(
    "cravings", entities: ["craving", "usage", "motivationalmessage", "message"],
    marks: [
      ("cravings", ["intensity", "timestamp"]), ("usage", ["method", "amount"]),
      ("messages", ["content", "category"]),
    ]
  ) { reading in
    var recordings: [UUID: UUID] = [:]
    for row in reading.rows["recording"] {
      let link = row.values["craving"] ?? row.values["cravingid"]
      guard let id = row.values["id"]?.value.uuid,
        let craving = link.flatMap({ reading.id($0.value, in: "craving") })
      else { continue }
      if recordings.updateValue(id, forKey: craving) != nil {
        reading.remark(
          .recordings, name: "craving",
          what: "not linked, because a craving names one recording, the last")
      }
    }
    reading.each("craving", as: Craving.declaration.kind) { row, reading in
      row.uuid("id")
      row.moment("timestamp", offset: "timestampOffset", from: "timestamp", "createdAt")
      row.number("intensity")
      let link = row.value("recording", "recordingId")
      let recording =
        reading.id(link, in: "recording")
        ?? row.record["id"]?.uuid.flatMap { recordings[$0] }
      if let recording {
        row.set("recordingId", .text(recording.uuidString))
      } else if !link.isNull {
        row.remark("recording", "not linked, because the recording is not known")
      }
      row.readEntry()
      row.unkept("wasManagedSuccessfully", "duration")
    }
    reading.each("usage", as: Usage.declaration.kind) { row, _ in
      row.uuid("id")
      row.moment("timestamp", offset: "timestampOffset", from: "timestamp", "createdAt")
      row.word("method", UsageMethod.self)
      row.number("amount")
      row.readEntry()
    }
    reading.each("motivationalmessage", "message", as: Message.declaration.kind) { row, _ in
      row.uuid("id")
      row.copy("content", from: "content", "text", "message")
      row.word("category", MessageCategory.self, else: .urge)
      row.flag("isCustom", else: true)
      row.number("priority", else: 0)
      row.number("timesShown", else: 0)
      row.date("lastShownAt")
      row.flag("isActive", else: true)
      row.date("createdAt", from: "createdAt", "timestamp")
      if row.record["createdAt"] == nil { row.set("createdAt", .text(JSONFormat.text(.now))) }
      row.changed()
    }
  } write: { writing in
    AppModel.recordings.write?(&writing)
    writing.each(Craving.declaration.kind, as: "cravings") {
      $0.rename("recordingId", to: "recording")
    }
    writing.each(Usage.declaration.kind, as: "usage")
    writing.each(Message.declaration.kind, as: "messages")
  }
}

extension LabelledWords where Value: LoggedEntry {
  /// The labels in the notes of cravings and usage.
  static var entry: Self {
    Self(
      in: \.notes, ["Trigger", .init("Location") { $0.location != nil }, "Coping strategy"],
      limit: Entry.longestNotes)
  }
}

extension AppRow {
  /// Reads what cravings and usage have in common.
  fileprivate mutating func readEntry() {
    list("triggers", Trigger.self, labelled: "Trigger", from: "triggers", "trigger")
    let coordinates = (value("location_latitude").number, value("location_longitude").number)
    let place =
      if let latitude = coordinates.0, let longitude = coordinates.1 {
        "\(latitude),\(longitude)" as String?
      } else {
        words(of: "location")?.nonBlank
      }
    if let location = place.flatMap({ try? Location($0) }) {
      set("location", .text(location.text))
    } else {
      note("Location", place)
    }
    note("Coping strategy", words(of: "managementStrategy", "copingStrategy"))
    notes()
    madeAndChanged(orElse: "timestamp")
  }
}
