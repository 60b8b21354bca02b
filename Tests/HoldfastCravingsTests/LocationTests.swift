import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("Locations")
struct LocationTests {
  @Test(
    "A kind of place is recognised in any case",
    arguments: [
      ("Home", "Home"), ("home", "Home"), ("WORK", "Work"), ("Social", "Social"),
      ("outside", "Outside"), ("cAr", "Car"),
    ])
  func places(text: String, stored: String) throws {
    #expect(try Location(text).text == stored)
  }

  @Test(
    "Coordinates are kept to six decimals, and read back as they are",
    arguments: [
      ("0,0", "0,0"), ("-0,-0.0", "0,0"), ("52.52,13.405", "52.52,13.405"),
      (" 52.520 , 13.4050 ", "52.52,13.405"), ("+1,+2", "1,2"),
      ("-33.868,151.209", "-33.868,151.209"),
      ("90,180", "90,180"), ("-90,-180", "-90,-180"), ("90.000000,-180.000000", "90,-180"),
      ("1.23456789,100", "1.234568,100"), ("0.0000001,-0.0000001", "0,0"),
      ("0.000001,10", "0.000001,10"),
      ("-0.000001,100.10", "-0.000001,100.1"), ("007,08", "7,8"),
      ("89.9999999,179.9999999", "90,180"),
    ])
  func coordinates(text: String, stored: String) throws {
    let location = try Location(text)
    #expect(location.text == stored)
    #expect(try Location(stored) == location)
    let json = try JSONEncoder().encode([location])
    #expect(json == Data("[\"\(stored)\"]".utf8))
    #expect(try JSONDecoder().decode([Location].self, from: json) == [location])
  }

  @Test(
    "Text that is not a pair of decimal degrees is refused",
    arguments: [
      "1e2,3", "nan,1", "1,inf", "infinity,1", "0x1,2", "0x1p3,2", "--1,2", "+-1,2", "1-,2",
      "1,2,3",
      "1.,2", "1,2.", ".5,1", "-.5,1", "1..2,3", "1.2.3,4", "1,", ",1", ",", ",,", " , ", "１,２",
      "١,٢", "1,٢", "²,1", "1 2,3", "1_0,2", "1,2\0", "1\0,2", "1'5,2", "52°31,13", "N52,E13",
      "-,1",
      "Home,Work", "1,2;DROP TABLE craving", "1,\u{1B}[2J", "1,2\u{202E}",
    ])
  func noCoordinates(text: String) {
    let error = #expect(throws: RuleError.self) { try Location(text) }
    #expect(
      error?.description
        == "location \"\(text.escapedForDisplay)\": write latitude,longitude in decimal degrees, "
        + "such as 52.52,13.405")
    let json = try? JSONEncoder().encode([text])
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode([Location].self, from: json ?? Data())
    }
  }

  @Test("Where others may see them, coordinates are shown as the current location")
  func labels() throws {
    #expect(try Location("52.52,13.405").label == "Current Location")
    for place in Location.Place.allCases {
      #expect(Location.place(place).label == place.rawValue)
      #expect(LocationKind(rawValue: place.rawValue)?.label == place.rawValue)
    }
    #expect(LocationKind.coordinates.label == "Current Location")
    #expect(LocationKind.allCases.count == Location.Place.allCases.count + 1)
    #expect(Location.unknownLabel == "Unknown")
  }

  @Test(
    "Coordinates outside their range are refused with the range",
    arguments: [
      "91,0", "-91,0", "90.000001,0", "0,181", "0,-180.000001", "1000000000000,1",
      "\(String(repeating: "9", count: 400)),0",
    ])
  func outOfRange(text: String) {
    let error = #expect(throws: RuleError.self) { try Location(text) }
    #expect(
      error?.description
        == "location \"\(text)\": a latitude goes from -90 to 90, and a longitude from -180 to 180")
  }

  @Test("An unknown word is refused with the closest one, and with the form of coordinates")
  func noPlace() {
    let error = #expect(throws: RuleError.self) { try Location("Hom") }
    #expect(
      error?.description
        == "no location is called \"Hom\"; did you mean Home? There are Home, Work, Social, "
        + "Outside, "
        + "Car, or write latitude,longitude")
    for text in ["", " ", "Home\0", "1", "1;2", "1،2", "1,\u{301}2"] {
      #expect(throws: RuleError.self) { try Location(text) }
    }
  }

  @Test(
    "Coordinates that were not parsed from text are checked with their entry",
    arguments: [
      (91, 0), (0, -181), (.nan, 0), (0, .infinity), (-.infinity, 0), (1e300, 0),
    ] as [(Double, Double)])
  func entries(latitude: Double, longitude: Double) throws {
    let location = Location.coordinates(latitude: latitude, longitude: longitude)
    let craving = Craving(
      timestamp: noon, intensity: try Intensity(1), location: location,
      createdAt: noon)
    let usage = Usage(
      timestamp: noon, method: .dab, amount: 1, location: location,
      createdAt: noon)
    #expect(throws: RuleError.self) { try craving.validate() }
    #expect(throws: RuleError.self) { try usage.validate() }
  }
}
