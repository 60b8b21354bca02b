import HoldfastWeb
import Mustache

struct Bar: Sendable {
  var label: String
  /// The series of the bar; empty for the only one.
  var series = ""
  var value: Double
  var text: String
  /// The largest value of its own scale; `nil` for the chart's.
  var full: Double?
}

/// A part of the page about one figure: sentences about it, pictures, and a table with the same
/// values.
struct Figure: Sendable {
  let html: String

  private struct Row: Sendable {
    var label: String
    var series: String
    var text: String
    var hasSeries: Bool
  }

  private struct Values: Sendable {
    var title: String
    var sentences: [String]
    var pictures: [String]
    var rows: [Row]
    var hasRows: Bool
  }

  /// - Parameters:
  ///   - sentences: Sentences about the pictures, or about the data that they would need.
  ///   - bars: The values of the pictures, for the table.
  init(_ title: String, _ sentences: [String], _ pictures: [Picture] = [], table bars: [Bar] = []) {
    html = Self.template.render(
      Values(
        title: title, sentences: sentences, pictures: pictures.map(\.html),
        rows: bars.map {
          Row(label: $0.label, series: $0.series, text: $0.text, hasSeries: !$0.series.isEmpty)
        }, hasRows: !bars.isEmpty))
  }

  private static let template = Page.template(
    #"""
    <section class="figure"><h2>{{title}}</h2>{{#sentences}}<p>{{.}}</p>{{/sentences}}
    {{#pictures}}{{{.}}}{{/pictures}}
    {{#hasRows}}<details><summary>As a table</summary><table><tbody>{{#rows}}<tr>\#
    <th scope="row">{{label}}{{#hasSeries}}, {{series}}{{/hasSeries}}</th>\#
    <td>{{text}}</td></tr>{{/rows}}</tbody></table></details>{{/hasRows}}</section>
    """#)
}

/// A drawing of values. Screen readers skip it, because the text beside it says the same.
struct Picture: Sendable {
  let html: String

  // MARK: Lines of bars

  private struct Line: Sendable {
    var label: String
    var text: String
    var y: Int
    var textY: Int
    var width: Int
    var endX: Int
    var style: String
  }

  /// The width of a picture. On a narrow screen, one of its units is about a pixel.
  private static let width = 360
  private static let letter = 9

  /// Draws one bar in each line, with its label before it and its value behind it.
  static func lines(_ bars: [Bar]) -> Picture {
    let largest = bars.map(\.value).max() ?? 1
    let start = 124
    let longest = width - start - 8 - letter * (bars.map(\.text.count).max() ?? 0)
    let lines = bars.enumerated().map { row, bar in
      let part = bar.value / max(bar.full ?? largest, 0.001)
      let width = max(Int(Double(max(longest, 40)) * part), 2)
      let label = bar.label.count > 17 ? bar.label.prefix(16) + "…" : bar.label[...]
      return Line(
        label: String(label), text: bar.text, y: row * 30 + 4, textY: row * 30 + 20, width: width,
        endX: start + 8 + width, style: bar.series)
    }
    return Picture(
      html: lineTemplate.render(["lines": lines, "height": bars.count * 30 + 4] as [String: Any]))
  }

  private static let lineTemplate = Page.template(
    #"""
    <svg class="chart" viewBox="0 0 360 {{height}}" aria-hidden="true">{{#lines}}\#
    <text x="0" y="{{textY}}">{{label}}</text>\#
    <rect class="{{style}}" x="124" y="{{y}}" width="{{width}}" height="22" rx="4"/>\#
    <text x="{{endX}}" y="{{textY}}">{{text}}</text>{{/lines}}</svg>
    """#)

  // MARK: Columns

  private struct Column: Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  private struct Mark: Sendable {
    var x: Double
    var anchor: String
    var text: String
  }

  private struct ColumnValues: Sendable {
    var name: String
    var hasName: Bool
    var most: String
    var columns: [Column]
    var marks: [Mark]
  }

  /// The left edge of the columns. The scale is to its left.
  private static let axis = 36

  /// Draws columns side by side, over a line with marks.
  ///
  /// - Parameters:
  ///   - values: The heights; 0 for a place without a column.
  ///   - full: The height of the picture.
  ///   - most: The label at the top of the picture.
  ///   - marks: The labels below, by the column's place. The first label begins at its place, the
  ///     last ends there, and the others are centred.
  ///   - name: The title above the picture; empty for none.
  static func columns(
    _ values: [Double], full: Double, most: String, marks: [Int: String], name: String = ""
  ) -> Picture {
    let step = Double(width - axis) / Double(max(values.count, 1))
    let broad = min(max(step * 0.7, 1.5), 28)
    func middle(_ place: Int) -> Double { Double(axis) + step * (Double(place) + 0.5) }
    let columns = values.enumerated().filter { $1 > 0 }.map { place, value in
      let height = max(100 * min(value / max(full, 0.001), 1), 2)
      return Column(
        x: (middle(place) - broad / 2).tenths, y: (112 - height).tenths, width: broad.tenths,
        height: height.tenths)
    }
    let places = marks.keys.sorted()
    let labels = places.map { place in
      let anchor =
        places.count == values.count || place != 0 && place != values.count - 1
        ? "middle" : place == 0 ? "start" : "end"
      let x = anchor == "middle" ? middle(place) : anchor == "start" ? Double(axis) : Double(width)
      return Mark(x: x.tenths, anchor: anchor, text: marks[place] ?? "")
    }
    return Picture(
      html: columnTemplate.render(
        ColumnValues(
          name: name, hasName: !name.isEmpty, most: most, columns: columns, marks: labels)))
  }

  private static let columnTemplate = Page.template(
    #"""
    {{#hasName}}<h3>{{name}}</h3>{{/hasName}}\#
    <svg class="chart" viewBox="0 0 360 136" aria-hidden="true"><path d="M36 12h324M36 112h324"/>\#
    <text x="30" y="17" text-anchor="end">{{most}}</text>\#
    <text x="30" y="116" text-anchor="end">0</text>{{#columns}}\#
    <rect x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}" rx="2"/>{{/columns}}{{#marks}}\#
    <text x="{{x}}" y="131" text-anchor="{{anchor}}">{{text}}</text>{{/marks}}</svg>
    """#)
}

extension Double {
  /// The number with at most one decimal, so that a picture stays short.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
