import FoundationEssentials
import TestSupport
import Testing

@testable import SluiceSchedule

@Suite struct ZoneFileTests {
    @Test(
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200), ("<+0330>-3:30", 12_600, 12_600), ("EST5", -18_000, -18_000),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600),
            ("AAA0BBB,J60,J300", 0, 3600), ("AAA0BBB-2,59/1,299/25:30:15", 0, 7200),
        ])
    func aRuleIsRead(_ text: String, _ offset: Int64, _ summer: Int64) throws {
        let rule = try #require(YearlyRuleReader.rule(Array(text.utf8)[...]))
        #expect(rule.offset == offset)
        #expect(rule.summer?.offset ?? offset == summer)
    }

    @Test(arguments: [
        "", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.7,M1.1.1",
        "C\u{e9}T-1", "CET-999", "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "CET-1:60",
    ])
    func whatIsNoRuleIsNone(_ text: String) { #expect(YearlyRuleReader.rule(Array(text.utf8)[...]) == nil) }

    @Test func daysOfYearsAreCounted() throws {
        let rule = try #require(YearlyRuleReader.rule(Array("AAA0BBB,J60/0,365/0".utf8)[...]))
        #expect(
            rule.changes(around: Moment.of("2024-06-01T00:00:00")!).contains {
                Moment.text($0.moment) == "2024-03-01T00:00:00Z"
            })
        #expect(
            rule.changes(around: Moment.of("2024-06-01T00:00:00")!).contains {
                Moment.text($0.moment) == "2024-12-30T23:00:00Z"
            })
    }

    @Test func aFileThatIsCutOrChangedNeverTraps() throws {
        let path = "/usr/share/zoneinfo/America/New_York"
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        for count in bytes.indices { _ = ZoneFile.zone(Array(bytes[..<count]), name: "cut") }
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        print("ZoneFileTests.aFileThatIsCutOrChangedNeverTraps: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let zone = ZoneFile.zone(changed, name: "changed") else { continue }
            let moment = Int64.random(in: ZoneRules.moments, using: &random)
            _ = zone.moment(ofLocal: moment + zone.offset(at: moment))
        }
    }

    /// The offsets that the system's own C library would give are those of its table: here by hand for well-known days.
    @Test(
        arguments: [
            ("Europe/Berlin", "1945-06-01T00:00:00", 10_800), ("Europe/Berlin", "2026-07-01T00:00:00", 7200),
            ("America/New_York", "1883-11-01T00:00:00", -17_762), ("Asia/Kathmandu", "2026-01-01T00:00:00", 20_700),
            ("Africa/Casablanca", "2026-01-01T00:00:00", 3600), ("Etc/GMT-14", "2026-01-01T00:00:00", 50_400),
        ] as [(String, String, Int64)])
    func offsets(_ name: String, _ time: String, _ offset: Int64) throws {
        #expect(try ZoneDatabase.zone(name).offset(at: try #require(Moment.of(time))) == offset)
    }
}
