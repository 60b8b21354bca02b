// The page of HoldfastTesting shows what follows; ArticleTests compares the two and runs it.

import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTesting

/// Returns the average intensity of the cravings that a test logs.
func averageIntensity(of intensities: [Int]) async throws -> Double? {
  try await withTemporaryLibrary(journals: [.cravings]) { library in
    for intensity in intensities {
      try library.add(
        Craving(timestamp: .now, intensity: try Intensity(intensity), createdAt: .now))
    }
    return try library.summary(of: CravingQuery()).averageIntensity
  }
}
