import Foundation
import Holdfast

extension AppModel {
  /// The app that keeps a faith journal. Its lists may be JSON in private columns.
  static let faith = AppModel(
    "faith",
    entities: [
      "journalentry", "prayerrequest", "moodentry", "bookmarkedverse", "bibleverseoftheday",
      "biblestudytopic", "readingplan", "journalprompt", "prayer", "versesoftheday", "studytopic",
      "devotional", "livesession", "livesessionparticipant", "chatmessage", "sessioninvitation",
      "subscription", "userprofile", "biblenote", "biblehighlight",
    ],
    marks: [
      ("devotionals", ["title", "scripture", "content"]), ("journalEntries", ["title", "content"]),
      ("prayerRequests", ["title", "isanswered"]),
      ("moodEntries", ["mood", "date"]), ("bookmarkedVerses", ["versereference"]),
      ("versesOfTheDay", ["reference", "translation", "date"]),
      ("bookmarkedVerses", ["reference", "translation"]),
      ("journalPrompts", ["prompt", "category"]), ("readingPlans", ["title", "dailyreadings"]),
      ("readingPlans", ["title", "plandescription"]), ("bibleStudyTopics", ["title", "verses"]),
      ("liveSessions", ["hostid", "starttime"]),
      ("liveSessionParticipants", ["sessionid", "joinedat"]),
      ("chatMessages", ["sessionid", "message"]),
      ("sessionInvitations", ["sessionid", "inviteeid"]),
      ("subscriptions", ["plantype", "startdate"]), ("userProfiles", ["name", "preferences"]),
    ],
    nested: [
      .init("journalEntries", in: "userprofile", of: "journalEntries"),
      .init("prayerRequests", in: "userprofile", of: "prayerRequests"),
      .init("moodEntries", in: "userprofile", of: "moodEntries"),
      .init(
        "participants", in: "livesession", of: "liveSessionParticipants",
        naming: ("sessionId", "id")),
      .init("messages", in: "livesession", of: "chatMessages", naming: ("sessionId", "id")),
      .init("chatMessages", in: "livesession", of: "chatMessages", naming: ("sessionId", "id")),
      .init(
        "invitations", in: "livesession", of: "sessionInvitations", naming: ("sessionId", "id")),
    ]
  ) { reading in
    let midnights = reading.midnights(of: [
      ("bibleverseoftheday", "date"), ("versesoftheday", "date"), ("devotional", "date"),
      ("readingplan", "startDate"), ("subscription", "startDate"),
    ])
    reading.each("journalentry", as: JournalEntry.declaration.kind) { row, reading in
      row.readEntry(&reading)
    }
    reading.each("prayerrequest", "prayer", as: PrayerRequest.declaration.kind) { row, _ in
      row.readPrayer()
    }
    reading.each("moodentry", as: MoodEntry.declaration.kind) { row, _ in row.readMood() }
    reading.each("bookmarkedverse", as: BookmarkedVerse.declaration.kind) { row, _ in
      row.readVerse()
    }
    var marked = Set(
      reading.records[BookmarkedVerse.declaration.kind, default: []].map(AppReading.verse))
    reading.each("bibleverseoftheday", "versesoftheday", as: BibleVerseOfTheDay.declaration.kind) {
      row, reading in
      row.day("date", in: midnights)
      if row.value("createdAt").isNull { row.set("createdAt", row.value("date").beginning) }
      row.readVerse()
      let isMarked = row.value("isBookmarked").flag == true
      guard isMarked, marked.insert(AppReading.verse(row.record)).inserted else { return }
      reading.addBookmark(of: row.record)
      row.remark("isBookmarked", "without a bookmark, read as bookmarked at the last change")
    }
    reading.each("biblestudytopic", "studytopic", as: BibleStudyTopic.declaration.kind) { row, _ in
      row.uuid("id")
      row.copy("title")
      row.text("description", from: "description", "topicDescription", "details")
      row.texts("verses", from: "verses", "keyVerses", "versesData")
      row.note("Notes", row.plainWords(of: "notesData"))
      row.notes(limit: FaithLimit.notes)
      row.made()
    }
    reading.readVerseNotes()
    reading.each("readingplan", as: ReadingPlan.declaration.kind) { row, _ in
      row.readPlan(midnights)
    }
    reading.each("journalprompt", as: JournalPrompt.declaration.kind) { row, reading in
      row.uuid("id")
      row.copy("prompt", from: "prompt", "text")
      row.text("category")
      row.date("usedDate")
      let isUsed = row.value("isUsed").flag == true
      let entry = row.value("entryId", "entry", "usedInEntry")
      if let id = reading.id(entry, in: "journalentry") {
        row.set("entryId", .text(id.uuidString))
      }
      row.made()
      if isUsed { row.setToLastChange("usedDate") }
    }
    reading.readOthers(midnights)
  } write: {
    $0.writeFaith()
  }
}

