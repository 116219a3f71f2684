import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// An edit that waits in the quarantine is the local side of its field: whatever happens meanwhile, a store whose column
/// took another type and has its old one back is as one whose column never changed.
@Suite("Edits in the quarantine are the local side")
struct HeldEditTests {
    private typealias Scene = HeldEditScene
    typealias Store = HeldEditScene.Store
    typealias Way = HeldEditScene.Way
    typealias Step = HeldEditScene.Step

    struct History: Sendable, CustomTestStringConvertible {
        let name: String
        var policy: ConflictPolicy?
        let steps: [Step]
        /// What is open while the edit waits, as in `edit_edit p "x" "E2" "2024-05-05"`.
        var open: [String] = []
        /// What the row holds while the edit waits.
        var held: [String] = ["4|NULL"]
        /// What the row holds once the old type is back.
        var back: [String] = ["4|'E2'"]
        var testDescription: String { name }
    }

    private static func record(_ value: String?) -> String {
        value.map { #"[{"id":4,"v":"a","p":\#($0)},{"id":6,"v":"a"}]"# } ?? #"[{"id":4,"v":"a"},{"id":6,"v":"a"}]"#
    }
    private static let (gone, x, null) = (Step.source(#"[{"id":6,"v":"a"}]"#), said(#""x""#), said("null"))
    private static let (early, late) = (said(#""2024-01-01""#), said(#""2024-05-05""#))
    private static let edit = Step.edit("UPDATE items SET p = 'E2' WHERE id = 4")
    private static func said(_ value: String?) -> Step { .source(record(value)) }

    private static let waiting = "SELECT value FROM _sluice_quarantine WHERE status = 'open'"

    static let histories: [History] = edits + saidValues + rowsThatGo

    private static let edits: [History] = [
        History(name: "nothing", steps: [x, edit, .change, .source(record(nil))]),
        History(
            name: "the source clears the value", steps: [x, edit, .change, null],
            open: [#"edit_clear p "x" "E2" null"#]),
        History(
            name: "it clears it, and gives another one", steps: [x, edit, .change, null, late],
            open: [#"edit_edit p "x" "E2" "2024-05-05""#]),
        History(
            name: "it clears it, and the record goes", steps: [x, edit, .change, null, gone],
            open: [#"edit_delete * - {"id":4,"v":"a","p":"E2"} -"#]),
        History(
            name: "it gives another value", steps: [x, edit, .change, late],
            open: [#"edit_edit p "x" "E2" "2024-05-05""#]),
        History(
            name: "it gives one, clears it and gives one", steps: [x, edit, .change, early, null, late],
            open: [#"edit_edit p "x" "E2" "2024-05-05""#]),
        History(
            name: "the record goes and is back without a value", steps: [x, edit, .change, gone, null, late],
            open: [#"edit_edit p "x" "E2" "2024-05-05""#]),
        History(
            name: "the source had said null", steps: [null, edit, .change, late],
            open: [#"edit_edit p null "E2" "2024-05-05""#]),
        History(
            name: "it had said nothing", steps: [said(nil), edit, .change, late],
            open: [#"add_add p - "E2" "2024-05-05""#]),
        History(
            name: "it had said null, and the record goes", steps: [null, edit, .change, gone],
            open: [#"edit_delete * - {"id":4,"v":"a","p":"E2"} -"#]),
        History(
            name: "it had said null, and a conflict was open", steps: [null, edit, early, .change],
            open: [#"edit_edit p null "E2" "2024-01-01""#]),
        History(
            name: "a row of one's own, which the source brings",
            steps: [gone, .edit("INSERT INTO items (id, v, p) VALUES (4, 'a', 'E2')"), .change, late],
            open: [#"add_add p - "E2" "2024-05-05""#]),
        History(
            name: "undo of the run that had brought the value", steps: [null, x, edit, .change, .undo(2)]),
        History(
            name: "the local side is taken", steps: [x, edit, .change, early, .decide(.local), late],
            open: [#"edit_edit p "2024-01-01" "E2" "2024-05-05""#]),
        History(
            name: "the remote side is taken", steps: [x, edit, .change, early, .decide(.remote)],
            held: ["4|'2024-01-01'"], back: ["4|'2024-01-01'"]),
        History(
            name: "the remote side is taken, and the source gives another one",
            steps: [x, edit, .change, early, .decide(.remote), late],
            held: ["4|'2024-05-05'"], back: ["4|'2024-05-05'"]),
        History(
            name: "the source's side is taken where it cleared the value",
            steps: [x, edit, .change, null, .decide(.remote)], back: ["4|NULL"]),
        History(
            name: "the deletion is taken", steps: [x, edit, .change, gone, .decide(.remote)], held: [], back: []),
        History(
            name: "the deletion is not taken", steps: [x, edit, .change, gone, .decide(.local)]),
        History(
            name: "the deletion is taken, and the record is back",
            steps: [x, edit, .change, gone, .decide(.remote), null],
            back: ["4|NULL"]),
        History(
            name: "remote_wins", policy: .remoteWins, steps: [x, edit, .change, late],
            held: ["4|'2024-05-05'"], back: ["4|'2024-05-05'"]),
        History(
            name: "remote_wins, and the source clears the value", policy: .remoteWins, steps: [x, edit, .change, null],
            back: ["4|NULL"]),
        History(name: "local_wins", policy: .localWins, steps: [x, edit, .change, early, late]),
        History(
            name: "a person writes a value that fits",
            steps: [x, edit, .change, .edit("UPDATE items SET p = '2024-03-03' WHERE id = 4"), late],
            open: [#"edit_edit p "x" "2024-03-03" "2024-05-05""#], held: ["4|'2024-03-03'"],
            back: ["4|'2024-03-03'"]),
        History(
            name: "a person deletes the row, and takes it back",
            steps: [x, edit, .change, .edit("DELETE FROM items WHERE id = 4"), null, .decide(.remote)], back: ["4|NULL"]
        ),
    ]

    // MARK: What the source said

    private static let (own, absent, cleared) = (said(#""E2""#), said(nil), null)
    private static let fitting = Step.edit("UPDATE items SET p = '2024-03-03' WHERE id = 4")
    private static let empty = Step.edit("UPDATE items SET p = NULL WHERE id = 4")

    private static let saidValues: [History] = [
        History(name: "the source's own value", steps: [own, .change, absent]),
        History(name: "its own value, and it clears it", steps: [own, .change, absent, cleared], back: ["4|NULL"]),
        History(
            name: "its own value, and it gives another one", steps: [own, .change, absent, late],
            held: ["4|'2024-05-05'"], back: ["4|'2024-05-05'"]),
        History(
            name: "its own value, an edit, and it clears it", steps: [own, .change, absent, fitting, cleared],
            open: [#"edit_clear p "E2" "2024-03-03" null"#], held: ["4|'2024-03-03'"], back: ["4|'2024-03-03'"]),
        History(
            name: "its own value, an edit, a run, and it clears it",
            steps: [own, .change, absent, fitting, absent, cleared],
            open: [#"edit_clear p "E2" "2024-03-03" null"#], held: ["4|'2024-03-03'"], back: ["4|'2024-03-03'"]),
        History(
            name: "its own value, an edit, and it gives another one",
            steps: [own, .change, absent, fitting, absent, late],
            open: [#"edit_edit p "E2" "2024-03-03" "2024-05-05""#], held: ["4|'2024-03-03'"],
            back: ["4|'2024-03-03'"]),
        History(
            name: "its own value, an edit, and it is cleared here",
            steps: [own, .change, absent, fitting, absent, empty, absent], back: ["4|NULL"]),
        History(
            name: "its own value, and the run that brought it is undone", steps: [null, own, .change, .undo(2)]),
        History(
            name: "its own value, another one, and the run that brought this is undone",
            steps: [own, late, .change, .undo(2)], back: ["4|'2024-05-05'"]),
        History(
            name: "an edit that another one replaced, which is cleared here",
            steps: [x, edit, .change, absent, fitting, absent, empty, absent], back: ["4|NULL"]),
    ]

    // MARK: Rows that go

    private static let delete = Step.edit("DELETE FROM items WHERE id = 4")
    private static let again = Step.edit("INSERT INTO items (id, v) VALUES (4, 'again')")
    private static let other = Step.source(#"[{"id":4,"v":"z"},{"id":6,"v":"a"}]"#)

    private static let rowsThatGo: [History] = [
        History(
            name: "a row with an edit is deleted here and inserted anew",
            steps: [x, edit, .change, absent, delete, absent, again, absent], back: ["4|NULL"]),
        History(
            name: "a row with the source's value is deleted here and inserted anew",
            steps: [own, .change, absent, delete, absent, again, absent], back: ["4|NULL"]),
        History(
            name: "a row is deleted here, and its source does not list it",
            steps: [own, .change, absent, delete, gone],
            held: [], back: []),
        History(
            name: "a row with the source's value goes at the source and comes back",
            steps: [own, .change, absent, gone, absent], back: ["4|NULL"]),
        History(
            name: "a row that went before comes back by undo", steps: [own, gone, .change, .undo(2), absent]),
        History(
            name: "a row that was deleted before comes back by its policy", policy: .remoteWins,
            steps: [own, delete, .change, other]),
        History(
            name: "a row that was deleted before comes back by a decision",
            steps: [own, delete, .change, other, .decide(.remote)]),
        History(
            name: "a row that was deleted before comes back by a decision, and its source gives another value",
            steps: [own, delete, .change, other, .decide(.remote), late], held: ["4|'2024-05-05'"],
            back: ["4|'2024-05-05'"]),
        History(
            name: "a decision brings a row back that was in conflict before",
            steps: [
                own, delete, .source(#"[{"id":4,"v":"z","p":"E2"},{"id":6,"v":"a"}]"#), .change, .decide(.remote),
                other,
            ]),
        History(
            name: "a row with an edit is deleted, and comes back by a decision",
            steps: [
                own, .edit("UPDATE items SET p = '2024-01-01' WHERE id = 4"), .change, absent, delete, other,
                .decide(.remote),
            ]),
    ]

    @Test(
        "A store whose column changed is in the end as one whose column did not",
        arguments: Seeds.pairs(in: Store.allCases, Way.allCases))
    func areAlike(_ store: Store, _ way: Way) throws {
        // PostgreSQL does the same, and the second way is much like the first one.
        let step = (store == .file ? 2 : 6) * (way == .date ? 1 : 2)
        for history in Seeds.some(of: Self.histories, oneOf: step) {
            let (changed, other) = (
                try Scene.shop(store, way, history.policy), try Scene.shop(store, way, history.policy)
            )
            for step in history.steps {
                try Scene.perform(step, changed, way, changes: true)
                try Scene.perform(step, other, way, changes: false)
            }
            #expect(try Scene.row(changed) == history.held, "\(history.name)")
            #expect(try Scene.open(changed) == history.open, "\(history.name)")
            #expect(try Scene.open(other) == history.open, "\(history.name)")
            try Scene.retype(changed, way, isBack: true)
            for shop in [changed, other] { _ = shop.sync() }
            for shop in [changed, other] { #expect(try Scene.row(shop) == history.back, "\(history.name)") }
            #expect(try Scene.open(changed) == Scene.open(other), "\(history.name)")
            #expect(try changed.bases == other.bases, "\(history.name)")
            #expect(try Scene.edits(changed) == Scene.edits(other), "\(history.name)")
            // What is over waits nowhere.
            #expect(try changed.rows(Self.waiting) == [], "\(history.name)")
            #expect(try changed.database.damage() == [])
        }
    }

    // MARK: One by one

    /// A row whose text somebody edited, in the quarantine since its column is a date.
    private func heldShop(_ store: Store, policy: ConflictPolicy? = nil) throws -> Workshop {
        let shop = try Scene.shop(store, .date, policy)
        for step in [Self.x, Self.edit, .change] { try Scene.perform(step, shop, .date, changes: true) }
        return shop
    }

    @Test("A row that comes back has no value of the type that its field had", arguments: Store.allCases)
    func comesBackWithoutIt(_ store: Store) throws {
        let way = Way.date
        let shop = try Scene.shop(store, way, .remoteWins)
        let steps: [Step] = [
            Self.x, .edit("DELETE FROM items WHERE id = 4"), .change,
        ]
        for step in steps { try Scene.perform(step, shop, way, changes: true) }
        let (report, _) = try shop.syncPlanned(#"[{"id":4,"v":"c"},{"id":6,"v":"a"}]"#, allowing: 2)
        #expect(report.status == .succeeded && report.summary.quarantined == 0, "\(report.problems)")
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try Scene.edits(shop) == [])
        try Scene.retype(shop, way, isBack: true)
        #expect(shop.sync().report.status == .succeeded)
    }

    @Test("Edits are listed while they wait", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func areListed(_ store: Store) throws {
        let shop = try heldShop(store)
        let listed = [#"edit {"id":4} p "x" "E2""#]
        #expect(try Scene.edits(shop) == listed)
        try Scene.perform(Self.null, shop, .date, changes: true)
        #expect(try Scene.edits(shop) == listed)
        #expect(shop.sync(.plan).report.edits?.values == 1)
    }

    @Test(
        "An edit that is given up counts as none: what the source says next is taken",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func isGivenUp(_ store: Store) throws {
        for first in [Step.source(Self.record(nil)), Self.null, Self.early] {
            let shop = try heldShop(store)
            try Scene.perform(first, shop, .date, changes: true)
            try drop(shop)
            #expect(try Scene.edits(shop) == [])
            try Scene.perform(Self.late, shop, .date, changes: true)
            #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
            #expect(try Scene.open(shop) == [])
        }
    }

    @Test("So does a value of the source", arguments: Store.allCases)
    func isGivenUpAsWell(_ store: Store) throws {
        let shop = try Scene.shop(store, .date)
        for step in [Self.own, .change, Self.absent] { try Scene.perform(step, shop, .date, changes: true) }
        try drop(shop)
        #expect(try Scene.edits(shop) == [])
        try Scene.perform(Self.late, shop, .date, changes: true)
        #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
        #expect(try Scene.open(shop) == [])
    }

    @Test(
        "A row that is marked as deleted and comes back begins anew",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func isMarkedAndBack(_ store: Store) throws {
        let shop = try Scene.shop(store, .date)
        shop.rule = DeleteRule(mode: .soft, minimumRecords: 0)
        for step in [Self.own, .change, Self.absent, Self.gone, Self.absent] {
            try Scene.perform(step, shop, .date, changes: true)
        }
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try shop.rows(Self.waiting) == [])
        try Scene.retype(shop, .date, isBack: true)
        #expect(shop.sync().report.status == .succeeded)
        #expect(try Scene.row(shop) == ["4|NULL"])
    }

    @Test(
        "Undo of the run that brought a row back leaves nothing that waits",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func isTakenBackWithItsRow(_ store: Store) throws {
        let shop = try Scene.shop(store, .date, .remoteWins)
        for step in [Self.own, Self.delete, .change, Self.other] {
            try Scene.perform(step, shop, .date, changes: true)
        }
        let waiting = Self.waiting + " AND reason = 'type_changed:p'"
        #expect(try shop.rows(waiting) == [#"'"E2"'"#])
        let undo = try shop.undoPlanned(3).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(try Scene.row(shop) == [] && shop.rows(waiting) == [])
    }

    @Test("But a row into which somebody wrote since stays", arguments: Store.allCases)
    func isEditedAndStays(_ store: Store) throws {
        let shop = try Scene.shop(store, .date, .remoteWins)
        for step in [Self.own, Self.delete, .change, Self.other, Self.fitting] {
            try Scene.perform(step, shop, .date, changes: true)
        }
        #expect(try shop.undoPlanned(3).report.left > 0)
        #expect(try Scene.row(shop) == ["4|'2024-03-03'"])
    }

    @Test("Who takes that back has the edit again", arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func isTakenUpAgain(_ store: Store) throws {
        let shop = try heldShop(store)
        let before = (bases: try shop.bases, edits: try Scene.edits(shop))
        try drop(shop)
        #expect(shop.undo(3).report.status == .succeeded)
        #expect(try shop.bases == before.bases)
        #expect(try Scene.edits(shop) == before.edits)
    }

    private func drop(_ shop: Workshop) throws {
        let store = try shop.open(.settling)
        try store.begin()
        let entries = try store.quarantine.list(includingClosed: false).filter { $0.changedField != nil }
        #expect(try QuarantineDrop(store: store).carryOut(entries, who: "ada").count == 1)
        try store.commit()
    }

    @Test(
        "Undo of the run that wrote something over it has it wait again",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func waitsAgain(_ store: Store) throws {
        let shop = try heldShop(store, policy: .remoteWins)
        try Scene.perform(Self.late, shop, .date, changes: true)
        #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
        #expect(try Scene.edits(shop) == [])
        let undo = try shop.undoPlanned(3).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try Scene.edits(shop) == [#"edit {"id":4} p "x" "E2""#])
        let types = try shop.undoPlanned(2).report
        #expect(types.status == .succeeded && types.left == 0, "\(types.problems)")
        #expect(try Scene.row(shop) == ["4|'E2'"])
    }

    @Test("Undo of a run that changed the type and wrote over the edit brings it back", arguments: Store.allCases)
    func comesBack(_ store: Store) throws {
        let shop = try Scene.shop(store, .date, .remoteWins)
        for step in [Self.x, Self.edit] { try Scene.perform(step, shop, .date, changes: true) }
        try Scene.retype(shop, .date, isBack: false)
        try Scene.perform(Self.late, shop, .date, changes: true)
        #expect(try Scene.row(shop) == ["4|'2024-05-05'"])
        let undo = try shop.undoPlanned(2).report
        #expect(undo.status == .succeeded && undo.left == 0, "\(undo.problems)")
        #expect(try Scene.row(shop) == ["4|'E2'"])
        #expect(try shop.rows("SELECT value FROM _sluice_quarantine WHERE status = 'open'") == [])
    }

    @Test(
        "An edit that people replaced by one that waits is over, and the later one comes back",
        arguments: Seeds.some(of: Store.allCases, oneOf: 2))
    func theLaterOne(_ store: Store) throws {
        let shop = try heldShop(store)
        try shop.sql("UPDATE items SET p = '2024-03-03' WHERE id = 4")
        shop.fields[2].type = .int
        _ = try shop.syncPlanned(#"[{"id":4,"v":"a"},{"id":6,"v":"a"}]"#)
        #expect(try Scene.row(shop) == ["4|NULL"])
        #expect(try Scene.edits(shop) == [#"edit {"id":4} p "x" "2024-03-03""#])
        try Scene.retype(shop, .date, isBack: true)
        _ = try shop.syncPlanned()
        #expect(try Scene.row(shop) == ["4|'2024-03-03'"])
        #expect(try shop.rows(Self.waiting) == [])
    }

    @Test(
        "Without the flag, the message names one that is accepted",
        arguments: Seeds.pairs(in: Store.allCases, ["null", #""x""#]))
    func isAccepted(_ store: Store, _ base: String) throws {
        let shop = try Scene.shop(store, .date)
        for step in [Self.said(base), Self.edit] { try Scene.perform(step, shop, .date, changes: true) }
        shop.fields[2].type = .date
        let refused = shop.sync().report
        #expect(refused.status == .refused)
        #expect(refused.problems.contains { $0.message.contains("--allow-schema quarantine") })
        shop.adjustOptions = { $0.quarantinesMisfits = true }
        #expect(shop.sync().report.status == .succeeded)
        #expect(try Scene.row(shop) == ["4|NULL"])
    }
}
