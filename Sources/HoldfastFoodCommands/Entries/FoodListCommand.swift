import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct FoodList: RecordFilter {
  static let verb = RecordVerb.list("List what you ate, newest first.")

  @OptionGroup var days: DayOptions

  @Option(
    unconditional:
      "Only entries that are at least this sure; \(FoodQuery.sure) leaves out the doubtful ones.",
    valueName: "confidence")
  var minConfidence: Double?

  @Option(help: ArgumentHelp("Only entries that you spoke in this recording.", valueName: "id"))
  var recording: String?

  func validate() throws {
    if let minConfidence, !(0...1).contains(minConfidence) {
      throw ValidationError("--min-confidence \(minConfidence): give a number from 0 to 1.")
    }
  }

  func records(in library: Library, limit: Int, offset: Int) throws -> [FoodEntry] {
    let (first, last) = days.range
    return try library.food.entries(
      matching: FoodQuery(
        from: first, through: last, minimumConfidence: minConfidence,
        recording: library.recordingID(recording), limit: limit, offset: offset))
  }
}
