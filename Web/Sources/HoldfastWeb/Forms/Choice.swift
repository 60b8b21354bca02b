package struct Choice: Sendable {
  private var value: String
  private var name: String
  private var isChosen: Bool

  /// - Parameters:
  ///   - value: The value that the form sends, or the path of the page.
  ///   - name: The text that people read; by default the value.
  package init(_ value: String, _ name: String? = nil, isChosen: Bool = false) {
    self.value = value
    self.name = name ?? value
    self.isChosen = isChosen
  }

  /// The options of a list, by its name in the values of a page.
  package static func options(_ list: String) -> String {
    #"""
    {{#\#(list)}}<option value="{{value}}"{{#isChosen}} \#
    selected{{/isChosen}}>{{name}}</option>{{/\#(list)}}
    """#
  }
}
