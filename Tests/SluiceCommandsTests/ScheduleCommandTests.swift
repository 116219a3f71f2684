import Testing

@Suite struct ScheduleCommandTests {
    /// Pipelines by their names with the value of `schedule`; nil for none.
    private func shop(_ schedules: [(String, String?)]) throws -> Workshop {
        let shop = try Workshop()
        for (name, schedule) in schedules {
            try shop.write(
                """
                version: 1
                name: \(name)
                \(schedule.map { "schedule: \($0)" } ?? "")
                source: {base_url: "file:."}
                entities: {Book: {table: \(name), primary_key: id, fields: {id: int}}}
                streams: [{name: books, entity: Book, path: books.json}]
                """, to: "\(name).yaml")
        }
        return shop
    }

    @Test func dueTimesOfAllPipelinesAreSortedByTime() throws {
        let shop = try shop([
            ("orders", "{cron: '30 2 * * *', timezone: Europe/Berlin, after: [customers]}"),
            ("customers", "{cron: '30 2 * * *', timezone: Europe/Berlin}"), ("prices", "{every: 20h, jitter: 30s}"),
            ("other", nil),
        ])
        let outcome = shop.run(["schedule", shop.folder, "--from", "2026-03-28T12:00:00Z", "--next", "2"])
        #expect(outcome.code == 0 && outcome.errors == "")
        #expect(
            outcome.output == """
                UTC                   local time                         pipeline
                2026-03-29T01:00:00Z  2026-03-29T03:00:00+02:00  Sunday  customers
                2026-03-29T01:00:00Z  2026-03-29T03:00:00+02:00  Sunday  orders     after customers
                2026-03-29T08:00:00Z  2026-03-29T08:00:00Z       Sunday  prices     starts 20 s later; from the last start
                2026-03-30T00:30:00Z  2026-03-30T02:30:00+02:00  Monday  customers
                2026-03-30T00:30:00Z  2026-03-30T02:30:00+02:00  Monday  orders     after customers
                2026-03-30T04:00:00Z  2026-03-30T04:00:00Z       Monday  prices     starts 25 s later; from the last start
                other has no `schedule`.

                """)
    }

    /// It reads no source, so that nothing is missing where a run would miss something.
    @Test func whatOnlyARunNeedsIsNotMissed() throws {
        let shop = try shop([("orders", "{cron: '@daily'}")])
        let source = #"{base_url: "https://api.example.com", headers: {A: "${env:NO_SUCH_KEY}", B: "${file:no-such}"}}"#
        try shop.write(
            try shop.read("orders.yaml").replacing(#"{base_url: "file:."}"#, with: source), to: "orders.yaml")
        let outcome = shop.run(["schedule", shop.folder])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
        try shop.write(try shop.read("orders.yaml") + "\nno_such: 1\n", to: "orders.yaml")
        #expect(shop.run(["schedule", shop.folder]).errors.contains("no_such"))
    }

    @Test func jsonNamesEachSchedule() throws {
        let shop = try shop([("orders", "{cron: '@daily', after: [prices]}"), ("prices", "{every: 90m}")])
        let outcome = shop.run([
            "schedule", "\(shop.folder)/orders.yaml", "\(shop.folder)/prices.yaml", "--from", "2026-01-01", "--next=1",
            "--format=json",
        ])
        #expect(
            outcome.output == """
                {"format":"sluice.schedule/1","from":"2026-01-01T00:00:00Z","pipelines":[
                {"name":"orders","file":"\(shop.folder)/orders.yaml","cron":"@daily","timezone":"UTC",\
                "jitter_seconds":0,"after":["prices"]},
                {"name":"prices","file":"\(shop.folder)/prices.yaml","every_seconds":5400,"jitter_seconds":0,"after":[]}
                ],"due":[
                {"pipeline":"prices","at":"2026-01-01T01:30:00Z","local":"2026-01-01T01:30:00Z",\
                "start":"2026-01-01T01:30:00Z"},
                {"pipeline":"orders","at":"2026-01-02T00:00:00Z","local":"2026-01-02T00:00:00Z",\
                "start":"2026-01-02T00:00:00Z"}
                ]}

                """)
    }

    @Test func pipelinesThatWaitForEachOtherAreRefused() throws {
        let shop = try shop([("a", "{every: 1h, after: [b]}"), ("b", "{every: 1h, after: [a]}")])
        for command in ["schedule", "validate"] {
            let outcome = shop.run([command, shop.folder])
            let text = outcome.output + outcome.errors
            #expect(outcome.code == 78)
            #expect(
                text.contains("a.yaml:3:30: error: Schedules in a circle: `schedule.after`, `a → b → a`"), "\(text)")
            #expect(text.contains("Leave one of these names out of `after`."))
        }
        // A run needs no schedule.
        #expect(!shop.run(["plan", shop.folder]).errors.contains("circle"))
    }

    @Test func aPipelineThatIsNotThereIsAWarning() throws {
        let shop = try shop([("a", "{every: 1h, after: [customers]}")])
        let outcome = shop.run(["schedule", shop.folder])
        #expect(outcome.code == 0 && outcome.output.contains("after customers"))
        #expect(outcome.errors.contains("a.yaml:3:30: warning: Unknown pipeline"), "\(outcome.errors)")
        #expect(shop.run(["validate", shop.folder, "--strict"]).code == 0)
    }

    @Test func problemsOfFilesAreTold() throws {
        let shop = try shop([("a", "{cron: '61 * * * *'}")])
        let outcome = shop.run(["schedule", shop.folder])
        #expect(outcome.code == 78 && outcome.output == "")
        #expect(
            outcome.errors.contains("`schedule.cron` is not valid. In its minute, `61`: 61 is not within 0 to 59."),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("help: Write a number from 0 to 59."))
    }
}
