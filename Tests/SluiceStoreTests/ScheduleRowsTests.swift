import SluiceSQLite
import SluiceSQLiteStore
import SluiceSchedule
import SluiceStore
import Testing

/// Due times as rows of a store.
@Suite struct ScheduleRowsTests {
    /// Rows in every state that one can have.
    private static let dueTimes: [DueTime] = {
        var going = DueTime.Attempt(start: 1005)
        going.signals = [.terminate: 600, .kill: 630]
        let outcomes = RunOutcome.allCases.enumerated().map { index, outcome in
            var attempt = DueTime.Attempt(start: 10)
            attempt.end = DueTime.End(moment: 20, outcome: outcome)
            return row(Int64(100 + index), [attempt], settlement: .run(outcome))
        }
        let reasons: [SkipReason] = [
            .overlap, .missed, .unscheduled, .after("customers"), .after("overlap"), .unserved("a b"),
        ]
        let skipped = reasons.enumerated().map { row(Int64(200 + $0), [], settlement: .skipped($1)) }
        var failed = DueTime.Attempt(start: 11)
        failed.end = DueTime.End(moment: 12, outcome: .failedForNow)
        return outcomes + skipped + [
            row(300, []), row(301, [], isLate: true), row(302, [failed, going]), row(303, [failed], retryAt: 99),
        ]
    }()

    private static func row(
        _ moment: Int64, _ attempts: [DueTime.Attempt], retryAt: Int64? = nil, isLate: Bool = false,
        settlement: DueTime.Settlement? = nil
    ) -> DueTime {
        DueTime(
            id: DueTimeID(pipeline: "a", moment: moment), attempts: attempts, retryAt: retryAt, isLate: isLate,
            settlement: settlement)
    }

    private static func rows(_ dueTimes: [DueTime], decided: Int64 = 5, forgotten: Int64? = nil) -> ScheduleRows {
        var rows = ScheduleRows()
        rows.dueTimes = dueTimes
        rows.marks = ["a": ScheduleRows.Mark(decided: decided, forgotten: forgotten)]
        return rows
    }

    @Test(arguments: StoreUnderTest.all) func whatIsWrittenIsRead(_ kind: StoreUnderTest) throws {
        let place = try kind.makePlace()
        #expect(try place.open().schedule.read() == ScheduleRows())
        let rows = Self.rows(Self.dueTimes, forgotten: 3)
        try place.open().schedule.write(rows)
        #expect(try place.open().schedule.read() == rows)
    }

    @Test(arguments: StoreUnderTest.all) func aRowTakesThePlaceOfTheOneBefore(_ kind: StoreUnderTest) throws {
        let place = try kind.makePlace()
        try place.open().schedule.write(Self.rows([Self.row(300, []), Self.row(301, [])]))
        var attempt = DueTime.Attempt(start: 7)
        try place.open().schedule.write(Self.rows([Self.row(300, [attempt])], decided: 6))
        attempt.end = DueTime.End(moment: 9, outcome: .succeeded)
        let last = Self.row(300, [attempt], settlement: .run(.succeeded))
        try place.open().schedule.write(Self.rows([last], decided: 7))
        #expect(try place.open().schedule.read() == Self.rows([last, Self.row(301, [])], decided: 7))
    }

    @Test(arguments: StoreUnderTest.all) func whatIsForgottenIsGoneWithItsRuns(_ kind: StoreUnderTest) throws {
        let place = try kind.makePlace()
        try place.open().schedule.write(Self.rows(Self.dueTimes))
        var forgetting = Self.rows([], forgotten: 303)
        forgetting.forgotten = Self.dueTimes.map(\.id)
        try place.open().schedule.write(forgetting)
        #expect(try place.open().schedule.read() == Self.rows([], forgotten: 303))
        // Attempts that were left behind would come back with their due time.
        try place.open().schedule.write(Self.rows([Self.row(302, [])]))
        #expect(try place.open().schedule.read() == Self.rows([Self.row(302, [])]))
    }

    /// What is counted from a start may have the moment of a row that is forgotten in the same write.
    @Test func whatIsForgottenMayBeDueAgain() throws {
        let fixture = try StoreFixture()
        try fixture.open().schedule.write(Self.rows(Self.dueTimes))
        let again = Self.row(Self.dueTimes[0].id.moment, [])
        var rows = Self.rows([again], forgotten: 303)
        rows.forgotten = Self.dueTimes.map(\.id)
        try fixture.open().schedule.write(rows)
        #expect(try fixture.open().schedule.read() == Self.rows([again], forgotten: 303))
    }

    @Test func whileAnotherProgramWritesNothingIsWritten() throws {
        let fixture = try StoreFixture()
        try fixture.open().schedule.write(Self.rows([]))
        let other = try fixture.open()
        try other.begin()
        let error = #expect(throws: StoreError.self) { try fixture.open().schedule.write(Self.rows(Self.dueTimes)) }
        #expect(error?.code == .locked)
        other.rollback()
        #expect(try fixture.open().schedule.read() == Self.rows([]))
    }

    /// A store of the format before has no such rows, is read as it is, and gets the tables with the first ones.
    @Test func anOlderStoreGetsTheTables() throws {
        let fixture = try StoreFixture()
        try fixture.open().schedule.write(Self.rows([]))
        let tables = try fixture.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
        try fixture.execute(
            """
            DROP TABLE _sluice_schedule; DROP TABLE _sluice_schedule_runs; DROP TABLE _sluice_schedule_marks;
            UPDATE _sluice_schema SET value = '13' WHERE kind = 'format'
            """)
        #expect(try fixture.open(.reading).schedule.read() == ScheduleRows())
        #expect(try fixture.rows("SELECT value FROM _sluice_schema WHERE kind = 'format'") == [[SQLiteValue("13")]])
        try fixture.open().schedule.write(Self.rows(Self.dueTimes))
        #expect(try fixture.open().schedule.read() == Self.rows(Self.dueTimes))
        #expect(try fixture.rows("SELECT name, sql FROM sqlite_schema ORDER BY name") == tables)
    }
}
