public import ArgumentParser
public import Holdfast

extension JobCount {
  static func validate(_ jobs: Int?) throws {
    guard let jobs, !range.contains(jobs) else { return }
    throw ValidationError(
      "--jobs \(jobs) is out of range: it goes from \(range.lowerBound) to \(range.upperBound).")
  }
}

extension RecordingType: ExpressibleByArgument {}
extension RecordingPurpose: ExpressibleByArgument {}
extension OverLimitPolicy: ExpressibleByArgument {}
extension VideoPolicy: ExpressibleByArgument {}
extension AudioPolicy: ExpressibleByArgument {}
extension RecordingQuery.Sort: ExpressibleByArgument {}
extension StatisticsPeriod: ExpressibleByArgument {}
