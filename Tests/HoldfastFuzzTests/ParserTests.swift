import Foundation
import HoldfastFuzzTargets
import HoldfastTestSupport
import Testing

@Suite("Parsers of untrusted text")
struct ParserTests {
  @Test("accepts its examples", arguments: FuzzTarget.allCases)
  func examples(_ target: FuzzTarget) throws {
    for example in try target.examples { try target.feed(example) }
  }

  @Test(
    "keeps its promises for any input",
    arguments: [
      (FuzzTarget.path, 10_000), (.marker, 3_000), (.document, 500), (.app, 2_000),
      (.phone, 5_000), (.frame, 5_000),
    ])
  func damaged(_ target: FuzzTarget, count: Int) throws {
    let words = target.words.map { Array($0.utf8) }
    let format = Mutation.Format(landmarks: words, reach: -2...2, pieces: words)
    let examples = try target.examples.map(Array.init)
    var random = SeededNumbers(seed: 1)
    for number in 0..<count {
      let example = examples[number % examples.count]
      var mutation = Mutation(
        of: example, format: format, random: SeededNumbers(seed: random.next()))
      mutation.change(4, splicing: examples[Int.random(in: examples.indices, using: &random)])
      let bytes = Data(mutation.bytes)
      do {
        try target.feed(bytes)
      } catch {
        Issue.record("\(error), given \(String(decoding: bytes, as: UTF8.self).debugDescription)")
      }
    }
  }
}
