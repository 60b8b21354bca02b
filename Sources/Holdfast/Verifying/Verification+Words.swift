import HoldfastCatalog
import HoldfastModel

extension Verification {
  /// Checks the index of spoken words. It can be made again, so a repair removes a damaged one.
  func verifyWords() throws {
    let index = SpokenIndex(tree: tree, catalog: library.catalog)
    guard let fault = try index.fault() else { return }
    var finding = VerifyFinding(
      .wordIndexDamaged, path: ".cache/words.sqlite",
      detail: "the index of spoken words is damaged: \(fault)")
    if repair == nil {
      finding.repair = .possible("remove it; a search makes it again")
    } else {
      index.remove()
      finding.repair = .done("removed; a search makes it again")
    }
    tell(finding)
  }
}
