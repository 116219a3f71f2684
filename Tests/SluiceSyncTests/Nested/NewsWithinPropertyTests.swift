import SluiceModel
import SluicePipeline
import SluiceReport
import SluiceReview
import SluiceStore
import TestSupport
import Testing

/// Records that somebody deleted with all that belongs to them, and of which the source changes something then: however the open
/// conflict ends, the base is as before it, so that nothing of that news is lost and nothing is taken for people's.
@Suite struct NewsWithinPropertyTests {
    /// One history: what the source says first, what it says next, and how the tables are shaped.
    private struct History {
        let seed: UInt64
        let mode: DeleteRule.Mode
        let line: String
        let tax: String
        /// What somebody brings back by hand: all as it was, the record alone, or all and edits it then.
        enum Back: CaseIterable { case asItWas, alone, edited }
        let back: Back
        let before: String
        /// What the source says for a while.
        let meanwhile: String?
        let news: String
        /// What it says once the rows are back.
        let later: String

        init(seed: UInt64, mode: DeleteRule.Mode? = nil) {
            var chance = SeededGenerator(seed: seed &* 15_485_863)
            self.seed = seed
            let drawn = Bool.random(using: &chance) ? DeleteRule.Mode.hard : .soft
            self.mode = mode ?? drawn
            line = ["id", "position"].randomElement(using: &chance) ?? ""
            tax = ["id", "position"].randomElement(using: &chance) ?? ""
            before = Self.source(&chance, total: 1)
            news = Self.source(&chance, total: 3)
            back = Back.allCases.randomElement(using: &chance) ?? .asItWas
            meanwhile = Bool.random(using: &chance) ? Self.source(&chance, total: 2) : nil
            later = Bool.random(using: &chance) ? Self.source(&chance, total: 4) : news
        }

        /// An invoice with lines and taxes of lines, and one that changed later.
        private static func source(_ chance: inout SeededGenerator, total: Int) -> String {
            func some(_ ids: ClosedRange<Int>, _ one: (Int) -> String) -> String {
                "[" + ids.filter { _ in Int.random(in: 0..<3, using: &chance) > 0 }.map(one).joined(separator: ",")
                    + "]"
            }
            let lines = some(10...12) { line in
                let taxes = some(1...2) { tax in #"{"id":\#(tax),"rate":\#(Int.random(in: 0..<2, using: &chance))}"# }
                return
                    #"{"id":\#(line),"note":"\#(Bool.random(using: &chance) ? "a" : "b")","taxes":\#(taxes)}"#
            }
            let other = #"{"id":2,"total":0,"at":"2024-0\#(2 * total)-01T00:00:00Z","lines":[]}"#
            return
                #"[{"id":1,"total":\#(total),"at":"2024-0\#(2 * total - 1)-01T00:00:00Z","lines":\#(lines)},\#(other)]"#
        }

        var told: Comment {
            "seed \(seed), \(mode), \(line), \(tax), \(back): \(before) \(meanwhile ?? "") \(news) \(later)"
        }

        /// A store that has what the source said first.
        func shop(isIncremental: Bool = false) throws -> Workshop {
            let shop = try Workshop()
            try shop.defineInvoices(line: line, tax: tax, mode: mode, invoice: "id: int, total: int, at: datetime")
            if isIncremental {
                var rule = IncrementalRule(field: "at")
                rule.isClientSide = true
                shop.definition?.streams[0].incremental = rule
            }
            shop.keepsBase = .full
            _ = try shop.syncPlanned(before)
            return shop
        }

        /// The first invoice, or what belongs to it.
        private static func isFirst(_ table: String) -> String {
            "\(["invoice": "id", "line": "invoice_id", "tax": "line_invoice_id"][table] ?? "") = 1"
        }

        /// Deletes the invoice and what belongs to it by hand.
        func delete(in shop: Workshop) throws {
            for table in ["tax", "line", "invoice"] {
                try shop.sql(
                    mode == .soft
                        ? "UPDATE \(table) SET _deleted_at = '2026-01-01T00:00:00Z' WHERE \(Self.isFirst(table))"
                        : "DELETE FROM \(table) WHERE \(Self.isFirst(table))")
            }
        }

        /// Brings it back by hand.
        func bringBack(in shop: Workshop, _ saved: [String: [String]]) throws {
            for table in back == .alone ? ["invoice"] : ["invoice", "line", "tax"] {
                if mode == .soft {
                    try shop.sql("UPDATE \(table) SET _deleted_at = NULL")
                } else {
                    for row in saved[table] ?? [] where !row.hasPrefix("2|") {
                        try shop.sql("INSERT INTO \(table) VALUES (\(row.replacing("|", with: ",")))")
                    }
                }
            }
            if back == .edited { try shop.sql("UPDATE line SET note = 'mine'; UPDATE tax SET rate = 9 WHERE rate = 1") }
        }
    }

