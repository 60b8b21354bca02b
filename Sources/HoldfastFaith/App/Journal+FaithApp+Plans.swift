import Foundation
import Holdfast

extension AppRow {
  mutating func readPlan(_ midnights: AppMidnights) {
    uuid("id")
    copy("title")
    text("description", from: "planDescription", "description")
    let (first, last) = (value("startDate"), value("endDate"))
    let duration = value("duration").integer
    if let notes = plainWords(of: "notesData") {
      set(
        "description", record["description"]?.text ?? "", and: "Notes: " + notes,
        limit: FaithLimit.details)
    }
    if value("createdAt").isNull { set("createdAt", first.beginning) }
    made()
    // Holdfast writes these beside the app's own form, which says no times.
    let own = value("readings").list ?? []
    let isOwn =
      !own.isEmpty
      && own.allSatisfy {
        $0["reading"].text != nil
          && $0.object.map { Set($0.keys).isSubset(of: ["reading", "doneAt"]) } == true
      }
    if isOwn { skip("progress", "dailyReadings") }
    let readings = readReadings()
    let start = midnights.day(first) ?? record["createdAt"]?.day
    if first.isNull { assume("startDate") }
    if last.isNull { assume("endDate") }
    set("startDate", start.map { .text($0.description) } ?? first)
    let days = min(max(duration ?? readings.count, readings.count, 1), 10_000)
    let end = midnights.day(last) ?? start?.adding(days: days - 1)
    set("endDate", end.map { .text($0.description) } ?? last)
    record["dailyReadings"] = .list(readings)
    if !isOwn, let start { readProgress(since: start) }
  }

  /// Reads the readings: a list of texts or objects, an object by positions or days, or a text with
  /// one on each line.
  private mutating func readReadings() -> [AppValue] {
    var readings: [AppValue] = []
    for name in ["readings", "dailyReadings", "readingsJSON", "dailyReadingsJSON", "readingsData"]
    where readings.isEmpty {
      let value = value(name)
      let content = value.unpackedData ?? value
      guard let items = Self.items(of: content, isData: name.hasSuffix("Data")) else {
        leaveOut(name, content)
        continue
      }
      readings = items.compactMap { reading($0, of: name) }
    }
    return readings
  }

  private static func items(of value: AppValue, isData: Bool) -> [AppValue]? {
    if let list = value.list { return list }
    if let days = value.object, days.keys.allSatisfy({ Int($0) != nil || (try? Day($0)) != nil }) {
      return days.sorted { (Int($0.key) ?? 0, $0.key) < (Int($1.key) ?? 0, $1.key) }.map(\.value)
    }
    guard !isData, let text = value.text, !text.hasPrefix("["), !text.hasPrefix("{") else {
      return nil
    }
    return text.split(whereSeparator: \.isNewline).map { .text(String($0)) }
  }

  /// Returns a reading as the record has it. The parts of an object are joined.
  private mutating func reading(_ value: AppValue, of name: String) -> AppValue? {
    let words = ["title", "reading", "reference", "passage", "passages", "references", "scripture"]
    let chapters = ["chapter", "startChapter", "endChapter"]
    let states = ["doneAt", "completedDate", "completedAt", "isCompleted", "isComplete"]
    var parts = ([value] + words.map { value[$0] }).compactMap(Self.passages)
    if let book = value["book"].text?.nonBlank {
      let numbers = chapters.compactMap { value[$0].text }.joined(separator: "–")
      parts.append(numbers.isEmpty ? book : "\(book) \(numbers)")
    }
    guard !parts.isEmpty else {
      leaveOut(name, value)
      return nil
    }
    let known = words + chapters + states + ["id", "day", "dayNumber", "book"]
    for (key, item) in (value.object ?? [:]).sorted(by: { $0.key < $1.key })
    where !known.contains(key) {
      leaveOut("\(name).\(key.cut(to: 40))", item)
    }
    var reading = parts.joined(separator: ": ")
    if reading.count > FaithLimit.title, value.text == nil {
      reading = reading.prefix(FaithLimit.title - 1) + "…"
      remark(name, "cut to \(FaithLimit.title) characters")
    }
    var values: [String: AppValue] = ["reading": .text(reading)]
    let done = states.map { value[$0] }
    if let moment = done.compactMap({ $0.flag == nil ? $0.moment : nil }).first {
      values["doneAt"] = .text(JSONFormat.text(moment.date))
    } else if done.contains(where: { $0.flag == true }) {
      values["doneAt"] = doneAtLastChange()
    }
    return .object(values)
  }

  /// Returns the text of a passage, or of several.
  private static func passages(_ value: AppValue) -> String? {
    if let text = value.text { return text.nonBlank }
    guard case .list(let list) = value else { return nil }
    return list.compactMap { $0.text ?? $0["reference"].text }.joined(separator: "; ").nonBlank
  }

  private mutating func doneAtLastChange() -> AppValue? {
    remark("progress", "without times, read as done at the last change")
    return record["modifiedAt"] ?? record["createdAt"]
  }

  /// Marks the readings that are done. A key of the app's map is the text of a reading, its
  /// position or its day.
  private mutating func readProgress(since start: Day) {
    guard var readings = record["dailyReadings"]?.list else { return }
    let progress = value("progress", "progressJSON", "progressData")
    guard let done = (progress.unpackedData ?? progress).object else {
      return leaveOut("progress", progress)
    }
    for (key, state) in done.sorted(by: { $0.key < $1.key }) where state.flag != false {
      let day = try? Day(key)
      let position =
        readings.firstIndex { $0["reading"].text == key } ?? Int(key)
        ?? day.flatMap { day in readings.indices.first { start.adding(days: $0) == day } }
      guard let position, readings.indices.contains(position) else {
        remark("progress", "\(AppValue.text(key).shown) names no reading, left out")
        continue
      }
      guard var reading = readings[position].object, reading["doneAt"] == nil else { continue }
      let moment = state.flag == nil ? state.beginning : .null
      reading["doneAt"] = moment.isNull ? doneAtLastChange() : moment
      readings[position] = .object(reading)
    }
    record["dailyReadings"] = .list(readings)
  }
}
