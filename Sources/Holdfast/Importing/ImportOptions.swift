public import HoldfastModel

/// How sources are imported.
public struct ImportOptions: Sendable {
  /// Why the recordings are kept.
  public var purpose: RecordingPurpose
  /// What they are called.
  public var title: String?
  /// What is written about them.
  public var notes: String?
  /// What is made of them.
  public var conversion: ConversionOptions
  /// Whether everything that was made is decoded once, and damage is said.
  public var verifiesDecode: Bool
  /// Whether a source is removed when all of it is in the library.
  public var movesSources: Bool
  /// Whether a source that is in the library already is taken again.
  public var allowsDuplicates: Bool
  /// Whether the movies of Live Photos are taken although their photos lie beside them.
  public var includesLivePhotos: Bool
  /// Whether sources are only examined, and nothing is written.
  public var isDryRun: Bool
  /// How many sources the engine works on at a time, within ``JobCount/range``. One job takes one
  /// source after the other; where there are several, the next source is begun meanwhile.
  public var jobs: Int { didSet { jobs = JobCount.clamped(jobs) } }

  /// Makes options.
  public init(
    purpose: RecordingPurpose = .motivational, title: String? = nil, notes: String? = nil,
    conversion: ConversionOptions = ConversionOptions(), verifiesDecode: Bool = false,
    movesSources: Bool = false, allowsDuplicates: Bool = false, includesLivePhotos: Bool = false,
    isDryRun: Bool = false, jobs: Int? = nil
  ) {
    self.purpose = purpose
    self.title = title?.nonBlank
    self.notes = notes?.nonBlank
    self.conversion = conversion
    self.verifiesDecode = verifiesDecode
    self.movesSources = movesSources
    self.allowsDuplicates = allowsDuplicates
    self.includesLivePhotos = includesLivePhotos
    self.isDryRun = isDryRun
    self.jobs = JobCount.clamped(jobs ?? JobCount.usual)
  }

  /// Refuses a title or notes that the catalog would not take, before any work is done.
  func validate() throws(RuleError) {
    try RecordingChanges(title: title, notes: notes).validate()
  }
}
