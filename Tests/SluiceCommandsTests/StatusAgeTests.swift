import SluiceSQLite
import Testing

/// What `status` tells of syncs that nobody watches: how old the last success is, and which run read too little.
@Suite struct StatusAgeTests {
    /// A shop with a pipeline over so many books, and with other keys of the pipeline.
    private func shop(_ keys: String = "", books: Int = 10) throws -> Workshop {
        let shop = try Workshop()
        try shop.writePipeline(deleteMissing: "{mode: hard, max_delete: 1}")
        try shop.write(try shop.read("shop.yaml") + "\n" + keys, to: "shop.yaml")
        try list(books, in: shop)
        return shop
    }

    private func list(_ count: Int, in shop: Workshop) throws {
        let books = count == 0 ? [] : (1...count).map { #"{"id":\#($0),"title":"t"}"# }
        try shop.write("[\(books.joined(separator: ","))]", to: "books.json")
    }

    private func run(_ shop: Workshop, times: Int = 1, _ options: String...) -> [Int32] {
        (0..<times).map { _ in shop.sluice(["run", shop.pipeline, "-q"] + options).code }
    }

    /// Moves runs into the past, so that they took some seconds.
    private func move(_ runs: String, ago: Int, took seconds: Int = 0, in shop: Workshop) throws {
        try shop.sql(
            """
            UPDATE _sluice_runs SET finished_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-\(ago) seconds'),
            started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-\(ago + seconds) seconds') WHERE id IN (\(runs))
            """)
    }

    // MARK: Age

    @Test func theAgeOfTheLastSuccessIsTold() throws {
        let shop = try shop()
        #expect(run(shop, times: 2) == [0, 0])
        try move("2", ago: 3 * 3600 + 60, in: shop)
        #expect(shop.sluice("status").output.hasPrefix("shop  run 2 succeeded at "))
        #expect(shop.sluice("status").output.contains("Z, 3 hours ago\n"))
        try shop.write("[", to: "books.json")
        #expect(run(shop) == [1])
        let text = shop.sluice("status").output
        #expect(text.hasPrefix("shop  run 3 failed at "), "\(text)")
        #expect(text.contains("      the last success is run 2, 3 hours ago\n"), "\(text)")
        let json = shop.sluice("status", "--format", "json").output
        #expect(json.contains(#""last_success":{"run":2,"finished_at":""#), "\(json)")
        #expect(json.contains(#""age_seconds":1086"#), "\(json)")
    }

    @Test(arguments: [
        // The options, and the exit codes where the success is two hours old, and after that was undone.
        ("--max-age=3h", 0, 1), ("--max-age=119m", 1, 1), ("--max-age=0s", 1, 1), ("--max-age=400d", 0, 1),
        ("--check", 0, 0),
    ])
    func anOldSuccessIsAnExitCode(_ option: String, _ code: Int32, _ undone: Int32) throws {
        let shop = try shop()
        #expect(run(shop) == [0])
        try move("1", ago: 7200, in: shop)
        // A run of one stream, or one that failed, is no success of the pipeline.
        #expect(run(shop, "--stream", "books") == [0])
        #expect(shop.sluice("status", option).code == code)
        #expect(shop.run(["status", option, shop.pipeline, "--store", "sqlite:\(shop.store)"]).code == code)
        #expect(shop.sluice("undo", "2").code == 0 && shop.sluice("undo", "1").code == 0)
        #expect(shop.sluice("status", option).code == undone, "\(shop.sluice("status", option).output)")
    }

    @Test func whoIsTooOldIsTold() throws {
        let shop = try shop()
        #expect(run(shop) == [0])
        try move("1", ago: 2 * 3600, in: shop)
        for (option, isOld) in [("1h", true), ("3h", false)] {
            let text = shop.sluice("status", "--max-age", option).output
            #expect(text.contains("      the last success is older than 60 minutes\n") == isOld, "\(text)")
            let json = shop.sluice("status", "--max-age", option, "--format", "json").output
            #expect(json.contains(#""too_old":\#(isOld)"#), "\(json)")
        }
        #expect(!shop.sluice("status").output.contains("older than"))
    }

    @Test func whoNeverRanIsTooOld() throws {
        let shop = try shop()
        #expect(run(shop) == [0])
        let other = try shop.read("shop.yaml").replacing("name: shop", with: "name: other")
        try shop.write(other, to: "other.yaml")
        let outcome = shop.sluice("status", "--max-age", "1h", "\(shop.folder)/other.yaml")
        #expect(outcome.code == 1 && outcome.output == "other  has not run\n", "\(outcome)")
        #expect(shop.sluice("status", "--max-age", "1h", shop.pipeline).code == 0)
        let wrong = shop.sluice("status", "--max-age", "1 day")
        #expect(wrong.code == 64 && wrong.errors.contains("needs a time such as 30s, 10m or 2h"), "\(wrong.errors)")
    }

    // MARK: What is due

    @Test func theNextDueTimeIsToldOfTheFilesThatAreNamed() throws {
        let shop = try shop("schedule: {cron: '0 6 1 1 *', timezone: Europe/Berlin}")
        #expect(!shop.sluice("status", shop.pipeline, "--max-age", "1h").output.contains("due"), "no store yet")
        #expect(run(shop) == [0])
        let text = shop.sluice("status", shop.pipeline).output
        #expect(text.contains("      due next at 2") && text.contains("-01-01T05:00:00Z\n"), "\(text)")
        #expect(!shop.sluice("status").output.contains("due"))
        try move("1", ago: 2 * 366 * 86_400, in: shop)
        let late = shop.sluice("status", shop.pipeline)
        #expect(late.output.contains("due since ") && late.output.contains("-01-01T05:00:00Z, and not run\n"))
        let json = shop.sluice("status", shop.pipeline, "--format", "json").output
        #expect(json.contains(#""next_due":"2"#) && json.contains(#""due_since":"2"#), "\(json)")
    }

    @Test func whyADueTimeIsLeftOutIsTold() throws {
        let shop = try shop("schedule: {cron: '0 6 1 1 *', after: [stock]}")
        #expect(run(shop) == [0])
        try shop.sql("UPDATE _sluice_runs SET started_at = '2025-06-01T00:00:00Z'")
        // The later one would have had to wait for the other.
        try shop.sql(
            """
            INSERT INTO _sluice_schedule_marks (pipeline, decided) VALUES ('shop', 1767247201);
            INSERT INTO _sluice_schedule (pipeline, due, settled)
            VALUES ('shop', 1767247200, 'skipped_after stock'), ('shop', 1767247201, 'skipped_overlap')
            """)
        let text = shop.sluice("status", shop.pipeline).output
        #expect(
            text.contains(
                "and not run; 2026-01-01T06:00:00Z is left out: `stock` did not succeed for its own due time\n"),
            "\(text)")
        let json = shop.sluice("status", shop.pipeline, "--format", "json").output
        let reason = #"{"due":"2026-01-01T06:00:00Z","reason":"`stock` did not succeed for its own due time"}"#
        #expect(json.contains(#""left_out":"# + reason), "\(json)")
        // What ran since is not due.
        #expect(run(shop) == [0])
        #expect(!shop.sluice("status", shop.pipeline).output.contains("left out"))
    }