    private static let tables = ["invoice", "line", "tax"]

    private func rows(_ shop: Workshop) throws -> [String: [String]] {
        try Dictionary(
            uniqueKeysWithValues: Self.tables.map { ($0, try shop.rows("SELECT * FROM \($0)").sorted()) })
    }

    /// The rows that are there, the open conflicts and what is remembered of the source.
    private func state(_ shop: Workshop, _ mode: DeleteRule.Mode) throws -> [String] {
        let isThere = mode == .soft ? "WHERE _deleted_at IS NULL" : ""
        var all = try Self.tables.flatMap { table in
            try shop.rows("SELECT * FROM \(table) \(isThere)").sorted().map { "\(table) \($0)" }
        }
        all += try shop.rows(
            """
            SELECT entity || ' ' || key || ' ' || kind || ' ' || coalesce(field, '*') || ' ' || coalesce(remote, '-')
            FROM _sluice_conflicts WHERE status = 'open' ORDER BY 1
            """)
        for entity in ["Invoice", "Line", "Tax"] {
            let base = "_sluice_base_shop_invoices_\(entity)"
            let columns = try shop.database.columns(of: base).filter {
                !["first_run", "last_run", "row_hash", "text_hash", "text_within"].contains($0)
            }
            all += try shop.rows(
                "SELECT \(columns.joined(separator: ", ")) FROM \(base) WHERE state = 0 ORDER BY 1, 2, 3"
            )
            .map { "\(entity) \($0)" }
        }
        return all
    }

    private func expectSame(_ one: Workshop, _ other: Workshop, _ history: History) throws {
        let (one, other) = try (state(one, history.mode), state(other, history.mode))
        let differences = one.difference(from: other).map { "\($0)" }
        #expect(one == other, "\(history.told) \(differences)")
    }

    private func waiting(_ shop: Workshop) throws -> [String] {
        try shop.rows(
            "SELECT entity, key, remote FROM _sluice_conflicts WHERE status = 'within' ORDER BY 1, 2")
    }

    /// Decides the one conflict that is open.
    private func resolve(_ shop: Workshop, _ resolution: Resolution, _ told: Comment) throws {
        let store = try shop.open(.settling)
        try store.begin()
        let open = try store.conflicts.list(includingClosed: false)
        #expect(open.count == 1, told)
        var decisions = open.map { ConflictDecision($0, resolution) }
        try ConflictResolver(store: store).carryOut(&decisions, who: "ada")
        #expect(decisions.map(\.outcome) == [.resolved], told)
        try store.commit()
    }

    /// Whether a run saw the news before somebody brought the rows back makes no difference, be it once or often, listed again or not.
    @Test(arguments: Seeds.first(7)) func aRunInBetweenMakesNoDifference(_ seed: UInt64) throws {
        let history = History(seed: seed)
        let told = history.told
        let (seen, unseen) = (try history.shop(), try history.shop())
        let saved = try rows(seen)
        for shop in [seen, unseen] { try history.delete(in: shop) }
        if let meanwhile = history.meanwhile { _ = try seen.syncPlanned(meanwhile) }
        _ = try seen.syncPlanned(history.news)
        let (again, written) = try seen.quietRun()
        #expect(written == [] && !again.summary.hasWrites, told)
        for shop in [seen, unseen] { try history.bringBack(in: shop, saved) }
        for shop in [seen, unseen] { _ = try shop.syncPlanned(history.later) }
        try expectSame(seen, unseen, history)
        try #expect(waiting(seen) == waiting(unseen), told)
        seen.overrides.isFull = true
        let before = try state(seen, history.mode)
        _ = try seen.syncPlanned(history.later)
        try #expect(state(seen, history.mode) == before, told)
    }

