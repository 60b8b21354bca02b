import Foundation
import Holdfast

extension AppReading {
  /// Reads the models that have the same values in the app.
  ///
  /// - Parameter midnights: The midnights by which the app names days.
  mutating func readOthers(_ midnights: AppMidnights) {
    each("devotional", as: Devotional.declaration.kind) { row, _ in
      row.readPlain(words: "title", "scripture", "content", "author", "category")
      row.day("date", in: midnights)
      row.date("completedAt")
      row.uuid("recordingId")
      row.makeAt("date")
      if row.value("isCompleted").flag == true { row.setToLastChange("completedAt") }
    }
    each("livesession", as: LiveSession.declaration.kind) { row, _ in
      row.readPlain(words: "title", "details", "hostId", "category")
      row.moment("startTime", offset: "startTimeOffset")
      row.date("endTime")
      row.number("maxParticipants", else: 10)
      row.texts("tags")
      row.flag("isPrivate", else: false)
      row.uuid("recordingId")
      row.skip("currentParticipants")
      row.makeAt("startTime")
      let hasBegun = row.record["startTime"]?.date.map { $0 <= Date() } == true
      if row.value("isActive").flag == false, hasBegun {
        row.setToLastChange("endTime", notBefore: "startTime")
      }
    }
    each("livesessionparticipant", as: LiveSessionParticipant.declaration.kind) { row, _ in
      row.readPlain(words: "userId")
      row.uuid("sessionId")
      row.date("joinedAt")
      row.word("role", ParticipantRole.self, else: .participant)
      row.makeAt("joinedAt")
    }
    each("chatmessage", as: ChatMessage.declaration.kind) { row, _ in
      row.readPlain(words: "userId", "userName", "message")
      row.uuid("sessionId")
      row.moment("timestamp", offset: "timestampOffset")
      row.makeAt("timestamp")
    }
    each("sessioninvitation", as: SessionInvitation.declaration.kind) { row, _ in
      row.readPlain(words: "inviterId", "inviteeId")
      row.uuid("sessionId")
      row.word("status", InvitationStatus.self, else: .pending)
    }
    each("subscription", as: Subscription.declaration.kind) { row, _ in
      row.readPlain(words: "userId")
      row.word("planType", SubscriptionPlan.self, else: .free)
      row.day("startDate", in: midnights)
      row.day("endDate", in: midnights)
      row.flag("autoRenew", else: false)
      row.skip("isActive")
      row.makeAt("startDate")
    }
    each("userprofile", as: UserProfile.declaration.kind) { row, _ in
      row.readPlain(words: "name")
      row.copy("email")
      row.readImage()
      let preferences = row.value("preferences")
      row.set("preferences", preferences.unpacked ?? preferences)
      if preferences.isNull { row.set("preferences", .list([])) }
    }
  }
}

extension AppRow {
  /// Reads the ID, texts that may be missing in the app, and the dates.
  fileprivate mutating func readPlain(words: String...) {
    uuid("id")
    for name in words {
      copy(name)
      if record[name] == nil { set(name, .text("")) }
    }
    date("createdAt")
    changed()
    if record["createdAt"] == nil { set("createdAt", .text("2001-01-01T00:00:00.000Z")) }
  }

  /// Sets when a record was made, if the app does not say, to when it happened.
  fileprivate mutating func makeAt(_ moment: String) {
    let beginning = value(moment).beginning
    if record["createdAt"] == .text("2001-01-01T00:00:00.000Z"), !beginning.isNull {
      record["createdAt"] = beginning
    }
  }

  /// Keeps the reference to a picture as text. Of an absolute path, only the file's name means
  /// anything on another machine.
  fileprivate mutating func readImage() {
    let image = value("profileImageURL")
    guard let path = image.text ?? image["relative"].text else {
      return leaveOut("profileImageURL", image)
    }
    var reference = path
    if path.hasPrefix("file://") || path.hasPrefix("/") {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      reference = name.removingPercentEncoding ?? name
      remark("profileImageURL", "an absolute path, kept as the file's name")
    }
    do throws(RuleError) {
      try PhotoReference.validate(reference)
      set("profileImageURL", .text(reference))
    } catch {
      remark("profileImageURL", "\(image.shown), not kept")
    }
  }
}

