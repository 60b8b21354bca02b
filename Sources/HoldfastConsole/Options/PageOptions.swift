import ArgumentParser

package struct PageOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "How many to list at most.")
  package var limit = 20

  @Option(parsing: .unconditional, help: "How many to skip first.")
  package var offset = 0

  package init() {}

  package func validate() throws {
    if limit < 0 || offset < 0 {
      throw ValidationError("--limit and --offset must not be negative.")
    }
  }
}
