import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: the commands on sessions, subscriptions and the profile", .temporaryFolder)
struct FaithSessionCommandTests {
  @Test("8: Of two processes that join the last place at once, one succeeds")
  func race() async throws {
    let library = try await LibraryFolder.withFaith()
    let session = try await library.faith(
      "session", "add", "--title", "Vespers", "--host", "ruth", "--room", "2")
    async let one = library.holdfast("faith", "session", "join", session.id, "naomi")
    async let other = library.holdfast("faith", "session", "join", session.id, "boaz")
    let results = try await [one, other]
    #expect(results.map(\.status).sorted() == [0, 1])
    let refused = try #require(results.first { $0.status == 1 })
    #expect(refused.errorOutput.contains("the session is full: 2 take part"))
    #expect(try await library.column("SELECT count(*) FROM sessionParticipant") == ["2"])
  }

  @Test("9: A session is shown with its people, messages and invitations")
  func show() async throws {
    let library = try await LibraryFolder.withFaith()
    let session = try await library.faith(
      "session", "add", "--title", "Vespers", "--host", "ruth", "--start", "2025-11-03T19:00Z",
      "--room", "3")
    let invitation = try await library.faith("session", "invite", session.id, "naomi")
    #expect(try await library.faith("session", "accept", invitation.id).status == "Accepted")
    try await library.expectFaithRefusal(
      ["session", "decline", invitation.id], status: 1, saying: "answered already: it is Accepted")
    let said = try await library.holdfast(
      "faith", "session", "say", session.id, "gooseberry", "--user", "naomi", "--at",
      "2025-11-03T18:00Z")
    #expect(said.errorOutput.contains("is not within the session"), "\(said.errorOutput)")
    let shown = try await library.holdfast("faith", "session", "show", session.id)
    for words in [
      "people      2 of 3", "Host  ruth", "Participant  naomi", "naomi: gooseberry",
      "Accepted  naomi, by ruth",
    ] { #expect(shown.output.contains(words), "\(shown.output)") }
    let json = try await library.holdfast("faith", "session", "show", session.id, "--json")
    for field in [#""currentParticipants":2"#, #""isActive":true"#, #""messages":[{"#] {
      #expect(json.output.contains(field), "\(json.output)")
    }
    let message = try #require(try await library.column("SELECT id FROM chatMessage").first)
    _ = try await library.holdfast("faith", "session", "remove", message, "--yes")
    try await library.expectNoTrace(of: "gooseberry")
    let host = try #require(
      try await library.column("SELECT id FROM sessionParticipant WHERE role = 'Host'").first)
    try await library.expectFaithRefusal(
      ["session", "remove", host, "--yes"], status: 1, saying: "a session keeps its host")
    _ = try await library.faith("session", "end", session.id)
    try await library.expectFaithRefusal(
      ["session", "join", session.id, "obed"], status: 1, saying: "the session is over since")
    try await library.expectSound()
  }

  @Test("10: Subscriptions and the profile are kept, and the e-mail address is in no list")
  func profile() async throws {
    let library = try await LibraryFolder.withFaith()
    try await library.expectFaithRefusal(
      ["subscription", "add", "ruth", "--plan", "gold"], status: 64,
      saying: "There are Free, Premium, Lifetime")
    try await library.expectFaithRefusal(
      ["subscription", "add", "ruth", "--plan", "premium"], status: 64,
      saying: "Premium has a last day")
    let subscription = try await library.faith("subscription", "add", "ruth")
    try await library.expectFaithRefusal(
      ["subscription", "add", "ruth", "--plan", "lifetime"], status: 1,
      saying: "ruth has another subscription then, Free")
    let changed = try await library.holdfast(
      "faith", "subscription", "edit", subscription.id, "--plan", "lifetime", "--json")
    #expect(changed.output.contains(#""planType":"Lifetime""#), "\(changed.output)")
    let list = try await library.holdfast("faith", "subscription", "list", "--json")
    #expect(list.output.contains(#""isActive":true"#), "\(list.output)")
    let none = try await library.holdfast("faith", "profile", "show")
    #expect(none.errorOutput == "No profile is set; holdfast faith profile set makes one.\n")
    _ = try await library.holdfast(
      "faith", "profile", "set", "--name", "Ruth", "--email", "ruth@example.org", "--preference",
      "theme=a=b", "--preference", "size=1")
    _ = try await library.holdfast("faith", "profile", "set", "--preference", "size=")
    let shown = try await library.holdfast("faith", "profile", "show")
    #expect(shown.lines.contains("preferences theme=a=b") && !shown.output.contains("size"))
    #expect(shown.lines.contains("e-mail      ruth@example.org"), "\(shown.output)")
    let deleted = try await library.holdfast("faith", "profile", "delete", "--yes")
    #expect(!deleted.output.contains("@") && deleted.status == 0)
    try await library.expectNoTrace(of: "ruth@example")
    try await library.expectSound()
  }
}
