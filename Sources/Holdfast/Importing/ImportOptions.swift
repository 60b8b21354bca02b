public import HoldfastModel

/// Options for an import.
public struct ImportOptions: Sendable {
  /// The purpose of the recordings.
  public var purpose: RecordingPurpose
  /// The title of the recordings.
  public var title: String?
  /// The notes of the recordings.
  public var notes: String?
  /// The options for the conversion.
  public var conversion: ConversionOptions
  /// Whether each new recording is decoded in full, to find damage.
  public var verifiesDecode: Bool
  /// Whether a source is removed once all of it is in the library.
  public var movesSources: Bool
  /// Whether a source that is in the library already is imported again.
  public var allowsDuplicates: Bool
  /// Whether the movies of Live Photos are imported even if their photos are beside them.
  public var includesLivePhotos: Bool
  /// Whether the library remembers each source, and skips those that it remembers until they
  /// change.
  public var remembersSources: Bool
  /// The share whose sources are imported; `nil` for all.
  public var share: ImportShare?
  /// Whether sources are only examined, and nothing is written.
  public var isDryRun: Bool
  /// The number of sources that the engine works on at a time, within ``JobCount/range``. With one
  /// job, sources are imported one after the other. With several, one further source is begun
  /// meanwhile.
  public var jobs: Int { didSet { jobs = JobCount.clamped(jobs) } }

  /// Makes options.
  public init(
    purpose: RecordingPurpose = .motivational, title: String? = nil, notes: String? = nil,
    conversion: ConversionOptions = ConversionOptions(), verifiesDecode: Bool = false,
    movesSources: Bool = false, allowsDuplicates: Bool = false, includesLivePhotos: Bool = false,
    remembersSources: Bool = false, share: ImportShare? = nil, isDryRun: Bool = false,
    jobs: Int? = nil
  ) {
    self.purpose = purpose
    self.title = title?.nonBlank
    self.notes = notes?.nonBlank
    self.conversion = conversion
    self.verifiesDecode = verifiesDecode
    self.movesSources = movesSources
    self.allowsDuplicates = allowsDuplicates
    self.includesLivePhotos = includesLivePhotos
    self.remembersSources = remembersSources
    self.share = share
    self.isDryRun = isDryRun
    self.jobs = JobCount.clamped(jobs ?? JobCount.usual)
  }

  /// Refuses a title or notes that the catalog would refuse, before any work is done.
  func validate() throws {
    try HoldfastError.checkingRules { try Recording.validate(title: title, notes: notes) }
  }
}
