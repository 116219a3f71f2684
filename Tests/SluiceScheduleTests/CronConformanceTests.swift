import FoundationEssentials
import SluiceModel
import SluiceSchedule
import TestSupport
import Testing

/// The tables of other libraries. Where their dialects differ from ours, the tests say how, row by row.
@Suite("Cron tables", .enabled(if: Conformance.isAvailable, "the folder shared/conformance is not there"))
struct CronConformanceTests {
    private struct Row: Decodable {
        let expr: String
        var from: String?
        var next: String?
        var prev: String?
        var time: String?
        var matches: Bool?
        var until: String?
        var tz: String?
        var seconds: Bool?
        var seconds_first: Bool?
        var day_or: Bool?
        var cron_bug: Bool?
        var canonical: String?
    }

    private func table<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(try Conformance.bytes("cron/\(name).json")))
    }

    /// Checks that a time is the next one after another, or the last one before it.
    private func check(_ row: Row, _ text: String, zone: ZoneRules = .utc) throws {
        let expression = try CronExpression(text)
        let from = try #require(Moment.of(row.from ?? ""))
        if let next = row.next {
            #expect(
                expression.next(after: from, in: zone).map(Moment.text) == Moment.of(next).map(Moment.text), "\(row)")
        } else if let prev = try row.prev.map({ try #require(Moment.of($0)) }) {
            #expect(expression.next(after: prev - 1, in: zone) == prev, "\(row)")
            // A fraction of a second is left out of `from`, and then the due time may be equal.
            let after = try #require(expression.next(after: prev, in: zone))
            #expect(after >= from, "\(row)")
        } else {
            #expect(expression.next(after: from, in: zone) == nil, "\(row)")
        }
    }

    private struct Standard: Decodable {
        let rows: [Row]
        let disputed: [Row]
    }

    @Test func theStandardTableAgrees() throws {
        let table = try table("standard-5-field", as: Standard.self)
        for row in table.rows { try check(row, row.expr) }
        #expect(table.rows.count == 826)
        // We take names by their first letters, and either of the days, as cron does.
        for row in table.disputed where row.expr != "45 16 1 * Mon" { try check(row, row.expr) }
        #expect(table.disputed.count { $0.expr == "45 16 1 * Mon" } == 2)
    }

    private struct Croniter: Decodable {
        let rows: [Row]
        let zoned: [Row]
        let invalid: [Row]
    }

    /// Seconds stand last in that dialect, and years behind them.
    private func croniter(_ row: Row) -> String? {
        let fields = row.expr.split(separator: " ")
        if row.day_or == false || row.cron_bug == true { return nil }
        switch fields.count {
        case 6 where row.seconds_first != true: return ([fields[5]] + fields[..<5]).joined(separator: " ")
        case 7: return fields[6] == "*" ? fields[..<6].joined(separator: " ") : nil
        default: return row.expr
        }
    }

    @Test func croniterAgrees() throws {
        var checked = 0
        for row in try table("croniter", as: Croniter.self).rows {
            guard let text = croniter(row), !Self.narrowed.contains("\(row.expr) \(row.from ?? "")") else { continue }
            checked += 1
            try check(row, text)
        }
        #expect(checked == Self.croniterRows)
    }
    /// There a day of a week narrows other days; with us each entry of a list adds days.
    private static let narrowed: Set<String> = [
        "0 0 * * *,sat#3 2019-01-14T11:00:59.999999", "30 23 1-7 JAN MON-FRI#1 2018-01-05T23:30:00",
        "30 23 1-7 JAN MON-FRI#1 2019-01-04T23:30:00",
    ]
    /// All rows but those with years, those that want both days, and the ones above.
    private static let croniterRows = 830

    @Test func whatCroniterRefusesIsRefused() throws {
        // `janu` is the beginning of a name; a list may hold both a day and one of a week; `?` is one entry of a list.
        let accepted = ["* * * janu-jun *", "0 0 * * 5,6#3", "* * ?,* * *"]
        for row in try table("croniter", as: Croniter.self).invalid {
            #expect(((try? CronExpression(row.expr)) != nil) == accepted.contains(row.expr), "\(row.expr)")
        }
    }

    @Test func croniterAgreesOnZones() throws {
        var ours: [String] = []
        for row in try table("croniter", as: Croniter.self).zoned {
            var name = try #require(row.tz)
            if let file = name.firstRange(of: "zoneinfo/") {
                name = String(name[file.upperBound...].prefix { $0 != "'" })
            }
            let zone = try ZoneDatabase.zone(name)
            let place = "\(row.expr) \(row.from ?? "")\(row.prev == nil ? "" : " prev")"
            guard let other = Self.otherThanCroniter[place] else {
                try check(row, row.expr, zone: zone)
                continue
            }
            ours.append(place)
            let from = try #require(Moment.of(row.prev ?? row.from ?? ""))
            #expect(try CronExpression(row.expr).next(after: from, in: zone) == Moment.of(other), "\(place)")
        }
        #expect(Set(ours) == Set(Self.otherThanCroniter.keys))
    }

    /// Where croniter moves a time that is left out by an hour, or has the hour that comes twice two times. Of a row
    /// with a previous time, ours is the next one after that.
    private static let otherThanCroniter = [
        "*/30 * * * * 2013-03-31T02:30:00+02:00": "2013-03-31T04:00:00+03:00",
        "*/30 * * * * 2013-10-27T03:30:00+03:00": "2013-10-27T04:00:00+02:00",
        "*/30 * * * * 2013-10-27T03:00:00+02:00": "2013-10-27T04:00:00+02:00",
        "*/30 * * * * 2013-10-27T04:00:00+02:00 prev": "2013-10-27T04:00:00+02:00",
        "*/30 * * * * 2013-10-27T03:30:00+02:00 prev": "2013-10-27T04:00:00+02:00",
        "*/30 * * * * 2013-10-27T03:00:00+02:00 prev": "2013-10-27T04:00:00+02:00",
        "1 2 * * * 2020-03-30T02:01:00+02:00 prev": "2020-03-29T03:00:00+02:00",
        "1 2 * * * 2020-03-29T01:01:00+01:00 prev": "2020-03-29T03:00:00+02:00",
        "1 2 * * * 2020-03-28T03:01:00+01:00": "2020-03-29T03:00:00+02:00",
        "1 2 * * * 2020-03-28T02:49:55+01:00": "2020-03-29T03:00:00+02:00",
        "1 2 * * * 2020-03-29T03:01:00+02:00 prev": "2020-03-29T03:00:00+02:00",
    ]

    private struct Gorhill: Decodable {
        let next: [Row]
        let invalid: [Row]
    }

    @Test func gorhillAgrees() throws {
        let table = try table("gorhill", as: Gorhill.self)
        func withoutYear(_ text: String) -> String {
            let fields = text.split(separator: " ")
            return fields.count > 5 && fields.last == "*" ? fields.dropLast().joined(separator: " ") : text
        }
        for row in table.next { try check(row, withoutYear(row.expr)) }
        for row in table.invalid { #expect((try? CronExpression(withoutYear(row.expr))) == nil, "\(row.expr)") }
        #expect(table.next.count == 48)
    }

    private struct NCrontab: Decodable {
        let next: [Row]
        let no_occurrence: [Row]
        let invalid: [Row]
        let canonical: [Row]
    }

    @Test func ncrontabAgrees() throws {
        let table = try table("ncrontab", as: NCrontab.self)
        // That dialect wants both days.
        for row in table.next where row.expr != "45 16 1 * Mon" { try check(row, row.expr) }
        #expect(table.next.count { $0.expr == "45 16 1 * Mon" } == 2)
        for row in table.no_occurrence {
            let from = try #require(Moment.of(row.from ?? ""))
            let until = try #require(Moment.of(row.until ?? ""))
            let next = try #require(try CronExpression(row.expr).next(after: from, in: .utc))
            #expect(next >= until, "\(row)")
        }
        for row in table.invalid where row.seconds == (row.expr.split(separator: " ").count == 6) {
            #expect((try? CronExpression(row.expr)) == nil, "\(row.expr)")
        }
        for row in table.canonical {
            let start = Int64(1_700_000_000)
            let schedules = try [row.expr, row.canonical ?? ""].map { Schedule(trigger: .cron(try CronExpression($0))) }
            #expect(
                Array(schedules[0].dueTimes(after: start).prefix(500))
                    == Array(schedules[1].dueTimes(after: start).prefix(500)), "\(row)")
        }
    }

    private struct Robfig: Decodable {
        let matches: [Row]
        let next: [Row]
        let invalid: [Row]
        let invalid_field: [Row]
    }

    /// Runs of the hour that comes twice, and a time that is left out.
    private static let otherThanRobfig = [
        "0 30 2 11 Mar ? 2012-03-11T00:00:00-05:00": "2012-03-11T03:00:00-04:00",
        "0 0 2 * * ? 2012-03-11T00:00:00-05:00": "2012-03-11T03:00:00-04:00",
        "0 30 1 04 Nov ? 2012-11-04T01:45:00-04:00": "2013-11-04T01:30:00-05:00",
        "0 0 * * * ? 2012-11-04T01:00:00-04:00": "2012-11-04T02:00:00-05:00",
        "0 0 1 * * ? 2012-11-04T01:00:00-04:00": "2012-11-05T01:00:00-05:00",
    ]

    @Test func robfigAgrees() throws {
        let table = try table("robfig", as: Robfig.self)
        for row in table.matches {
            let time = try #require(Moment.of(row.time ?? ""))
            #expect((try CronExpression(row.expr).next(after: time - 1, in: .utc) == time) == row.matches, "\(row)")
        }
        var ours: Set<String> = []
        for row in table.next {
            var text = row.expr
            var zone = ZoneRules.utc
            // A zone has its own key with us; a row with an offset alone holds in that offset.
            if text.contains("TZ="), let blank = text.firstIndex(of: " ") {
                zone = try ZoneDatabase.zone(String(text[..<blank].drop { $0 != "=" }.dropFirst()))
                text = String(text[blank...].dropFirst())
            } else if let name = row.tz {
                zone = try ZoneDatabase.zone(name)
            } else if row.from?.hasSuffix("+05:30") == true {
                zone = try ZoneDatabase.zone("Asia/Kolkata")
            }
            let place = "\(text) \(row.from ?? "")"
            guard let other = Self.otherThanRobfig[place] else {
                try check(row, text, zone: zone)
                continue
            }
            ours.insert(place)
            let from = try #require(Moment.of(row.from ?? ""))
            #expect(try CronExpression(text).next(after: from, in: zone) == Moment.of(other), "\(place)")
        }
        #expect(ours == Set(Self.otherThanRobfig.keys))
        for row in table.invalid { #expect((try? CronExpression(row.expr)) == nil, "\(row.expr)") }
        for row in table.invalid_field where row.expr != "1" && row.expr != "6" {
            #expect((try? CronExpression("* * \(row.expr) * *")) == nil, "\(row.expr)")
        }
    }

    private struct Scripts: Decodable {
        struct CronParser: Decodable {
            let invalid: [String]
            let valid: [String]
        }
        struct Croner: Decodable {
            let invalid: [String]
            let mentioned_as_valid: [String]
        }
        let cron_parser: CronParser
        let croner: Croner
    }

    @Test func acceptsAndRefusesAsOthersDo() throws {
        let table = try table("js-accept-reject", as: Scripts.self)
        func accepts(_ text: String) -> Bool { (try? CronExpression(text)) != nil }
        for text in table.cron_parser.invalid + table.croner.invalid {
            #expect(accepts(text) == Self.acceptedByUs.contains(text), "\(text)")
        }
        for text in table.cron_parser.valid + table.croner.mentioned_as_valid {
            let fields = text.replacing("\\t", with: "\t")
            #expect(accepts(fields) == !Self.isOfCronerAlone(text), "\(text)")
        }
    }

    /// A value that stands there twice, a step on one number (`5/15` is `5-59/15`), and six fields.
    private static let acceptedByUs: Set<String> = [
        "0 0 * * 0,0", "0 0 * * 0,0,0", "0 0 * * 0,7", "0 0 * * 7,0", "0 0,0 * * *", "0,0 * * * *", "0,0 0 0 1 1 0",
        "0,0,0 * * * *", "* * * * * *", "* * * * * 2/2", "* * * * 3/3 *", "* * * 5/2 * *", "* * 12/6 * * *",
        "* 0/10 * * * *", "* 1,2/5 * * * *", "* 5/5 * * * *", "0/10 * * * * *", "30/30 * * * * *", "5/5 * * * * *",
    ]

    /// Years, `+` for both days, `?` for now and `H` for a hash are not taken.
    private static func isOfCronerAlone(_ text: String) -> Bool {
        let fields = text.split(separator: " ").map(String.init)
        if fields.count == 7 || text.contains("+") || text.contains("H(") { return true }
        let days = fields.count == 6 ? 3 : 2
        return fields.indices.contains { fields[$0].contains("?") && $0 != days && $0 != days + 2 }
    }
}
