import SluiceModel
import SluicePipeline
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Elements that were taken out here, and children that a decision waits for, once what they belong to is gone.
@Suite("Children taken out of records that are gone")
struct TakenOutElementTests {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What people delete.
        let edit: String
        /// What the source says afterwards, run by run.
        let source: [String]
        /// The rows then, as in `a c/1 3/k l`: elements, those within them and children by key.
        let rows: String
        /// The open conflicts, from the first to the last.
        var open: [String] = []
    }

    static let start = item(["a", "b", "c"], ["1", "2", "3"], [("k", "x"), ("l", "y")])
    static let last = "DELETE FROM ls WHERE position = 1"
    static let inner = "DELETE FROM ms WHERE position = 1"
    static let child = "DELETE FROM ks WHERE k = 'k'"

    static let cases = [
        Case(testDescription: "nothing was taken out", edit: "", source: ["[]"], rows: "//"),
        Case(
            testDescription: "an element, and the record is gone", edit: last, source: ["[]"], rows: "a c/1 2 3/k l",
            open: ["Item edit_delete"]),
        Case(
            testDescription: "all elements, and the record is gone", edit: "DELETE FROM ms; DELETE FROM ls",
            source: ["[]"], rows: "//k l", open: ["Item edit_delete"]),
        Case(
            testDescription: "an element within one, and the record is gone", edit: inner, source: ["[]"],
            rows: "a b c/1 3/k l", open: ["Item edit_delete"]),
        Case(
            testDescription: "an element of a list that is asked about, and the record is gone", edit: last,
            source: [item(["a"], ["1", "2", "3"], [("k", "x"), ("l", "y")]), "[]"], rows: "a c/1 2 3/k l",
            open: ["Item edit_delete"]),
        Case(
            testDescription: "an element within one, and the outer list is empty", edit: inner,
            source: [item([], [], [("k", "x"), ("l", "y")])], rows: "a b c/1 3/k l", open: ["L edit_edit"]),
        Case(
            testDescription: "an element within one that is asked about, and the outer list is empty", edit: inner,
            source: [
                item(["a", "b", "c"], ["1"], [("k", "x"), ("l", "y")]), item([], [], [("k", "x"), ("l", "y")]),
            ], rows: "a b c/1 3/k l", open: ["M edit_edit", "L edit_edit"]),
        Case(
            testDescription: "an element with all within it, as the source comes to do",
            edit: "DELETE FROM ms; DELETE FROM ls WHERE position >= 0",
            source: [item([], [], [("k", "x"), ("l", "y")])], rows: "//k l"),
        Case(
            testDescription: "a child that is asked about, and the record is gone", edit: child,
            source: [item(["a", "b", "c"], ["1", "2", "3"], [("k", "z"), ("l", "y")]), "[]"],
            rows: "a b c/1 2 3/l", open: ["K delete_edit", "Item edit_delete"]),
        Case(
            testDescription: "a child that nobody is asked about, and the record is gone", edit: child,
            source: ["[]"], rows: "//"),
    ]

    /// Item 1 with the values of its elements, what is within the first of them, and its children by key.
    private static func item(_ outer: [String], _ inner: [String], _ children: [(String, String)]) -> String {
        let within = inner.map { "\"\($0)\"" }.joined(separator: ",")
        let elements = outer.enumerated().map { "{\"v\":\"\($1)\",\"ms\":[\($0 == 0 ? within : "")]}" }
        let keyed = children.map { "{\"k\":\"\($0)\",\"v\":\"\($1)\"}" }
        return
            "[{\"id\":1,\"ls\":[\(elements.joined(separator: ","))],\"ks\":[\(keyed.joined(separator: ","))]}]"
    }

    private func shop(_ store: Store, policy: ConflictPolicy = .manual) throws -> Workshop {
        let shop = try Workshop()
        if store == .schema { shop.database = try WorkshopSchema() }
        try shop.define(
            "taken",
            """
            merge: {on_conflict: \(policy.rawValue)}
            entities:
              Item:
                table: items
                primary_key: [id]
                fields: {id: int}
                children:
                  ls: {entity: L, from: "ls[*]", ordered: true}
                  ks: {entity: K, from: "ks[*]", key: [k]}
              L:
                table: ls
                fields: {v: string}
                children: {ms: {entity: M, from: "ms[*]", ordered: true}}
              M: {table: ms, fields: {w: {from: $, type: string}}}
              K: {table: ks, fields: {k: string, v: string}}
            streams:
              - {name: items, entity: Item, path: remote.json,
                 delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
            """)
        return shop
    }

    private func rows(_ shop: Workshop) throws -> String {
        try ["SELECT v FROM ls ORDER BY position", "SELECT w FROM ms ORDER BY position", "SELECT k FROM ks ORDER BY k"]
            .map { try shop.values($0).map { $0[0] }.joined(separator: " ") }.joined(separator: "/")
    }

    private func open(_ shop: Workshop) throws -> [String] {
        try shop.values("SELECT entity || ' ' || kind FROM _sluice_conflicts WHERE status = 'open' ORDER BY id").map {
            $0[0]
        }
    }

    @Test(arguments: Seeds.pairs(cases, in: Store.allCases))
    func theRecordStaysUntilSomebodyDecides(_ known: Case, _ store: Store) throws {
        let shop = try shop(store)
        _ = try shop.syncPlanned(Self.start)
        if !known.edit.isEmpty { try shop.sql(known.edit) }
        for said in known.source { _ = try shop.syncPlanned(said) }
        #expect(try rows(shop) == known.rows)
        #expect(try open(shop) == known.open)
        #expect(try shop.quietRun().written == [])
        guard known.open.contains("Item edit_delete") else { return }
        let notes = try shop.values("SELECT note FROM _sluice_conflicts WHERE kind = 'edit_delete'").map { $0[0] }
        #expect(notes.count == 1 && notes.allSatisfy { $0.hasSuffix(" within it was deleted here") }, "\(notes)")
        // What is decided for the source lets all of it go.
        let opened = try shop.open(.settling)
        try opened.begin()
        var decisions = try opened.conflicts.list(includingClosed: false).filter { $0.kind == "edit_delete" }
            .map { ConflictDecision($0, .remote) }
        try ConflictResolver(store: opened).carryOut(&decisions, who: "ada")
        try opened.commit()
        #expect(decisions.map(\.outcome) == [.resolved])
        #expect(try rows(shop) == "//")
        #expect(try open(shop) == [])
        #expect(try shop.quietRun().written == [])
    }

    /// An element that is put back leaves nothing to ask about, so that the record goes.
    @Test(arguments: Store.allCases)
    func theRecordGoesOnceTheElementIsBack(store: Store) throws {
        let shop = try shop(store)
        _ = try shop.syncPlanned(Self.start)
        try shop.sql("CREATE TABLE kept AS SELECT * FROM ms WHERE position = 1")
        try shop.sql(Self.inner)
        _ = try shop.syncPlanned("[]")
        #expect(try open(shop) == ["Item edit_delete"])
        try shop.sql("INSERT INTO ms SELECT * FROM kept")
        _ = try shop.syncPlanned()
        #expect(try rows(shop) == "//")
        #expect(try open(shop) == [])
    }

    /// A policy that takes the source's side of both has the record go with its list.
    @Test(arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func aPolicyLetsTheListGo(store: Store) throws {
        let shop = try shop(store, policy: .remoteWins)
        _ = try shop.syncPlanned(Self.start)
        try shop.sql(Self.last)
        _ = try shop.syncPlanned("[]")
        #expect(try rows(shop) == "//")
        #expect(try open(shop) == [])
    }
}
