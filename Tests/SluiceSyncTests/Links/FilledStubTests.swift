import SluicePipeline
import SluiceReport
import TestSupport
import Testing

/// Rows that were made for records that are referred to, once these come: a further run with the same input writes nothing,
/// which ``Tracker/run(_:)`` sees to.
@Suite("Stubs that are filled")
struct FilledStubTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var author = "upsert: false, "
        var user = "primary_key: id, fields: {id: int, name: string}"
        var entities = ""
        var issue = "title: string"
        let steps: [Tracker.Step]
        let users: [String]
        /// What is in the table where nothing is deleted; nil where that is the same.
        var kept: [String]?
    }

    private static func issue(_ user: String) -> String { #"[{"id":1,"user":\#(user)}]"# }
    private static let ann = #"[{"id":42,"name":"Ann"}]"#

    static let cases = [
        Case(
            testDescription: "from its stream",
            steps: [.init(issues: issue("42")), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "from its stream, where it may also stand within", author: "",
            steps: [.init(issues: issue("42")), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "from within", author: "",
            steps: [.init(issues: issue("42"), users: "[]"), .init(issues: issue(#"{"id":42,"name":"Ann"}"#))],
            users: ["42|'Ann'"]),
        Case(
            testDescription: "from both", author: "",
            steps: [
                .init(issues: issue("42"), users: "[]"),
                .init(issues: issue(#"{"id":42,"name":"Ann"}"#), users: ann),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "from within, then from its stream", author: "",
            steps: [
                .init(issues: issue("42"), users: "[]"), .init(issues: issue(#"{"id":42,"name":"Anna"}"#)),
                .init(users: ann),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "with nothing but its key",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42}]"#)], users: ["42|NULL"]),
        Case(
            testDescription: "with a null",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42,"name":null}]"#)],
            users: ["42|NULL"]),
        Case(
            testDescription: "with a default",
            user: "primary_key: id, fields: {id: int, name: {type: string, default: x}}",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42}]"#)], users: ["42|'x'"]),
        Case(
            testDescription: "with a required field",
            user: "primary_key: id, fields: {id: int, name: {type: string, required: true}}",
            steps: [.init(issues: issue("42"), users: "[]"), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "with a unique value",
            user: "primary_key: id, unique: [[name]], fields: {id: int, name: string}",
            steps: [
                .init(issues: issue("42"), users: #"[{"id":7,"name":"Ann"}]"#),
                .init(users: #"[{"id":7,"name":"Bob"},{"id":42,"name":"Ann"}]"#),
            ], users: ["7|'Bob'", "42|'Ann'"]),
        Case(
            testDescription: "with a field that the source owns",
            user: "primary_key: id, fields: {id: int, name: {type: string, owner: remote}}",
            steps: [.init(issues: issue("42")), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "with a field that people own",
            user: "primary_key: id, fields: {id: int, name: {type: string, owner: local}}",
            steps: [.init(issues: issue("42")), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "with nothing but its key, and later with a field that people own",
            user: "primary_key: id, fields: {id: int, name: {type: string, owner: local}}",
            steps: [.init(issues: issue("42")), .init(users: #"[{"id":42}]"#), .init(users: ann)],
            users: ["42|NULL"]),
        Case(
            testDescription:
                "of which there was none, since the record came with its key alone, and later with a field that people own",
            user: "primary_key: id, fields: {id: int, name: {type: string, owner: local}}",
            steps: [.init(users: #"[{"id":42}]"#), .init(issues: issue("42"), users: ann)], users: ["42|NULL"]),
        Case(
            testDescription: "once it was deleted, with a field that people own",
            user: "primary_key: id, fields: {id: int, name: {type: string, owner: local}}",
            steps: [
                .init(issues: issue("42"), users: ann), .init(users: "[]"), .init(users: #"[{"id":42,"name":"Eve"}]"#),
            ], users: ["42|'Eve'"], kept: ["42|'Ann'"]),
        Case(
            testDescription: "with records within",
            user:
                "primary_key: id, fields: {id: int, name: string}, children: {notes: {entity: Note, from: 'notes[*]', key: [id]}}",
            entities: "Note: {fields: {id: int}}",
            steps: [
                .init(issues: issue("42")), .init(users: #"[{"id":42,"name":"Ann","notes":[{"id":1}]}]"#),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "with a list within",
            user:
                "primary_key: id, fields: {id: int, name: string}, children: {notes: {entity: Note, from: 'notes[*]', ordered: true}}",
            entities: "Note: {fields: {id: int}}",
            steps: [
                .init(issues: issue("42")), .init(users: #"[{"id":42,"name":"Ann","notes":[{"id":1}]}]"#),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "once it was deleted and stands for others",
            steps: [
                .init(issues: issue("42"), users: ann), .init(users: "[]"), .init(users: #"[{"id":42,"name":"Eve"}]"#),
            ], users: ["42|'Eve'"]),
        Case(
            testDescription: "once it was deleted, with a null",
            steps: [
                .init(issues: issue("42"), users: ann), .init(users: "[]"), .init(users: #"[{"id":42,"name":null}]"#),
            ], users: ["42|NULL"]),
        Case(
            testDescription: "once it was deleted, as it was",
            steps: [.init(issues: issue("42"), users: ann), .init(users: "[]"), .init(users: ann)], users: ["42|'Ann'"]),
        Case(
            testDescription: "once it was deleted while an object speaks of it", author: "",
            steps: [
                .init(issues: issue(#"{"id":42,"name":"Ann"}"#), users: ann), .init(users: "[]"), .init(users: ann),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "once it was deleted while an object says something else of it", author: "",
            steps: [
                .init(issues: issue(#"{"id":42,"name":"Anna"}"#), users: ann), .init(users: "[]"),
                .init(users: #"[{"id":42,"name":"Eve"}]"#),
            ], users: ["42|'Eve'"]),
        Case(
            testDescription: "once it was deleted, without its name",
            steps: [
                .init(issues: issue("42"), users: ann), .init(users: "[]"), .init(users: #"[{"id":42}]"#),
            ], users: ["42|NULL"], kept: ["42|'Ann'"]),
        Case(
            testDescription: "with a set",
            user: "primary_key: id, fields: {id: int, name: string, marks: {refs: Label, upsert: false}}",
            steps: [
                .init(issues: issue("42")), .init(users: #"[{"id":42,"name":"Ann","marks":[1,77]}]"#),
                .init(labels: #"[{"id":1},{"id":77}]"#),
            ], users: ["42|'Ann'"]),
        Case(
            testDescription: "with what is made for it in turn",
            user:
                "primary_key: id, fields: {id: int, name: string, boss: {ref: User, upsert: false, on_dangling: stub}}",
            steps: [
                .init(issues: issue("42")), .init(users: #"[{"id":42,"name":"Ann","boss":43}]"#),
                .init(users: #"[{"id":42,"name":"Ann","boss":43},{"id":43,"name":"Bob"}]"#),
            ], users: ["42|'Ann'", "43|'Bob'"]),
    ]

    @Test(arguments: Seeds.pairs(cases, in: ["hard", "soft", "ignore"]))
    func filled(_ test: Case, mode: String) throws {
        let tracker = try Tracker(
            issue: "\(test.issue)\n      author: {ref: User, from: user, \(test.author)on_dangling: stub}",
            user: test.user, entities: test.entities)
        if mode != "hard" {
            for index in tracker.shop.definition?.streams.indices ?? 0..<0 {
                tracker.shop.definition?.streams[index].deleteMissing.mode = mode == "soft" ? .soft : .ignore
            }
        }
        for step in test.steps { try tracker.run(step) }
        let rows = try tracker.shop.rows("SELECT id, name FROM users ORDER BY id")
        let users = mode == "ignore" ? test.kept ?? test.users : test.users
        if mode == "hard" { #expect(rows == users) } else { #expect(Set(rows).isSuperset(of: users)) }
    }

    /// What another stream says of the record within its own, where that gave way, is in no row and nobody's edit of the stub.
    @Test(arguments: ["a, b", "b, a", "b, a, t"]) func filledWhereAnotherStreamGaveWay(_ order: String) throws {
        let shop = try Workshop()
        let gone = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            merge: {precedence: [\(order)]}
            entities:
              R: {table: r, primary_key: id, fields: {id: int, t: {ref: T, from: t, on_dangling: stub}}}
              T: {table: t, primary_key: id, fields: {id: int, v: string}}
            streams:
              - {name: a, entity: R, path: a.json, \(gone)}
              - {name: b, entity: R, path: b.json, \(gone)}
              - {name: t, entity: T, path: t.json, \(gone)}
            """)
        let steps: [[String: String]] = [
            ["a": "[]", "b": #"[{"id":2,"t":2}]"#, "t": #"[{"id":2,"v":"a"}]"#],
            ["b": #"[{"id":2,"t":2},{"id":1,"t":{"id":2,"v":"b"}}]"#], ["t": "[]"],
            ["a": #"[{"id":2,"t":{"id":2,"v":"c"}}]"#],
        ]
        for step in steps {
            for (stream, json) in step { try shop.put(json, as: "\(stream).json") }
            let (report, _) = try shop.syncPlanned()
            #expect(report.status == .succeeded && report.summary.conflict == 0)
            let (again, written) = try shop.quietRun()
            #expect(written == [] && !again.hasChanges)
        }
        // The one that goes first says what it said before of the record, which is there again.
        try #expect(shop.rows("SELECT id, v FROM t") == [order.hasPrefix("a") ? "2|'c'" : "2|'b'"])
    }

    /// A row that somebody emptied is none that stands for a record: what another stream lists of it then is not taken for it.
    @Test func aRowThatSomebodyEmptiedIsNotFilled() throws {
        let shop = try Workshop()
        let gone = "delete_missing: {mode: hard, max_delete: 100%, min_records: 0}"
        try shop.define(
            "shop",
            """
            merge: {precedence: [t, t2, a]}
            entities:
              R: {table: r, primary_key: id, fields: {id: int, t: {ref: T, from: t, on_dangling: stub}}}
              T: {table: t, primary_key: id, fields: {id: int, v: string}}
            streams:
              - {name: a, entity: R, path: a.json, \(gone)}
              - {name: t, entity: T, path: t.json, \(gone)}
              - {name: t2, entity: T, path: t2.json, \(gone)}
            """)
        try shop.put(#"[{"id":1,"t":2}]"#, as: "a.json")
        try shop.put(#"[{"id":2,"v":"t"}]"#, as: "t.json")
        try shop.put("[]", as: "t2.json")
        _ = try shop.syncPlanned()
        try shop.sql("UPDATE t SET v = NULL")
        try shop.put("[]", as: "t.json")
        _ = try shop.syncPlanned()
        try shop.put(#"[{"id":2,"v":"t2"}]"#, as: "t2.json")
        _ = try shop.syncPlanned()
        try #expect(shop.rows("SELECT id, v FROM t") == ["2|NULL"])
    }
}
