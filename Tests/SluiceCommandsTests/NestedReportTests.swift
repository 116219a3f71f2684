import Foundation
import SluiceCommands
import SluiceMerge
import SluiceModel
import SluiceReport
import SluiceStore
import Testing

/// Records of a report stand below those that they belong to.
@Suite struct NestedReportTests {
    /// What a recorder is told.
    enum Call {
        case change(Shop.Entity, [Int64], RecordChange.Action)
        case kept(Shop.Entity, [Int64])
        case conflict(Shop.Entity, [Int64])
    }

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        var limit: Int? = 200
        let calls: [Call]
        /// The lists of the report.
        let text: String

        init(_ name: String, limit: Int? = 200, _ calls: [Call], _ text: String) {
            (testDescription, self.limit, self.calls, self.text) = (name, limit, calls, text)
        }
    }

    @Test(arguments: [
        Case(
            "children stand below what they belong to, in the order of the entities",
            [
                .change(.invoice, [1], .insert), .change(.invoice, [2], .insert), .change(.text, [1, 5], .insert),
                .change(.line, [1, 8], .insert), .change(.line, [2, 8], .insert), .change(.tax, [1, 8, 0], .insert),
            ],
            """
            2 inserted into invoices
            + Invoice 1
              + Line 8
                + Tax 0
              + Text 5
            + Invoice 2
              + Line 8

            """),
        Case(
            "what is unchanged is a line that holds the others together",
            [.change(.tax, [1, 8, 0], .insert), .change(.text, [2, 5], .delete), .change(.tax, [1, 8, 1], .insert)],
            """
            changes within 2 records of invoices
              Invoice 1  (changes within it)
                Line 8  (changes within it)
                + Tax 0
                + Tax 1
              Invoice 2  (changes within it)
              - Text 5

            """),
        Case(
            "a record goes with what belonged to it, whichever was told first",
            [.change(.line, [1, 8], .delete), .change(.invoice, [1], .delete)],
            """
            1 deleted from invoices: gone from the source
            - Invoice 1
              - Line 8

            """),
        Case(
            "a conflict within a record that changes stands there",
            [.change(.invoice, [1], .insert), .change(.line, [1, 8], .conflict), .change(.line, [1, 9], .insert)],
            """
            1 inserted into invoices
              base: the source before; local: the table now, kept until a decision; remote: the source now
            + Invoice 1
              ! Line 8
              + Line 9

            """),
        Case(
            "conflicts within records that stay come last",
            [.conflict(.line, [1, 8]), .change(.line, [1, 9], .insert), .change(.line, [2, 9], .insert)],
            """
            changes within 1 record of invoices
              Invoice 2  (changes within it)
              + Line 9

            conflicts within 1 record of invoices: changed here and at the source
              base: the source before; local: the table now, kept until a decision; remote: the source now
              Invoice 1  (changes within it)
              ! Line 8
                  amount  base "1"   local "2"   remote "3"  (conflict 7)
              + Line 9

            """),
        Case(
            "what is kept stands there too",
            [.kept(.line, [1, 8])],
            """
            changes within 1 record of invoices
              Invoice 1  (changes within it)
              = Line 8

            """),
        Case(
            "other records stand in lists of their own",
            [.change(.user, [1], .insert), .change(.line, [1, 8], .insert), .change(.user, [2], .insert)],
            """
            2 inserted into users
            + User 1
            + User 2

            changes within 1 record of invoices
              Invoice 1  (changes within it)
              + Line 8

            """),
        Case(
            "a limit takes whole records from the end", limit: 4,
            [
                .change(.invoice, [1], .insert), .change(.invoice, [2], .insert), .change(.invoice, [3], .insert),
                .change(.line, [1, 8], .insert), .change(.line, [1, 9], .insert), .change(.line, [2, 8], .insert),
                .change(.line, [3, 8], .insert),
            ],
            """
            2 inserted into invoices
            + Invoice 1
              + Line 8
              + Line 9
            + Invoice 2
                … and 1 more within Invoice 2
              … and 3 more changes; list more with `sluice history 3 --limit all --store sqlite:shop.db`

            """),
        Case(
            "a limit cuts a record that has more than that", limit: 2,
            [
                .change(.line, [1, 8], .insert), .change(.line, [1, 9], .insert), .change(.line, [1, 10], .insert),
                .change(.line, [2, 8], .insert), .change(.invoice, [1], .insert),
            ],
            """
            1 inserted into invoices
            + Invoice 1
              + Line 8
                … and 2 more within Invoice 1
              … and 3 more changes; list more with `sluice history 3 --limit all --store sqlite:shop.db`

            """),
        Case(
            "nothing is called unchanged where that is not known", limit: 1,
            [.change(.invoice, [1], .insert), .change(.invoice, [2], .insert), .conflict(.line, [2, 8])],
            """
            1 inserted into invoices
            + Invoice 1
              … and 1 more change; list more with `sluice history 3 --limit all --store sqlite:shop.db`

            conflicts within 1 record of invoices, others are not listed: changed here and at the source
              base: the source before; local: the table now, kept until a decision; remote: the source now
              Invoice 2
              ! Line 8
                  amount  base "1"   local "2"   remote "3"  (conflict 7)

            """),
    ])
    func aRecordStandsBelowItsParent(_ known: Case) throws {
        let recorder = Sample.textRecorder(limit: known.limit, families: Shop.families)
        let text = try Sample.text(of: recorder, Sample.report(entity: nil)) { recorder in
            for call in known.calls { Shop.tell(call, to: recorder) }
        }
        let lists = text.components(separatedBy: "(0.4 s)\n\n").last ?? ""
        #expect(lists == known.text)
    }

    @Test func thousandsOfRecordsDoNotStayInMemory() throws {
        let recorder = Sample.textRecorder(limit: nil, families: Shop.families)
        let text = try Sample.text(of: recorder, Sample.report(entity: nil)) { recorder in
            for id in 1...60_000 as ClosedRange<Int64> { Shop.tell(.change(.invoice, [id], .insert), to: recorder) }
            Shop.tell(.change(.line, [1, 8], .insert), to: recorder)
            Shop.tell(.change(.line, [59_999, 8], .insert), to: recorder)
        }
        #expect(text.contains("\n60,000 inserted into invoices\n"))
        #expect(text.contains("+ Invoice 59999\n  + Line 8\n"))
        #expect(text.contains("changes within 1 record of invoices\n  Invoice 1\n  + Line 8\n"))
    }

    @Test func linksAreToldByWhatCameAndWent() throws {
        let recorder = Sample.textRecorder(families: Shop.families)
        let text = try Sample.text(of: recorder, Sample.report(entity: nil)) { recorder in
            var schema = Shop.schema(.line)
            schema.fields[2].isLink = true
            let (before, after) = (FieldValue("[1,2,3]"), FieldValue("[2,[4,\"x\"]]"))
            let field = RecordChange.Field(
                index: 2, fieldClass: .remoteUpdate, base: before, local: before, remote: after, result: after)
            let change = RecordChange(
                action: .update, kind: .update, key: RecordKey([.integer(1), .integer(8)]), fields: [field])
            recorder.changed(change, schema: schema)
        }
        #expect(
            text.contains(
                """
                  ~ Line 8
                      amount  + [4,"x"]
                              - 1, 3

                """))
    }

    @Test func countsAreToldByEntity() throws {
        var report = Sample.report(entity: "Invoice")
        var lines = RunSummary()
        (lines.insert, lines.unchanged) = (1200, 3)
        report.streams[0].parts = [.init(entity: "Line", summary: lines, newConflicts: 0)]
        let text = try Sample.text(of: Sample.textRecorder(families: Shop.families), report) { _ in }
        #expect(
            text.contains(
                """

                  entity         insert  update  conflict  not written  unchanged
                  Invoice             1       1         1            1          2
                  Line (within)   1,200       0         0            0          3

                """))
        report.streams[0].summary = RunSummary()
        report.streams[0].summary.unchanged = 2
        let within = try Sample.text(of: Sample.textRecorder(families: Shop.families), report) { _ in }
        #expect(within.hasPrefix("Run 3 of shop: 2 unchanged; within them 1,200 inserted  (0.4 s)\n"))
        report.streams[0].parts[0].summary.insert = 0
        let quiet = try Sample.text(of: Sample.textRecorder(families: Shop.families), report) { _ in }
        #expect(quiet == "Run 3 of shop: nothing changed, 2 unchanged  (0.4 s)\n")
    }

    /// Records of an entity that a stream brings, and the same ones as they stand within records of another stream.
    @Test func anEntityIsCountedApartWithinOthers() throws {
        var report = Sample.report(entity: "Invoice")
        report.streams[0].summary = RunSummary()
        report.streams[0].summary.insert = 12
        var users = StreamReport(stream: "users", entity: "User")
        users.summary.insert = 23
        report.streams.append(users)
        var owners = RunSummary()
        owners.unchanged = 12
        report.streams[0].parts = [.init(entity: "User", summary: owners, newConflicts: 0)]
        let table = """

              entity         insert  unchanged
              Invoice            12          0
              User               23          0
              User (within)       0         12

            """
        let text = try Sample.text(of: Sample.textRecorder(families: Shop.families), report) { _ in }
        #expect(text.contains(table), "\(text)")
        #expect(report.ownEntities["User"]?.unchanged == 0 && report.entities["User"]?.unchanged == 12)
    }
}

