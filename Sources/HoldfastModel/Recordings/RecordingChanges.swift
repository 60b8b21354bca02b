/// What a person changes about a recording. A value that is `nil` stays as it is.
public struct RecordingChanges: Hashable, Sendable {
  /// The new title. A blank one removes the title.
  public var title: String?
  /// The new notes. Blank ones remove the notes.
  public var notes: String?
  /// The new purpose.
  public var purpose: RecordingPurpose?

  /// Makes changes.
  public init(title: String? = nil, notes: String? = nil, purpose: RecordingPurpose? = nil) {
    self.title = title
    self.notes = notes
    self.purpose = purpose
  }

  /// Refuses a title or notes that the catalog does not allow.
  ///
  /// - Throws: ``RuleError`` with the length and the limit.
  public func validate() throws(RuleError) {
    try title?.validate("the title has", limit: Recording.longestTitle)
    try notes?.validate("the notes have", limit: Recording.longestNotes)
  }
}
