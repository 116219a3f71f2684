import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import SluiceSync
import Testing

/// Items with a column that loses the edit `E2` of people, by another type or by other values, and gets it back.
enum HeldEditScene {
    enum Store: String, CaseIterable, Sendable { case file, schema }

    /// How the column loses the edit `E2`.
    enum Way: String, CaseIterable, Sendable { case date, values }

    enum Step: Sendable {
        /// The source lists these records, and a run reads them.
        case source(String)
        /// A person writes.
        case edit(String)
        /// A person decides all that is open.
        case decide(Resolution)
        case undo(Int64)
        /// The column takes the other type in the one store, and in the other nothing happens but a run.
        case change
    }

    static func shop(_ store: Store, _ way: Way, _ policy: ConflictPolicy? = nil) throws -> Workshop {
        let shop = try Workshop(
            fields: [try field("id", .int), try field("v"), try field("p")],
            rule: DeleteRule(mode: .hard, minimumRecords: 0))
        if store == .schema { shop.database = try WorkshopSchema() }
        shop.keepsBase = .full
        shop.rules = ConflictRules(fallback: policy)
        try retype(shop, way, isBack: true)
        return shop
    }

    static func retype(_ shop: Workshop, _ way: Way, isBack: Bool) throws {
        shop.adjustOptions = { $0.quarantinesMisfits = !isBack }
        switch way {
        case .date: shop.fields[2].type = isBack ? .string : .date
        case .values:
            shop.fields[2].type = .enumeration
            let values = ["x", "2024-01-01", "2024-03-03", "2024-05-05"]
            shop.fields[2].values = isBack ? values + ["E2"] : values
        }
    }

    static func perform(_ step: Step, _ shop: Workshop, _ way: Way, changes: Bool) throws {
        switch step {
        case .source(let json):
            try shop.put(json)
            try run(shop, isPlanned: changes, allowing: 2)
        case .edit(let sql): try shop.sql(sql)
        case .decide(let resolution): try decide(resolution, shop)
        case .undo(let run): _ = try shop.undoPlanned(run)
        case .change:
            if changes { try retype(shop, way, isBack: false) }
            try run(shop, isPlanned: changes, allowing: 2)
        }
    }

    /// Runs what the source says. Of a store in which nothing else happens no plan is made: that plans say what runs do, others
    /// test.
    static func run(_ shop: Workshop, isPlanned: Bool, allowing deletes: Int? = nil) throws {
        if isPlanned { _ = try shop.syncPlanned(nil, allowing: deletes) } else { _ = shop.sync(allowing: deletes) }
    }

    static func decide(_ resolution: Resolution, _ shop: Workshop) throws {
        let store = try shop.open(.settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(!decisions.isEmpty && decisions.allSatisfy { $0.outcome == .resolved }, "\(decisions)")
        try store.commit()
    }

    static func row(_ shop: Workshop) throws -> [String] {
        try shop.rows("SELECT id, CAST(p AS text) FROM items WHERE id = 4")
    }

    static func open(_ shop: Workshop) throws -> [String] {
        try shop.rows(
            """
            SELECT kind || ' ' || coalesce(field, '*') || ' ' || coalesce(base, '-') || ' ' || coalesce(local, '-') || ' '
            || coalesce(remote, '-') FROM _sluice_conflicts WHERE status = 'open' ORDER BY id
            """
        ).map { String($0.dropFirst().dropLast()) }
    }

    static func edits(_ shop: Workshop) throws -> [String] {
        let store = try shop.open(.reading)
        var told: [String] = []
        try EditReader(store: store).edits(pipelines: nil, entity: nil) { edit in
            let fields = edit.fields.map { "\($0.name) \($0.base.value ?? "-") \($0.local ?? "-")" }
            told.append("\(edit.kind) \(edit.key) \(fields.joined(separator: ", "))")
        }
        return told
    }
}
