import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// Runs of before a change of type are taken back after it: what people wrote comes back as an edit, in its row or waiting for it.
@Suite("Undo across changes of type")
struct UndoAcrossTypesTests {
    private typealias Scene = HeldEditScene
    typealias Store = HeldEditScene.Store
    typealias Way = HeldEditScene.Way
    typealias Step = HeldEditScene.Step

    private static let x = said(#""x""#)
    private static let (own, early, late) = (said(#""E2""#), said(#""2024-01-01""#), said(#""2024-05-05""#))
    private static let gone = Step.source(#"[{"id":6,"v":"a"}]"#)
    private static let edit = Step.edit("UPDATE items SET p = 'E2' WHERE id = 4")
    private static let waiting = "SELECT value FROM _sluice_quarantine WHERE status = 'open'"

    private static func said(_ value: String) -> Step {
        .source(#"[{"id":4,"v":"a","p":\#(value)},{"id":6,"v":"a"}]"#)
    }

    private static func shop(
        _ store: Store, _ way: Way, _ steps: [Step], policy: ConflictPolicy? = nil
    ) throws -> Workshop {
        let shop = try Scene.shop(store, way, policy)
        for step in steps { try Scene.perform(step, shop, way, changes: true) }
        return shop
    }

    private static func expectDone(_ undo: RunReport) {
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
    }

    @Test(
        "A row that was deleted before comes back with the edit that it had",
        arguments: Seeds.pairs(in: Store.allCases, Way.allCases))
    func deletedRow(_ store: Store, _ way: Way) throws {
        let shop = try Self.shop(store, way, [Self.x, Self.edit, Self.gone])
        let before = (edits: try Scene.edits(shop), open: try Scene.open(shop))
        for step in [Step.decide(.remote), .change] { try Scene.perform(step, shop, way, changes: true) }
        let undo = try shop.undoPlanned(3).report
        Self.expectDone(undo)
        #expect(undo.problems.map(\.code).contains("values_wait"), "\(undo.problems)")
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try shop.rows(Self.waiting) == [#"'"E2"'"#])
        // Nobody took it back, so the next run asks as before.
        for _ in 1...2 {
            #expect(try Scene.edits(shop) == before.edits && Scene.open(shop) == before.open)
            #expect(try shop.syncPlanned(nil, allowing: 2).0.summary.delete == 0)
        }
        try Scene.retype(shop, way, isBack: true)
        _ = try shop.syncPlanned(nil, allowing: 2)
        #expect(try Scene.row(shop) == ["4|'E2'"])
        #expect(try shop.rows(Self.waiting) == [])
        #expect(try Scene.edits(shop) == before.edits && Scene.open(shop) == before.open)
    }

    @Test("Who takes that undo back has neither row nor value", arguments: Store.allCases)
    func deletedAgain(_ store: Store) throws {
        let shop = try Self.shop(store, .date, [Self.x, Self.edit, Self.gone, .decide(.remote), .change, .undo(3)])
        Self.expectDone(try shop.undoPlanned(5).report)
        #expect(try Scene.row(shop) == [] && shop.rows(Self.waiting) == [])
        Self.expectDone(try shop.undoPlanned(6).report)
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try shop.rows(Self.waiting) == [#"'"E2"'"#])
    }

    @Test("With the type of before, the history is as it was", arguments: Seeds.pairs(in: Store.allCases, Way.allCases))
    func thereAndBack(_ store: Store, _ way: Way) throws {
        let shop = try Self.shop(store, way, [Self.x, Self.edit, Self.gone, .decide(.remote)])
        let before = try Self.changes(of: 3, shop)
        try Scene.perform(.change, shop, way, changes: true)
        #expect(try Self.changes(of: 3, shop).map(\.row) == before.map(\.row))
        try Scene.retype(shop, way, isBack: true)
        _ = try shop.syncPlanned(nil, allowing: 2)
        #expect(try Self.changes(of: 3, shop) == before)
        let undo = try shop.undoPlanned(3).report
        Self.expectDone(undo)
        #expect(!undo.problems.map(\.code).contains("values_wait"), "\(undo.problems)")
        #expect(try Scene.row(shop) == ["4|'E2'"])
    }

    @Test(
        "An edit that a source replaced waits, and is no value of its column",
        arguments: Seeds.pairs(in: Store.allCases, Way.allCases))
    func replacedEdit(_ store: Store, _ way: Way) throws {
        let shop = try Self.shop(store, way, [Self.x, Self.edit, Self.late, .change], policy: .remoteWins)
        let undo = try shop.undoPlanned(2).report
        Self.expectDone(undo)
        let told = try #require(undo.problems.first { $0.code == "values_wait" })
        let type = way == .date ? "date" : "enum"
        #expect(told.message.hasPrefix(#"`p` of `Item` is \#(type) now and cannot hold "E2". It goes"#), "\(told)")
        #expect(told.keys == [#"{"id":4}"#] && told.entity == "Item")
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try Scene.edits(shop) == [#"edit {"id":4} p "x" "E2""#])
        let redo = try shop.undoPlanned(4).report
        Self.expectDone(redo)
        #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
        #expect(try Scene.edits(shop) == [] && shop.rows(Self.waiting) == [])
    }

    @Test(
        "What a person cleared is cleared when its row comes back", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func clearedValue(_ store: Store) throws {
        let clear = Step.edit("UPDATE items SET p = NULL WHERE id = 4")
        let shop = try Self.shop(store, .date, [Self.x, clear, Self.gone, .decide(.remote), .change])
        Self.expectDone(try shop.undoPlanned(3).report)
        #expect(try Scene.row(shop) == ["4|NULL"] && shop.rows(Self.waiting) == [])
    }

    @Test("What no type was changed for comes back as people wrote it")
    func otherFields() throws {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("p", .date)], rule: DeleteRule(mode: .hard, minimumRecords: 0))
        _ = try shop.syncPlanned(#"[{"id":4,"p":"2024-01-01"},{"id":6}]"#)
        try shop.sql("UPDATE items SET p = 'soon' WHERE id = 4")
        _ = try shop.syncPlanned(#"[{"id":6}]"#, allowing: 2)
        try Scene.decide(.remote, shop)
        Self.expectDone(try shop.undoPlanned(3).report)
        #expect(try Scene.row(shop) == ["4|'soon'"] && shop.rows(Self.waiting) == [])
    }

    // MARK: What the source wrote in its place

    @Test(
        "A value of the source waits no longer once its column holds the next one",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func nextValue(_ store: Store) throws {
        for isAtOnce in [true, false] {
            let shop = try Self.shop(store, .date, [Self.own])
            try Scene.retype(shop, .date, isBack: false)
            if !isAtOnce { _ = try shop.syncPlanned(#"[{"id":4,"v":"a"},{"id":6,"v":"a"}]"#) }
            try Scene.perform(Self.late, shop, .date, changes: true)
            #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
            #expect(try Scene.open(shop) == [] && shop.rows(Self.waiting) == [])
            // The history says what the row counted as holding.
            let last: Int64 = isAtOnce ? 2 : 3
            let column = try Self.changes(of: last, shop).flatMap(\.columns).first { $0.name == "p" }
            #expect(column?.old == FieldValue("E2") && column?.new == FieldValue("2024-05-05"))
            Self.expectDone(try shop.undoPlanned(last).report)
            #expect(try Scene.row(shop) == [isAtOnce ? "4|'E2'" : "4|NULL"])
            #expect(try shop.rows(Self.waiting) == (isAtOnce ? [] : [#"'"E2"'"#]))
            #expect(try Scene.edits(shop) == [])
        }
    }

    private static func changes(of run: Int64, _ shop: Workshop) throws -> [RecordedChange] {
        try shop.open(.reading).changes.records(run: run, order: .oldestFirst, beyond: nil, limit: 9)
    }
}