extension AppWriting {
  /// Writes the models of the app that keeps a faith journal.
  mutating func writeFaith() {
    let paths = Dictionary(
      self[.recordings].compactMap { record in
        record["id"]?.text.map { ($0, record["filePath"] ?? .null) }
      }, uniquingKeysWith: { $1 })
    let photos = Dictionary(grouping: self[EntryPhoto.declaration.kind]) { $0["entryId"]?.text }
      .mapValues { photos in
        photos.sorted { ($0["position"]?.integer ?? 0) < ($1["position"]?.integer ?? 0) }
          .compactMap { photo in photo["id"]?.uuid.map { ($0, photo["name"] ?? .null) } }
      }
    each(JournalEntry.declaration.kind, as: "journalEntries") { entry in
      if let own = photos[entry["id"].text] {
        let paths = own.map { AppValue.text(RelativePath.photo(id: $0.0).string) }
        entry["photoURLs"] = .list((entry["photoURLs"].list ?? []) + paths)
        entry["photoNames"] = .object(
          Dictionary(own.map { ($0.0.uuidString, $0.1) }, uniquingKeysWith: { $1 }))
      }
      entry["audioURL"] = entry["recordingId"].text.flatMap { paths[$0] } ?? .null
      entry.setUpdated()
    }
    each(PrayerRequest.declaration.kind, as: "prayerRequests") { prayer in
      prayer["isAnswered"] = .flag(!prayer["answerDate"].isNull)
      prayer.setUpdated()
    }
    each(MoodEntry.declaration.kind, as: "moodEntries")
    each(JournalPrompt.declaration.kind, as: "journalPrompts") { prompt in
      prompt["isUsed"] = .flag(!prompt["usedDate"].isNull)
    }
    let verse = { (element: [String: AppValue]) in
      [element["reference"], element["translation"]].map { $0?.text?.foldedCase }
    }
    let bookmarks = Set(self[BookmarkedVerse.declaration.kind].map(verse))
    each(BibleVerseOfTheDay.declaration.kind, as: "versesOfTheDay") { element in
      element["isBookmarked"] = .flag(bookmarks.contains(verse(element.values)))
      element.setMoment(ofDay: "date")
    }
    each(BookmarkedVerse.declaration.kind, as: "bookmarkedVerses")
    each(Devotional.declaration.kind, as: "devotionals") { devotional in
      devotional["isCompleted"] = .flag(!devotional["completedAt"].isNull)
      devotional.setMoment(ofDay: "date")
    }
    each(BibleStudyTopic.declaration.kind, as: "bibleStudyTopics")
    each(ReadingPlan.declaration.kind, as: "readingPlans") { $0.setReadings() }
    writeSessions()
    each(Subscription.declaration.kind, as: "subscriptions") { subscription in
      let (first, last) = (subscription["startDate"].day, subscription["endDate"].day)
      let today = Day()
      subscription["isActive"] = .flag(
        (first.map { $0 <= today } ?? false) && (last.map { today <= $0 } ?? true))
      subscription.setMoment(ofDay: "startDate")
      subscription.setMoment(ofDay: "endDate")
    }
    each(UserProfile.declaration.kind, as: "userProfiles") { profile in
      let pairs = (profile["preferences"].list ?? []).compactMap { preference in
        preference["key"].text.map { ($0, preference["value"]) }
      }
      profile["preferences"] = .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
      profile.setUpdated()
    }
  }

  private mutating func writeSessions() {
    let now = Date()
    let rooms = Dictionary(
      grouping: self[LiveSessionParticipant.declaration.kind], by: { $0["sessionId"] ?? .null })
    each(LiveSession.declaration.kind, as: "liveSessions") { session in
      session["currentParticipants"] = .number(Double(rooms[session["id"]]?.count ?? 0))
      let (start, end) = (session["startTime"].date, session["endTime"].date)
      session["isActive"] = .flag(
        (start.map { $0 <= now } ?? false) && (end.map { $0 > now } ?? true))
    }
    each(LiveSessionParticipant.declaration.kind, as: "liveSessionParticipants")
    each(ChatMessage.declaration.kind, as: "chatMessages")
    each(SessionInvitation.declaration.kind, as: "sessionInvitations")
  }
}

extension AppElement {
  /// Gives a plan the app's two forms of its readings: the texts, and which of them are done.
  fileprivate mutating func setReadings() {
    let readings = self["dailyReadings"]
    let texts = (readings.list ?? []).map { $0["reading"] }
    self["readings"] = readings
    self["dailyReadings"] = .list(texts)
    // The app has one flag for two equal readings.
    let flags = (readings.list ?? []).compactMap { reading in
      reading["reading"].text.map { ($0, !reading["doneAt"].isNull) }
    }
    self["progress"] = .object(
      Dictionary(flags, uniquingKeysWith: { $0 && $1 }).mapValues { .flag($0) })
    setMoment(ofDay: "startDate")
    setMoment(ofDay: "endDate")
  }
}