extension AppRow {
  /// Sets a text, which may be missing in the app.
  mutating func text(_ name: String, from names: String...) {
    let found = names.isEmpty ? value(name) : names.reduce(.null) { $0.isNull ? value($1) : $0 }
    set(name, found.isNull ? .text("") : found)
  }

  mutating func made() {
    madeAndChanged(orElse: "date")
    if record["createdAt"] == nil { set("createdAt", .text("2001-01-01T00:00:00.000Z")) }
  }

  /// Sets a moment that the app does not give to when the record was last changed, and not before
  /// another moment.
  mutating func setToLastChange(_ name: String, notBefore other: String? = nil) {
    guard record[name] == nil else { return }
    let changed = record["modifiedAt"] ?? record["createdAt"]
    let dates = [changed, other.flatMap { record[$0] }].compactMap { $0?.date }
    set(name, dates.max().map { .text(JSONFormat.text($0)) } ?? .null)
    assume(name)
    remark(name, "missing, read as the time of the last change")
  }

  /// Adds words that have no column of their own below an entry's text.
  private mutating func append(_ label: String, _ words: String?) {
    guard let words = words?.nonBlank, case .text(let content)? = record["content"] else { return }
    set("content", content, and: "\(label): \(words)", limit: FaithLimit.content)
  }

  /// Sets a text with words after it, which are cut to a limit.
  mutating func set(_ name: String, _ text: String, and words: String, limit: Int) {
    let whole = (text.isEmpty ? "" : text + "\n\n") + words
    if whole.count > limit, text.count < limit {
      remark(name, "cut to \(limit) characters")
    }
    record[name] = .text(
      whole.count <= limit ? whole : text.count < limit ? whole.prefix(limit - 1) + "…" : text)
  }

  fileprivate mutating func readEntry(_ reading: inout AppReading) {
    uuid("id")
    copy("title")
    text("content")
    moment("date", offset: "dateOffset", from: "date", "createdAt")
    tags("tags")
    trimmed("mood")
    if record["mood"] == .text("") { record["mood"] = nil }
    copy("location")
    flag("isPrivate", else: false)
    append("Transcript", words(of: "audioTranscript"))
    append("Activities", listedWords(of: "activities"))
    append("Triggers", listedWords(of: "triggers"))
    let photos = readPhotos()
    if let id = record["id"]?.uuid {
      let names = value("photoNames")
      for (reference, path) in photos {
        // An export of Holdfast names a photo's file by its ID, and gives its name beside it.
        let known = RelativePath(path).flatMap(\.photoID)
        let photoID = known ?? UUID(named: "photo", id.uuidString, path)
        let name = known.flatMap { names[$0.uuidString].text?.nonBlank } ?? reference
        reading.add(
          AppPhoto(
            id: photoID, path: path, record: id, list: "photoURLs", reference: reference
          ) { db, isReferring in
            try db.record(JournalEntry.self, id: id).map {
              !isReferring || $0.photoURLs.contains(reference)
            } ?? false
          } insert: { db, photo, now in
            let isTaken = try db.hasPhoto(named: name, of: id)
            try db.insert(
              photo, of: id, as: isTaken ? path : name, replacing: reference, now: now)
          } dropReference: { db in
            try db.drop(reference, of: id)
          })
      }
    }
    set("drawingData", value("drawingData").stored)
    uuid("recordingId")
    let audio = value("audioURL", "audioPath", "voiceNoteURL")
    let path = (audio.text ?? audio["relative"].text ?? audio.unpacked?["relative"].text)?.nonBlank
    if record["recordingId"] == nil, let path, let id = record["id"]?.uuid {
      var recording = AppRecording(id: id, path: path)
      // Lists show recordings, and no private entries.
      if record["isPrivate"]?.flag != true { recording.title = record["title"]?.text }
      recording.timestamp = record["date"]?.moment?.date
      recording.purpose = .reflection
      recording.isVoiceNote = true
      reading.add(recording)
      set("recordingId", .text(id.uuidString))
    }
    if path == nil { leaveOut("audioURL", audio) }
    made()
  }

