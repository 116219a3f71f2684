import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceStore
import Testing

/// Streams that ask for what changed: the cursor, what it passes, and what it leaves alone.
@Suite("incremental")
struct IncrementalTests {
    private static let first =
        #"[{"id":1,"a":"x","at":"2024-01-01T00:00:00Z"},{"id":2,"a":"y","at":"2024-01-03T00:00:00Z"},{"id":3,"a":"z","at":"2024-01-02T00:00:00Z"}]"#

    /// A source that gives everything, of which older records are left out here.
    private func shop(
        _ type: FieldType = .datetime, rule: DeleteRule = DeleteRule(),
        _ change: @escaping (inout IncrementalRule) -> Void = { _ in }
    ) throws -> Workshop {
        let shop = try Workshop(fields: [try field("id", .int), try field("a"), try field("at", type)], rule: rule)
        shop.adjust = { pipeline in
            var incremental = IncrementalRule(field: "at")
            incremental.isClientSide = true
            change(&incremental)
            pipeline.streams[0].incremental = incremental
        }
        return shop
    }

    private func cursor(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT value FROM _sluice_state WHERE name = 'cursor.at'")
    }

    @Test func theCursorIsTheLatestOfWhatWasStored() throws {
        let shop = try shop()
        let (report, _) = try shop.syncPlanned(Self.first)
        #expect(report.summary.text == "insert 3")
        #expect(report.streams[0].cursor?.start == nil)
        #expect(report.streams[0].cursor?.next == "2024-01-03T00:00:00Z")
        #expect(try cursor(shop) == ["'2024-01-03T00:00:00Z'"])
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1")
        #expect(again.streams[0].filtered == 2)
        #expect(written == [])
        let (next, _) = try shop.syncPlanned(
            #"[{"id":1,"a":"old","at":"2024-01-02T00:00:00Z"},{"id":2,"a":"new","at":"2024-02-01T00:00:00.5Z"}]"#)
        #expect(next.summary.text == "update 1")
        #expect(try cursor(shop) == ["'2024-02-01T00:00:00.5Z'"])
        #expect(try shop.rows("SELECT a FROM items ORDER BY id") == ["'x'", "'new'", "'z'"])
    }

    @Test(
        "Types of cursors",
        arguments: [
            (FieldType.int, "5", "7", "'7'"), (.date, "\"2024-01-05\"", "\"2024-01-07\"", "'2024-01-07'"),
            (.datetime, "\"2024-01-05T01:00:00+01:00\"", "\"2024-01-05T00:00:01Z\"", "'2024-01-05T00:00:01Z'"),
        ])
    func types(_ type: FieldType, _ old: String, _ new: String, _ kept: String) throws {
        let shop = try shop(type)
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","at":\#(old)}]"#)
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","at":\#(old)},{"id":2,"a":"y","at":\#(new)}]"#)
        #expect(report.summary.text == "insert 1, unchanged 1")
        #expect(try cursor(shop) == [kept])
        let (again, _) = try shop.syncPlanned()
        #expect(again.streams[0].filtered == 1)
    }

    @Test func lookBackReadsAgainWhatCameLate() throws {
        let shop = try shop { $0.lookback = .seconds(86_400) }
        _ = try shop.syncPlanned(Self.first)
        let (report, _) = try shop.syncPlanned()
        #expect(report.streams[0].filtered == 1)
        #expect(report.streams[0].cursor?.start == "2024-01-02T00:00:00Z")
        #expect(try cursor(shop) == ["'2024-01-03T00:00:00Z'"])
    }

    /// A run that asks for changes alone may meet broken records only; one that reads all shows that the pipeline is wrong.
    @Test(
        "Where all records are in quarantine is told by readings from the beginning",
        arguments: [nil, "2023-01-01T00:00:00Z"])
    func toldWhereNothingIsTaken(_ initial: String?) throws {
        let shop = try shop { $0.initialJSON = initial.map { "\"\($0)\"" } }
        let broken = Self.first.replacing(#""a":""#, with: #""a":{},"b":""#)
        func isTold(_ json: String) throws -> Bool {
            try shop.syncPlanned(json).0.problems.contains { $0.code == "nothing_taken" }
        }
        #expect(try isTold(broken))
        #expect(try !isTold(Self.first))
        let later = broken.replacing("2024-", with: "2025-")
        #expect(try !isTold(later))
        shop.overrides.isFull = true
        #expect(try isTold(later))
    }

    @Test func theFirstRunBeginsWhereThePipelineSays() throws {
        let shop = try shop { $0.initialJSON = "\"2024-01-02T00:00:00Z\"" }
        let (report, _) = try shop.syncPlanned(Self.first)
        #expect(report.summary.text == "insert 2")
        #expect(report.streams[0].isComplete, "everything that is asked for was read")
    }

    @Test func whatWasNotAskedForIsNotGone() throws {
        let shop = try shop(rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        _ = try shop.syncPlanned(Self.first)
        let one = #"[{"id":2,"a":"y","at":"2024-01-03T00:00:00Z"}]"#
        let (report, _) = try shop.syncPlanned(one)
        #expect(report.summary.text == "unchanged 1")
        #expect(!report.streams[0].isComplete)
        #expect(report.problems.isEmpty)
        shop.overrides.isFull = true
        let (full, _) = try shop.syncPlanned(one)
        #expect(full.summary.text == "delete 2, unchanged 1")
        #expect(try cursor(shop) == ["'2024-01-03T00:00:00Z'"])
    }

    /// A record that came from before the first point is asked for by no run, be it one of everything.
    @Test(arguments: [false, true]) func whatLiesBeforeTheFirstPointIsNotGone(_ isRedefined: Bool) throws {
        let shop = try shop(rule: DeleteRule(mode: .hard, maximum: .percent(100))) {
            $0.initialJSON = "\"2024-01-02T00:00:00Z\""
        }
        shop.overrides.from = "2024-01-01T00:00:00Z"
        #expect(try shop.syncPlanned(Self.first).0.summary.text == "insert 3")
        shop.overrides.from = nil
        let one = #"[{"id":2,"a":"y","at":"2024-01-03T00:00:00Z"}]"#
        if isRedefined { shop.fields.append(try field("more")) } else { shop.overrides.isFull = true }
        let (full, _) = try shop.syncPlanned(one)
        #expect(full.summary.text == "delete 1, unchanged 1")
        #expect(try shop.rows("SELECT id FROM items ORDER BY id") == ["1", "2"])
    }

    /// Of what the source said before the pipeline asked for the cursor nothing is known.
    @Test(arguments: [IncrementalRule.MissingRule.include, .fail])
    func whatHasNoKnownCursorIsNotGone(_ rule: IncrementalRule.MissingRule) throws {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("a")], rule: DeleteRule(mode: .hard, maximum: .percent(100)))
        #expect(try shop.syncPlanned(#"[{"id":1,"a":"x"},{"id":2,"a":"y"}]"#).0.summary.text == "insert 2")
        shop.fields.append(try field("at", .datetime))
        shop.adjust = { pipeline in
            var incremental = IncrementalRule(field: "at")
            (incremental.isClientSide, incremental.onMissing) = (true, rule)
            incremental.initialJSON = "\"2024-01-02T00:00:00Z\""
            pipeline.streams[0].incremental = incremental
        }
        _ = try shop.syncPlanned(#"[{"id":2,"a":"y","at":"2024-01-03T00:00:00Z"}]"#)
        #expect(try shop.rows("SELECT id FROM items ORDER BY id") == ["1", "2"])
    }

    /// What is left out here stands in the answer all the same.
    @Test func whatIsLeftOutIsNotGone() throws {
        let shop = try shop(rule: DeleteRule(mode: .hard, maximum: .percent(100))) {
            $0.initialJSON = "\"2024-01-01T00:00:00Z\""
        }
        #expect(try shop.syncPlanned(Self.first).0.summary.text == "insert 3")
        shop.overrides.isFull = true
        let earlier = Self.first.replacing("2024-01-02", with: "2023-01-02")
        let (full, _) = try shop.syncPlanned(earlier)
        #expect(full.summary.text == "unchanged 2" && full.streams[0].filtered == 1)
        #expect(try shop.rows("SELECT count(*) FROM items") == ["3"])
    }

    /// A record without a cursor is asked for where the rule is to take it.
    @Test(arguments: [IncrementalRule.MissingRule.include, .exclude])
    func whatHasNoCursorIsGoneWhereItIsAskedFor(_ rule: IncrementalRule.MissingRule) throws {
        let shop = try shop(rule: DeleteRule(mode: .hard, maximum: .percent(100))) {
            $0.onMissing = .include
            $0.initialJSON = "\"2024-01-01T00:00:00Z\""
        }
        #expect(try shop.syncPlanned(#"[{"id":4,"a":"q","at":null}]"#).0.summary.text == "insert 1")
        let adjust = shop.adjust
        shop.adjust = { pipeline in
            adjust(&pipeline)
            pipeline.streams[0].incremental?.onMissing = rule
        }
        shop.overrides.isFull = true
        shop.rule.minimumRecords = 0
        let (full, _) = try shop.syncPlanned("[]")
        #expect(full.summary.text == (rule == .include ? "delete 1" : ""))
    }

    /// Where requests say where they end, a record that changed since the run began is shown by none of them.
    @Test func whatMayHaveMovedBehindTheEndIsConfirmed() throws {
        let shop = try shop(rule: DeleteRule(mode: .hard, maximum: .percent(100))) { $0.asksForEnd = true }
        let ahead = #"{"id":9,"a":"f","at":"2999-01-01T00:00:00Z"}]"#
        #expect(try shop.syncPlanned(Self.first.dropLast() + "," + ahead).0.summary.text == "insert 4")
        shop.overrides.isFull = true
        let one = #"[{"id":2,"a":"y","at":"2024-01-03T00:00:00Z"}]"#
        let (first, _) = try shop.syncPlanned(one)
        #expect(first.summary.text == "unchanged 1")
        let (second, _) = try shop.syncPlanned(one)
        #expect(second.summary.text == "delete 2, unchanged 1")
        let (third, _) = try shop.syncPlanned(one)
        #expect(third.summary.text == "unchanged 1")
        #expect(try shop.rows("SELECT id FROM items ORDER BY id") == ["2", "9"])
    }

    @Test func aRecordThatIsNotStoredHoldsTheCursor() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        let broken =
            #"[{"id":"no","a":"q","at":"2024-01-10T00:00:00Z"},{"id":5,"a":"r","at":"2024-01-20T00:00:00Z"}]"#
        let (report, _) = try shop.syncPlanned(broken)
        #expect(report.summary.text == "insert 1, quarantined 1")
        #expect(report.problems.map(\.code) == ["cursor_held"])
        #expect(try cursor(shop) == ["'2024-01-09T23:59:59Z'"])
        let (again, written) = try shop.quietRun()
        #expect(again.summary.text == "unchanged 1, quarantined 1")
        #expect(written == [])
        let (mended, _) = try shop.syncPlanned(broken.replacing("\"no\"", with: "4"))
        #expect(mended.summary.text == "insert 1, unchanged 1")
        #expect(mended.problems.isEmpty)
        #expect(try cursor(shop) == ["'2024-01-20T00:00:00Z'"])
        // Of one without a cursor nothing is known.
        let (unknown, _) = try shop.syncPlanned(
            #"[{"id":6,"a":"r","at":"never"},{"id":7,"a":"r","at":"2024-03-01T00:00:00Z"}]"#)
        #expect(unknown.summary.text == "insert 1, quarantined 1")
        #expect(try cursor(shop) == ["'2024-01-20T00:00:00Z'"])
    }

    @Test func aRecordFromTheFutureHidesNothing() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(#"[{"id":1,"a":"x","at":"2999-01-01T00:00:00Z"}]"#)
        #expect(try cursor(shop).allSatisfy { $0 < "'2999" })
    }

    @Test("A record without a cursor", arguments: IncrementalRule.MissingRule.allCases)
    func missing(_ rule: IncrementalRule.MissingRule) throws {
        let shop = try shop { $0.onMissing = rule }
        let (report, _) = try shop.syncPlanned(#"[{"id":1,"a":"x","at":"2024-01-01T00:00:00Z"},{"id":2,"a":"y"}]"#)
        switch rule {
        case .fail:
            #expect(report.status == .failed)
            let message = report.problems.first?.message ?? ""
            for word in [
                "record 2", "The cursor `at` is missing", "`on_cursor_missing` is `fail`, which ends the run",
            ] {
                #expect(message.contains(word), "\(message)")
            }
        case .include: #expect(report.summary.text == "insert 2")
        case .exclude:
            #expect(report.summary.text == "insert 1")
            #expect(report.streams[0].filtered == 1)
        }
    }

    @Test func aPartOfTheTimeIsReadWithoutMovingTheCursor() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        shop.overrides = .init(from: "2024-01-02T00:00:00Z", to: "2024-01-02T12:00:00Z")
        let (report, _) = try shop.syncPlanned(
            #"[{"id":1,"a":"n","at":"2024-01-01T00:00:00Z"},{"id":3,"a":"n","at":"2024-01-02T00:00:00Z"},{"id":2,"a":"n","at":"2024-02-03T00:00:00Z"}]"#
        )
        #expect(report.summary.text == "update 1")
        #expect(try cursor(shop) == ["'2024-01-03T00:00:00Z'"])
        shop.overrides = .init(from: "tomorrow")
        let wrong = shop.sync().report
        #expect(wrong.problems.first?.message.contains("`--from tomorrow` is not a valid value of `at`") == true)
        shop.overrides = .init(from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z")
        #expect(shop.sync().report.problems.first?.message.contains("`--to` comes before `--from`") == true)
        shop.adjust = { _ in }
        #expect(
            shop.sync().report.problems.first?.message.contains("need a stream with `incremental: {cursor_field: …}`")
                == true)
    }

    @Test func undoTakesTheCursorBack() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        let before = try shop.managed()
        _ = try shop.syncPlanned(#"[{"id":4,"a":"new","at":"2024-02-01T00:00:00Z"}]"#)
        let after = try shop.managed()
        #expect(try cursor(shop) == ["'2024-02-01T00:00:00Z'"])
        #expect(try shop.undoPlanned(2).report.status == .succeeded)
        #expect(try shop.managed() == before)
        #expect(try shop.undoPlanned(3).report.status == .succeeded)
        #expect(try shop.managed() == after)
        // One that moved on stands past what is taken back, so that all is read again.
        _ = try shop.syncPlanned(#"[{"id":5,"a":"new","at":"2024-03-01T00:00:00Z"}]"#)
        let late = try shop.undoPlanned(4).report
        #expect(late.left == 0 && late.problems.contains { $0.message.contains("from its beginning") })
        #expect(try cursor(shop) == [])
    }

    @Test(arguments: [
        ("a later run moved it", ["2024-01-05T00:00:00Z"], 0, true),
        ("a later run moved it, and was undone", ["2024-01-05T00:00:00Z"], 1, false),
        ("no later run moved it", ["2024-01-03T00:00:00Z"], 0, false),
        ("two later runs moved it", ["2024-01-05T00:00:00Z", "2024-01-06T00:00:00Z"], 0, true),
    ])
    func undoOfARunThatDidNotMoveTheCursor(_ name: String, _ times: [String], undone: Int, isForgotten: Bool) throws {
        let shop = try shop { $0.lookback = .seconds(86_400) }
        _ = try shop.syncPlanned(Self.first)
        func source(_ name: String, _ time: String) -> String {
            #"[{"id":3,"a":"late","at":"2024-01-02T12:00:00Z"},{"id":2,"a":"\#(name)","at":"\#(time)"}]"#
        }
        #expect(try shop.syncPlanned(source("y", "2024-01-03T00:00:00Z")).0.summary.update == 1)
        for time in times { _ = try shop.syncPlanned(source(time, time)) }
        for run in 0..<undone {
            #expect(try shop.undoPlanned(Int64(2 + times.count - run)).report.status == .succeeded)
        }
        let undo = try shop.undoPlanned(2).report
        #expect(undo.left == 0 && undo.summary.text == "update 1", "\(name)")
        #expect(undo.problems.contains { $0.message.contains("from its beginning") } == isForgotten, "\(name)")
        #expect(try cursor(shop).isEmpty == isForgotten, "\(name)")
        _ = try shop.syncPlanned(source("last", times[times.count - 1]))
        #expect(try shop.rows("SELECT a FROM items WHERE id = 3") == ["'late'"], "\(name)")
    }

    @Test(arguments: [nil, #""2020-01-01T00:00:00Z""#])
    func undoOfARunThatReadEverythingTakesTheCursorToTheBeginning(_ initial: String?) throws {
        let shop = try shop { $0.initialJSON = initial }
        _ = try shop.syncPlanned(Self.first)
        // A change that the source does not date.
        let changed = Self.first.replacing(#""a":"x""#, with: #""a":"other""#)
        #expect(try shop.syncPlanned(changed).0.summary.update == 0)
        shop.overrides = .init(isFull: true)
        #expect(try shop.syncPlanned(changed).0.summary.update == 1)
        shop.overrides = .init()
        let undo = try shop.undoPlanned(3).report
        #expect(
            undo.problems.map(\.message).contains(
                "Run 3 read all of `items`, and not only what changed, so the next run reads the stream from its beginning."
            ))
        #expect(try shop.syncPlanned(changed).0.summary.update == 1)
    }

    @Test func undoOfARunFromATimeSaysWhatReadsItAgain() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        shop.overrides = .init(from: "2024-01-01T00:00:00Z")
        let changed = Self.first.replacing(#""a":"x""#, with: #""a":"other""#)
        #expect(try shop.syncPlanned(changed).0.summary.update == 1)
        shop.overrides = .init()
        let undo = try shop.undoPlanned(2).report
        #expect(
            undo.problems.map(\.message).contains(
                "Run 2 left the cursor of `items` where it was. The next run asks for what changed since then; a run with `--full` asks for all."
            ), "\(undo.problems)")
        #expect(try shop.syncPlanned(changed).0.summary.update == 0)
    }

    @Test func undoBehindAnotherDefinitionTakesTheCursorToTheBeginning() throws {
        let shop = try shop()
        let adjust = shop.adjust
        var definition = "1"
        shop.adjust = { pipeline in
            adjust(&pipeline)
            pipeline.streams[0].contentFingerprint = definition
            pipeline.streams[0].content = ContentDefinition(own: definition, referred: [], earlier: "")
        }
        _ = try shop.syncPlanned(Self.first)
        // Each definition has everything read, without moving the cursor.
        for next in ["2", "3"] {
            definition = next
            let changed = Self.first.replacing(#""a":"x""#, with: #""a":"other""#)
            #expect(
                try shop.syncPlanned(changed).0.summary.text == (next == "2" ? "update 1, unchanged 2" : "unchanged 3"))
        }
        #expect(try cursor(shop) == ["'2024-01-03T00:00:00Z'"])
        let undo = try shop.undoPlanned(2).report
        #expect(undo.status == .succeeded && undo.left == 0 && undo.summary.text == "update 1")
        #expect(
            undo.problems.map(\.message).contains(
                "A later run changed what is kept of the records of `items`, so the next run reads the stream from its beginning."
            ))
        #expect(try cursor(shop) == [])
        #expect(try shop.syncPlanned().0.summary.text == "update 1, unchanged 2")
    }

    @Test func undoOfARunThatWasBrokenOffTakesTheCursorToTheBeginning() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        _ = try shop.syncPlanned(#"[{"id":4,"a":"new","at":"2024-02-01T00:00:00Z"}]"#)
        // It kept a page, and the run that went on with it moved the cursor.
        try shop.sql(
            "UPDATE _sluice_runs SET status = 'interrupted' WHERE id = 2; DELETE FROM _sluice_changes WHERE run = 2 AND kind = 'state'"
        )
        let undo = try shop.undoPlanned(2).report
        #expect(undo.summary.text == "delete 1" && undo.left == 0)
        #expect(try cursor(shop) == [])
        #expect(undo.problems.contains { $0.message.contains("from its beginning") })
        // Which can be taken back as well.
        #expect(try shop.undoPlanned(3).report.summary.text == "insert 1")
        #expect(try cursor(shop) == ["'2024-02-01T00:00:00Z'"])
    }

    @Test func aCursorOfAnotherFieldIsAnotherOne() throws {
        let shop = try shop()
        _ = try shop.syncPlanned(Self.first)
        shop.adjust = { pipeline in
            var incremental = IncrementalRule(field: "id")
            incremental.isClientSide = true
            pipeline.streams[0].incremental = incremental
        }
        let (report, _) = try shop.syncPlanned()
        #expect(report.streams[0].filtered == 0)
        #expect(report.streams[0].cursor?.next == "3")
    }
}