/// Invoices with lines and texts, the lines with taxes; and users, who belong to nothing.
enum Shop {
    enum Entity: String, CaseIterable {
        case invoice = "Invoice"
        case line = "Line"
        case tax = "Tax"
        case text = "Text"
        case user = "User"

        var keyNames: [String] {
            switch self {
            case .invoice, .user: ["id"]
            case .line: ["invoice", "id"]
            case .tax: ["invoice", "line", "position"]
            case .text: ["invoice", "number"]
            }
        }

        var parent: Entity? {
            switch self {
            case .invoice, .user: nil
            case .line, .text: .invoice
            case .tax: .line
            }
        }

        var table: String { rawValue.lowercased() + "s" }
    }

    static let families = EntityFamilies(
        Entity.allCases.map {
            .init($0.rawValue, table: $0.table, key: $0.keyNames, parent: $0.parent?.rawValue)
        })

    static func schema(_ entity: Entity) -> RecordSchema {
        RecordSchema(
            pipeline: "shop", stream: "invoices", entity: entity.rawValue, table: entity.table,
            fields: entity.keyNames.map { .init(name: $0, column: $0, type: .int) } + [
                .init(name: "amount", column: "amount", type: .json)
            ], keyFields: Array(entity.keyNames.indices))
    }

    static func tell(_ call: NestedReportTests.Call, to recorder: any ReportRecorder) {
        switch call {
        case .change(let entity, let key, let action):
            let change = RecordChange(
                action: action, kind: .update, key: RecordKey(key.map { .integer($0) }), fields: [])
            if recorder.wants(change.key, of: schema(entity)) {
                recorder.changed(change, schema: schema(entity))
            } else {
                recorder.skippedChange(of: Sample.schema)
            }
        case .kept(let entity, let key):
            let change = RecordChange(
                action: .keptLocal, kind: .update, key: RecordKey(key.map { .integer($0) }), fields: [])
            recorder.kept(change, schema: schema(entity))
        case .conflict(let entity, let key):
            let text = FieldJSON.object(key: RecordKey(key.map { .integer($0) }), schema: schema(entity))
            recorder.conflict(
                ConflictEntry(
                    id: 7, pipeline: "shop", stream: "invoices", entity: entity.rawValue, key: text, field: "amount",
                    kind: "edit_edit", base: "\"1\"", local: "\"2\"", remote: "\"3\"", policy: "manual", status: .open,
                    firstRun: 3, lastRun: 3))
        }
    }
}