  /// Keeps the photos' references as text. Of an absolute path, only the file's name means anything
  /// on another machine, or the path below the app's documents if photos have the same name.
  ///
  /// - Returns: The references, and the paths of the files in the app's documents.
  private mutating func readPhotos() -> [(reference: String, path: String)] {
    var photos: [AppValue] = []
    var files: [(reference: String, path: String)] = []
    let value = value("photoURLs", "photos", "photoURLsJSON")
    for photo in value.list ?? [value] where !photo.isEmpty {
      guard let path = photo.text ?? photo["relative"].text else {
        leaveOut("photoURLs", photo)
        continue
      }
      let relative = AppRecording.relativePath(path)
      var reference = path
      // A picture in the phone's own library, such as ph://…, has no file in the app.
      if relative != path, path.hasPrefix("file://") || !path.contains("://") {
        remark("photoURLs", "an absolute path, kept as the file's name")
        let name = path.split(separator: "/").last.map(String.init) ?? path
        reference = name.removingPercentEncoding ?? name
      }
      if photos.contains(.text(reference)), let relative { reference = relative }
      do throws(RuleError) { try PhotoReference.validate(reference) } catch {
        remark("photoURLs", "\(photo.shown), not kept")
        continue
      }
      photos.append(.text(reference))
      if let relative { files.append((reference, relative)) }
    }
    record["photoURLs"] = .list(photos)
    return files
  }

  fileprivate mutating func readPrayer() {
    uuid("id")
    copy("title")
    text("details", from: "details", "prayerDescription", "description")
    moment("date", offset: "dateOffset", from: "date", "createdAt")
    let answered = value("isAnswered").flag
    let isAnswered = answered == true
    if value("status").isNull, answered != nil {
      record["status"] = .text((isAnswered ? PrayerStatus.answered : .active).rawValue)
    } else {
      word("status", PrayerStatus.self, else: .active)
    }
    date("answerDate", from: "answerDate", "answeredDate", "answeredAt")
    if let answer = record["answerDate"]?.date, let date = record["date"]?.date,
      let offset = record["dateOffset"]?.integer,
      Day(of: answer, offset: offset) < Day(of: date, offset: offset)
    {
      // It was written down after it was answered.
      if assumed.contains("date") {
        record["date"] = record["answerDate"]
        record["dateOffset"] = .number(Double(answer.localOffset))
      } else {
        record["answerDate"] = record["date"]
        remark("answerDate", "before the prayer, read as its date")
      }
    }
    if value("status").isNull, answered == nil, record["answerDate"] == nil {
      assume("answerDate", "answerNotes")
    }
    set("answerNotes", words(of: "answerNotes").map { .text($0) } ?? .null)
    flag("isPrivate", else: false)
    tags("tags")
    uuid("recordingId")
    made()
    if record["status"] == .text(PrayerStatus.active.rawValue),
      isAnswered || record["answerDate"] != nil
    {
      record["status"] = .text(PrayerStatus.answered.rawValue)
      remark("status", "active, but with an answer; read as answered")
    }
    if isAnswered || record["status"] == .text(PrayerStatus.answered.rawValue),
      record["answerDate"] == nil
    {
      setToLastChange("answerDate", notBefore: "date")
    }
    if record["answerDate"] == nil,
      let notes = record.removeValue(forKey: "answerNotes")?.text?.nonBlank
    {
      set(
        "details", record["details"]?.text ?? "", and: "Answer: " + notes,
        limit: FaithLimit.details)
    }
  }

