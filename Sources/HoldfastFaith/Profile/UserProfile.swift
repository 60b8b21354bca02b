public import Foundation
public import Holdfast

/// The person whose library it is. A library has at most one.
public struct UserProfile: JournalRecord {
  /// A preference. Its name may be any text.
  public struct Preference: Codable, Hashable, Sendable {
    /// Its name.
    public var key: String
    /// Its value.
    public var value: String
  }

  /// The profile's identity.
  public let id: UUID
  /// The name.
  public var name: String
  /// The e-mail address, as it was given. Lists never show it.
  public var email: String?
  /// A relative reference to a picture, which is kept as text and never opened.
  public var profileImageURL: String?
  /// The preferences, in the order of their names' bytes.
  public private(set) var preferences: [Preference]
  /// When it was made.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, name, email, profileImageURL, preferences, createdAt, modifiedAt
  }

  /// Makes a profile.
  public init(
    name: String, email: String? = nil, profileImageURL: String? = nil,
    preferences: [String: String] = [:], createdAt: Date
  ) {
    id = UUID()
    self.name = name
    self.email = email?.nonBlank
    self.profileImageURL = profileImageURL?.nonBlank
    self.preferences = Self.sorted(preferences.map { Preference(key: $0.key, value: $0.value) })
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Reads a profile. The preferences may be a map, too, as another program writes them.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UUID.self, forKey: .id)
    name = try values.decode(String.self, forKey: .name)
    email = try values.decodeIfPresent(String.self, forKey: .email)
    profileImageURL = try values.decodeIfPresent(String.self, forKey: .profileImageURL)
    createdAt = try values.decode(Date.self, forKey: .createdAt).roundedToMillisecond
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)?.roundedToMillisecond
    let map = try? values.decode([String: String].self, forKey: .preferences)
    preferences = Self.sorted(
      try map?.map { Preference(key: $0.key, value: $0.value) }
        ?? values.decode([Preference].self, forKey: .preferences))
  }

  /// The value of a preference; `nil` removes it.
  public subscript(preference key: String) -> String? {
    get { preferences.first { $0.key == key }?.value }
    set {
      preferences.removeAll { $0.key == key }
      if let newValue { preferences.append(Preference(key: key, value: newValue)) }
      preferences = Self.sorted(preferences)
    }
  }

  private static func sorted(_ preferences: [Preference]) -> [Preference] {
    preferences.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try name.validateName("the name", limit: FaithLimit.title)
    if let email {
      try email.validate("the e-mail address has", limit: FaithLimit.email)
      let parts = email.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
        throw RuleError("the e-mail address has one @, with something on both sides")
      }
    }
    if let profileImageURL { try PhotoReference.validate(profileImageURL) }
    var keys: Set<String> = []
    for preference in preferences {
      try preference.key.validateName("a preference's name", limit: FaithLimit.preferenceKey)
      try preference.value.validate(
        "a preference's value has", limit: FaithLimit.preferenceValue)
      guard keys.insert(preference.key).inserted else {
        throw RuleError(
          "the preference \"\(preference.key.escapedForDisplay)\" is there twice; give it once")
      }
    }
  }

  /// How the registry treats profiles.
  public static let declaration = RecordDeclaration<UserProfile>(
    RecordKind("profiles", singular: "profile"), table: "profile",
    columns: ["profileImageURL": "image"],
    children: [
      ChildTable(
        "profilePreference", owner: "profileId", list: "preferences",
        of: .object(["key", "value"]), position: nil)
    ],
    csv: .withDates([
      .init("name", \.name), .init("email", \.email), .init("profileImageURL", \.profileImageURL),
      .init("preferences") { .texts($0.preferences.map { "\($0.key)=\($0.value)" }) },
    ]))
}

extension FaithJournal {
  /// Returns the profile; `nil` if there is none.
  public func profile() throws -> UserProfile? {
    try library.records(UserProfile.self, clause: "ORDER BY id LIMIT 1").first
  }

  /// Makes the profile, or changes it. A new profile has an empty name, which must be set.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and any error of `change`.
  @discardableResult
  public func setProfile(
    now: Date = Date(), _ change: (inout UserProfile) throws -> Void
  ) throws -> UserProfile {
    try library.write { db in
      let all = try db.records(UserProfile.self, clause: "ORDER BY id LIMIT 1", arguments: [])
      if let before = all.first {
        return try db.edit(UserProfile.self, id: before.id, now: now, change)
      }
      var profile = UserProfile(name: "", createdAt: now)
      try change(&profile)
      try db.add(profile, now: now)
      return profile
    }
  }

  /// Deletes the profile with its preferences. Entries, prayers and moods stay.
  public func deleteProfile() throws {
    guard let profile = try self.profile() else {
      throw HoldfastError(.noSuchRecord, "no profile is set", record: UserProfile.declaration.kind)
    }
    try library.delete(UserProfile.self, id: profile.id)
  }
}
