/// What a person changes of a recording; what is `nil` stays as it is.
public struct RecordingChanges: Hashable, Sendable {
  /// The new title; a blank one takes the title away.
  public var title: String?
  /// The new notes; blank ones take the notes away.
  public var notes: String?
  /// The new purpose.
  public var purpose: RecordingPurpose?

  /// Makes changes.
  public init(title: String? = nil, notes: String? = nil, purpose: RecordingPurpose? = nil) {
    self.title = title
    self.notes = notes
    self.purpose = purpose
  }

  /// Refuses a title or notes that the catalog would not take.
  ///
  /// - Throws: ``RuleError`` with the figure.
  public func validate() throws(RuleError) {
    try title?.validate("the title has", limit: Recording.longestTitle)
    try notes?.validate("the notes have", limit: Recording.longestNotes)
  }
}
