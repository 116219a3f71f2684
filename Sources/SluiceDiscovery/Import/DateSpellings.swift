internal import SluiceJSON
internal import SluiceModel

/// The patterns of `format` by which all values of a place can be read as dates or times. The values keep their type, since such
/// a text may mean something else, and what it means is for a person to say.
struct DateSpellings: OptionSet {
    let rawValue: UInt32

    private static let dates = [
        "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d", "%b %d, %Y", "%d %b %Y", "%d-%b-%Y",
    ]
    private static let times = [
        "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f",
        "%Y-%m-%dT%H:%M", "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M",
        "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%Y%m%d%H%M%S", "%m/%d/%Y %I:%M %p", "%m/%d/%Y %I:%M:%S %p",
        "%b %d, %Y %I:%M %p", "%b %d, %Y %H:%M",
    ]
    private static let patterns = dates + times
    private static let formats = patterns.map { TimeFormat($0) }
    /// The days from 1900 to 2100, of which dates of a source are likely to be: other digits are numbers.
    private static let days =
        (Timestamp.days(year: 1900, month: 1, day: 1) ?? 0)..<(Timestamp.days(year: 2101, month: 1, day: 1) ?? 0)

    static let all = DateSpellings(rawValue: (1 << UInt32(patterns.count)) - 1)

    /// Those by which one more value can be read: a text, or the digits of a whole number.
    func kept(by element: JSONElement) -> DateSpellings {
        let text = element.string ?? String(element.integer)
        var found: DateSpellings = []
        for index in Self.patterns.indices where contains(DateSpellings(rawValue: 1 << UInt32(index))) {
            guard let moment = Self.formats[index].timestamp(text, defaultOffset: 0),
                Self.days.contains(Int(moment.seconds / 86_400))
            else { continue }
            found.insert(DateSpellings(rawValue: 1 << UInt32(index)))
        }
        return found
    }

    /// What to say of values that all can be read so; nil where they cannot.
    var note: String? {
        let known = Self.patterns.indices.filter { contains(DateSpellings(rawValue: 1 << UInt32($0))) }
        guard let first = known.first else { return nil }
        let isDate = first < Self.dates.count
        let type = isDate ? "type: date" : "type: datetime"
        let zone = isDate ? "" : ", timezone: UTC"
        let others = known.dropFirst().map { "`\(Self.patterns[$0])`" }
        let doubt = others.isEmpty ? "" : ", or by \(others.joined(separator: ", "))"
        return
            "looks like a \(isDate ? "date" : "time without its zone"): `{\(type), format: \"\(Self.patterns[first])\"\(zone)}`\(doubt)"
    }
}
