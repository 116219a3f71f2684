extension CommandSpec {
    /// What a store tells and takes back.
    static let stores: [CommandSpec] = [
        CommandSpec(
            id: .status, path: ["status"], summary: "show the last run of each pipeline",
            description: """
                Shows from the store alone when each pipeline ran last, how that ended, and how many conflicts are \
                open and records in quarantine.
                """,
            operands: nil, options: [.store] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice status --store sqlite:shop.db"]),
        CommandSpec(
            id: .history, path: ["history"], summary: "list the runs, or what one run changed",
            description: """
                Lists from the store alone what ran, the newest run first, or shows what one run did to each record. \
                The values of new records are shown where their entity says `history: changes`.
                """,
            operands: Operands(name: "RUN", help: "the number of a run", range: 0...1),
            options: [.store, .pipeline, .limit] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice history --pipeline bookshop --limit 50", "sluice history 7 --format json"]),
        CommandSpec(
            id: .undo, path: ["undo"], summary: "take back what a run did",
            description: """
                Deletes what the run inserted, brings back what it deleted, and sets back what it updated, with all that \
                the store remembers of the source, so that the next run would do the same again. What was touched \
                since, by hand or by a later run, stays and is listed. References to rows that go are null and wait until \
                those come back. It is a run of its own, all or nothing, and can be undone.
                """,
            operands: Operands(name: "RUN", help: "the number that `history` shows", range: 1...1),
            options: [.planOnly, .store, .wait, .changes, .quiet] + view,
            exitCodes: [.done, .failed, .locked, .usage, .interrupted, .terminated],
            examples: ["sluice undo 7 --plan", "sluice undo 7 --store sqlite:shop.db"],
            optionHelp: [.planOnly: "show what would be taken back, and write nothing"],
            exitHelp: [.failed: "failed, or some of it was left as it is, as listed"]),
        CommandSpec(
            id: .inspectRecord, path: ["inspect", "record"], summary: "show the life of one record",
            description: """
                Shows each value of a record and which run wrote it, what was edited here, what each run did to it, and \
                its conflicts and entries in quarantine. Where several fields identify a record, KEY names each of them.
                """,
            operands: Operands(
                name: "ENTITY KEY", help: "as in Book 42, Book \"a b\" or Match round=1,team=A", range: 2...2),
            options: [.store, .pipeline] + view, exitCodes: [.done, .failed, .locked, .usage],
            examples: ["sluice inspect record Book 42", "sluice inspect record Match round=1,team=A --format json"]),
    ]
}
