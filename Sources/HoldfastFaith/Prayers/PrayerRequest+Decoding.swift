internal import Foundation
internal import Holdfast

extension PrayerRequest {
  /// What another program has beside the status.
  private enum OtherKeys: String, CodingKey { case isAnswered, updatedAt }

  /// Reads a prayer.
  ///
  /// Another program's prayer may be answered without a date. It then has the date of its last change,
  /// and the import says so.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UUID.self, forKey: .id)
    title = try values.decode(String.self, forKey: .title)
    details = try values.decode(String.self, forKey: .details)
    date = try values.decode(Date.self, forKey: .date).roundedToMillisecond
    dateOffset = try values.decode(Int.self, forKey: .dateOffset)
    status = try values.decode(PrayerStatus.self, forKey: .status)
    answerDate = try values.decodeIfPresent(Date.self, forKey: .answerDate)?.roundedToMillisecond
    answerNotes = try values.decodeIfPresent(String.self, forKey: .answerNotes)
    isPrivate = try values.decode(Bool.self, forKey: .isPrivate)
    tags = try values.decode([String].self, forKey: .tags)
    recordingID = try values.decodeIfPresent(RecordingID.self, forKey: .recordingID)
    createdAt = try values.decode(Date.self, forKey: .createdAt).roundedToMillisecond
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)?.roundedToMillisecond
    let others = try decoder.container(keyedBy: OtherKeys.self)
    guard answerDate == nil, try others.decodeIfPresent(Bool.self, forKey: .isAnswered) == true
    else { return }
    let changed = try others.decodeIfPresent(Date.self, forKey: .updatedAt)?.roundedToMillisecond
    let moment = changed ?? modifiedAt ?? createdAt
    answerDate = moment
    if status == .active { status = .answered }
    remark.text =
      "it is answered without a date; it has that of its last change, "
      + moment.localText(offset: dateOffset)
  }

  /// What an import should say about the date of the answer.
  public var importRemark: String? { remark.text }
}