    struct Unkept: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the store has an earlier run.
        var hasRun = true
        /// When it was sent the first signal, how it ended, as `_sluice_schedule_runs` has them.
        let ended: String
        /// What the text has; nil where nothing is told of it.
        let words: String?
        var status = "interrupted"
    }

    static let unkept = [
        Unkept(
            testDescription: "one that took too long, before there was a run", hasRun: false,
            ended: "6, NULL, 1767247207, 'interrupted'", words: "it took longer than `schedule.timeout`"),
        Unkept(
            testDescription: "one that took too long", ended: "6, NULL, 1767247207, 'interrupted'",
            words: "it took longer than `schedule.timeout`"),
        Unkept(
            testDescription: "one that ended with its service", ended: "NULL, NULL, 1767247207, 'interrupted'",
            words: "it was stopped, or ended with its service"),
        Unkept(
            testDescription: "one that crashed", ended: "NULL, NULL, 1767247207, 'failed_for_now'",
            words: "the log and the page of its service say why", status: "failed"),
        Unkept(
            testDescription: "one that took too long, while the next one is going", hasRun: false,
            ended: "6, NULL, 1767247207, 'interrupted'), ('other', 1767247200, 2, 1767247260, NULL, NULL, NULL, NULL",
            words: "it took longer than `schedule.timeout`"),
        Unkept(testDescription: "one that is going", ended: "NULL, NULL, NULL, NULL", words: nil),
        Unkept(testDescription: "one that succeeded", ended: "NULL, NULL, 1767247207, 'succeeded'", words: nil),
    ]

    /// A run of which the store keeps nothing is known by its due time.
    @Test(arguments: unkept) func aRunThatLeftNothingIsTold(_ test: Unkept) throws {
        let shop = try shop("schedule: {cron: '0 6 1 1 *'}")
        #expect(run(shop) == [0])
        try shop.sql("UPDATE _sluice_runs SET started_at = '2025-06-01T00:00:00Z'")
        let name = test.hasRun ? "shop" : "other"
        try shop.write(try shop.read("shop.yaml").replacing("name: shop", with: "name: other"), to: "other.yaml")
        try shop.sql(
            """
            INSERT INTO _sluice_schedule (pipeline, due) VALUES ('\(name)', 1767247200);
            INSERT INTO _sluice_schedule_runs
                (pipeline, due, attempt, started, terminated_after, killed_after, ended, outcome)
            VALUES ('\(name)', 1767247200, 1, 1767247200, \(test.ended))
            """)
        let file = "\(shop.folder)/\(name).yaml"
        let text = shop.sluice("status", file).output
        let json = shop.sluice("status", "--format", "json", file).output
        guard let words = test.words else {
            #expect(!text.contains("nothing of it is kept") && !json.contains("unkept_run"), "\(text)")
            return
        }
        let head = "\(test.status) at 2026-01-01T06:00:07Z, after 7 s; nothing of it is kept\n"
        #expect(text.contains(test.hasRun ? "since then, \(head)" : "other  \(head)"), "\(text)")
        #expect(text.contains("\(words)\n") && !text.contains("has not run"), "\(text)")
        // It was started for that time.
        #expect(!text.contains("due since 2026-01-01"), "\(text)")
        let told = #""unkept_run":{"status":"\#(test.status)","started_at":"2026-01-01T06:00:00Z","#
        #expect(json.contains(told), "\(json)")
        #expect(shop.sluice("status", "--check", file).code == 1)
        // A later run is what counts.
        if test.hasRun {
            #expect(run(shop) == [0])
            #expect(!shop.sluice("status", file).output.contains("nothing of it is kept"))
        }
    }

    /// The store keeps that a run was stopped, and its due time tells why.
    @Test(arguments: [true, false]) func whatAServiceStoppedSaysWhy(isService: Bool) throws {
        let shop = try shop("schedule: {cron: '0 6 1 1 *'}")
        #expect(run(shop) == [0])
        try shop.sql(
            "UPDATE _sluice_runs SET started_at = '2026-01-01T06:00:01Z', finished_at = '2026-01-01T06:00:07Z', status = 'interrupted'"
        )
        try shop.sql(
            """
            INSERT INTO _sluice_schedule (pipeline, due) VALUES ('shop', 1767247200);
            INSERT INTO _sluice_schedule_runs
                (pipeline, due, attempt, started, terminated_after, killed_after, ended, outcome)
            VALUES ('shop', 1767247200, 1, 1767247200, \(isService ? "6" : "NULL"), NULL, 1767247207, 'interrupted')
            """)
        let text = shop.sluice("status", shop.pipeline).output
        #expect(text.contains("run 1 interrupted at 2026-01-01T06:00:07Z"), "\(text)")
        #expect(text.contains("it took longer than `schedule.timeout`\n") == isService, "\(text)")
        let json = shop.sluice("status", "--format", "json", shop.pipeline).output
        #expect(json.contains(#""stop_reason":"it took longer than `schedule.timeout`""#) == isService, "\(json)")
    }

    /// A service that read a new schedule after that time has passed does not run it for that.
    @Test func whatWasNotDueByTheScheduleBeforeIsNotDueSince() throws {
        let shop = try shop("schedule: {cron: '0 6 1 1 *'}")
        #expect(run(shop) == [0])
        try shop.sql("UPDATE _sluice_runs SET started_at = '2025-06-01T00:00:00Z'")
        #expect(shop.sluice("status", shop.pipeline).output.contains("due since 2026-01-01T06:00:00Z"))
        try shop.sql("INSERT INTO _sluice_schedule_marks (pipeline, decided) VALUES ('shop', 1767247300)")
        let text = shop.sluice("status", shop.pipeline).output
        #expect(!text.contains("due since 2026-01-01") && text.contains("due "), "\(text)")
    }

    @Test func whatIsDueEverySoOftenCountsFromTheLastStart() throws {
        let shop = try shop("schedule: {every: 2h, jitter: 10m}")
        #expect(run(shop) == [0])
        try shop.sql("UPDATE _sluice_runs SET started_at = '2999-01-01T00:00:00Z'")
        #expect(shop.sluice("status", shop.pipeline).output.contains("due next at 2999-01-01T02:00:00Z\n"))
        try shop.sql("UPDATE _sluice_runs SET started_at = '2026-01-01T00:00:00Z'")
        let json = shop.sluice("status", shop.pipeline, "--format", "json").output
        #expect(json.contains(#""next_due":"2026-01-01T02:00:00Z","due_since":"2026-01-01T02:00:00Z""#), "\(json)")
    }

    // MARK: What is usual

    @Test func aRunThatReadFarLessIsMarkedUntilOneReadsEnough() throws {
        let shop = try shop()
        #expect(run(shop, times: 5) == [0, 0, 0, 0, 0])
        try move("1, 2, 3, 4", ago: 9000, took: 30, in: shop)
        try move("5", ago: 9000, took: 130, in: shop)
        try list(4, in: shop)
        // The deletes are refused, and the records were read all the same.
        #expect(run(shop) == [4])
        try move("6", ago: 60, took: 3700, in: shop)
        let text = shop.sluice("status").output
        #expect(text.contains("      took 1 h 1 min (usually 30 s), read 4 records (usually 10)\n"), "\(text)")
        #expect(text.contains("      few records: run 6 read 4, and 10 are usual\n"), "\(text)")
        // A run that cannot tell whether there is more says nothing of it.
        try shop.write("[", to: "books.json")
        #expect(run(shop) == [1])
        let json = shop.sluice("status", "--format", "json").output
        #expect(json.contains(#""usual_duration_seconds":30,"usual_records_read":10,"short_run":{"run":6,"#), "\(json)")
        #expect(json.contains(#""duration_seconds":3700,"records_read":4,"summary":"#), "\(json)")
        try list(5, in: shop)
        #expect(run(shop) == [4])
        let enough = shop.sluice("status").output
        #expect(enough.contains("read 5 records (usually 10)\n") && !enough.contains("few records"), "\(enough)")
    }

    @Test(arguments: [
        // How many books the runs before read, and whether one is far fewer.
        ([10, 10, 10, 10], false), ([10, 10, 10, 10, 10], true), ([2, 2, 2, 2, 2], false), ([3, 3, 3, 3, 3], true),
        ([1, 1, 1, 9, 9], false), ([1, 1, 9, 9, 9], true),
        // Of more than ten runs the last ten count.
        ([9, 9, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1], false),
    ])
    func fiveRunsAreEnoughToKnowWhatIsUsual(_ before: [Int], isMarked: Bool) throws {
        let shop = try shop()
        for count in before {
            try list(count, in: shop)
            #expect(run(shop, "--allow-deletes", "100") == [0])
        }
        try list(1, in: shop)
        #expect(run(shop, "--allow-deletes", "100") == [0])
        #expect(shop.sluice("status").output.contains("few records") == isMarked, "\(shop.sluice("status").output)")
    }

    @Test func aRunOfOneStreamIsNotCompared() throws {
        let shop = try shop()
        #expect(run(shop, times: 5) == [0, 0, 0, 0, 0])
        try list(1, in: shop)
        #expect(run(shop, "--stream", "books") == [4])
        let text = shop.sluice("status").output
        #expect(text.hasPrefix("shop  run 6 refused") && !text.contains("few records"), "\(text)")
        #expect(try shop.rows("SELECT count(records_read) FROM _sluice_runs") == [["integer(5)"]])
    }
}