    /// A source that lists only what changed does not list the news again: it is taken from where it waited.
    @Test(arguments: Seeds.first(7)) func newsIsTakenThatIsNotListedAgain(_ seed: UInt64) throws {
        let history = History(seed: seed)
        let told = history.told
        let (seen, unseen) = (try history.shop(isIncremental: true), try history.shop(isIncremental: true))
        let saved = try rows(seen)
        for shop in [seen, unseen] { try history.delete(in: shop) }
        if let meanwhile = history.meanwhile { _ = try seen.syncPlanned(meanwhile) }
        _ = try seen.syncPlanned(history.news)
        for shop in [seen, unseen] { try history.bringBack(in: shop, saved) }
        unseen.overrides.isFull = true
        let (report, _) = try seen.syncPlanned()
        #expect(report.streams.first?.filtered == 1, told)
        _ = try unseen.syncPlanned(history.news)
        try expectSame(seen, unseen, history)
        try #expect(waiting(seen) == waiting(unseen), told)
    }

    /// The source's side brings back all as it says it now, and the next run finds nothing to do.
    @Test(arguments: Seeds.first(7)) func theSourcesSideBringsAllOfItBack(_ seed: UInt64) throws {
        let history = History(seed: seed)
        let told = history.told
        let (decided, untouched) = (try history.shop(), try history.shop())
        try history.delete(in: decided)
        if let meanwhile = history.meanwhile { _ = try decided.syncPlanned(meanwhile) }
        for shop in [decided, untouched] { _ = try shop.syncPlanned(history.news) }
        try resolve(decided, .remote, told)
        try expectSame(decided, untouched, history)
        try #expect(waiting(decided) == [], told)
        let (again, _) = try decided.quietRun(renewing: false)
        #expect(!again.summary.hasWrites, told)
    }

    /// The local side settles what the source said: nothing is asked again before it says something else.
    @Test(arguments: Seeds.first(7)) func theLocalSideSettlesAllOfIt(_ seed: UInt64) throws {
        let history = History(seed: seed)
        let told = history.told
        let shop = try history.shop()
        try history.delete(in: shop)
        if let meanwhile = history.meanwhile { _ = try shop.syncPlanned(meanwhile) }
        _ = try shop.syncPlanned(history.news)
        try resolve(shop, .local, told)
        try #expect(waiting(shop) == [], told)
        let before = try state(shop, history.mode)
        let (report, _) = try shop.syncPlanned(history.news)
        #expect(report.summary.conflict == 0, told)
        try #expect(state(shop, history.mode) == before, told)
        shop.overrides.isFull = true
        let (full, _) = try shop.syncPlanned(history.news)
        #expect(full.summary.conflict == 0 && !full.summary.hasWrites, told)
        try #expect(state(shop, history.mode) == before, told)
    }

    /// A source that takes its change back asks nothing any more.
    @Test(arguments: Seeds.first(7)) func newsThatIsTakenBackAsksNothing(_ seed: UInt64) throws {
        let history = History(seed: seed)
        let told = history.told
        let shop = try history.shop()
        try history.delete(in: shop)
        let before = try state(shop, history.mode)
        if let meanwhile = history.meanwhile { _ = try shop.syncPlanned(meanwhile) }
        _ = try shop.syncPlanned(history.news)
        let (report, _) = try shop.syncPlanned(history.before)
        #expect(report.summary.conflict == 0, told)
        try #expect(waiting(shop) == [], told)
        try #expect(state(shop, history.mode) == before, told)
    }
}