  fileprivate mutating func readMood() {
    uuid("id")
    trimmed("mood")
    moment("date", offset: "dateOffset", from: "date", "timestamp", "createdAt")
    for (label, name) in [
      ("Tags", "tags"), ("Activities", "activities"), ("Triggers", "triggers"),
    ] { note(label, listedWords(of: name)) }
    for (label, name) in [
      ("Location", "location"), ("Weather", "weather"), ("Intensity", "intensity"),
      ("Energy", "energyLevel"), ("Time of day", "timeOfDay"), ("Kind", "moodCategory"),
      ("Emoji", "emoji"),
    ] { note(label, words(of: name)) }
    notes(limit: FaithLimit.notes)
    uuid("recordingId")
    made()
  }

  fileprivate mutating func readVerse() {
    uuid("id")
    trimmed("reference", from: "verseReference", "reference")
    copy("text", from: "verseText", "text")
    text("translation")
    notes(limit: FaithLimit.notes)
    made()
  }
}

extension AppReading {
  /// Reads what a person wrote about a verse, which becomes an entry, or marked in it, which
  /// becomes a bookmark. A verse has one bookmark.
  fileprivate mutating func readVerseNotes() {
    var marked = Set(records[BookmarkedVerse.declaration.kind, default: []].map(Self.verse))
    for fields in rows["biblenote"] + rows["biblehighlight"] { readVerseNote(fields, &marked) }
  }

  private mutating func readVerseNote(_ fields: AppRows.Fields, _ marked: inout Set<[String?]>) {
    let names = ["note", "noteText", "content", "notes", "text"]
    let words = names.compactMap { fields.values[$0.lowercased()]?.value.plainWords }
      .joined(separator: "\n")
    guard words.isEmpty else {
      return each([fields], as: JournalEntry.declaration.kind) { row, _ in
        for name in names { row.skip(name) }
        row.uuid("id")
        let title = row.value("verseReference", "reference", "title").text?.nonBlank
        row.set("title", .text(title ?? "Note"))
        let verse = row.value("verseText").text?.nonBlank.map { "“\($0)”" }
        row.set("content", .text([verse, words].compactMap(\.self).joined(separator: "\n\n")))
        row.moment("date", offset: "dateOffset", from: "date", "createdAt")
        row.texts("tags")
        row.flag("isPrivate", else: false)
        row.made()
      }
    }
    each([fields], as: BookmarkedVerse.declaration.kind) { row, _ in
      row.uuid("id")
      row.copy("reference", from: "verseReference", "reference")
      row.copy("text", from: "verseText")
      row.text("translation")
      row.made()
      guard !marked.insert(Self.verse(row.record)).inserted else { return }
      row.record = [:]
      row.remark("verseReference", "bookmarked already, left out")
    }
  }

  /// Adds a bookmark of a day's verse, unless the library has one.
  fileprivate mutating func addBookmark(of verse: [String: AppValue]) {
    let reference = verse["reference"]?.text ?? ""
    let translation = verse["translation"]?.text ?? ""
    var bookmark = verse.filter { ["reference", "text", "translation"].contains($0.key) }
    let id = UUID(named: "bookmark", reference.foldedCase, translation.foldedCase)
    bookmark["id"] = .text(id.uuidString)
    bookmark["createdAt"] = verse["modifiedAt"] ?? verse["createdAt"]
    add(bookmark, as: BookmarkedVerse.declaration.kind) { db in
      try db.bookmark(of: reference, translation) != nil
    }
  }

  fileprivate static func verse(_ record: [String: AppValue]) -> [String?] {
    [record["reference"], record["translation"]].map { ($0?.text ?? "").foldedCase }
  }
}
