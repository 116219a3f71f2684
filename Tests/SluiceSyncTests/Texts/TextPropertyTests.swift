import SluiceDiagnostics
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import SluiceReview
import SluiceSQLite
import SluiceSQLiteStore
import SluiceStore
import SluiceSync
import TestSupport
import Testing

/// Random lives of invoices with lines, taxes of lines, tags, customers and their towns, edited on both sides, undone and
/// decided. Records may contradict each other about what is embedded in them, come in any order, and share a table with
/// another stream. One store is synced with every record decoded, as `--full` does; the others know unchanged records
/// by their texts, one with marks that are read beside the run: all must hold the same.
@Suite("What is known by its text is as if it were decoded")
struct TextPropertyTests {
    static let seeds = Seeds.first(4)

    /// What sort of life it is.
    private struct Setting {
        let policy: String
        let ordered: Bool
        /// Whether every record has its own view of what is embedded in it.
        let disagrees: Bool
        /// How often records come in another order, in percent.
        let shuffled: Int
        /// Whether another stream fills the table of customers too.
        let shared: Bool

        init(_ random: inout SeededGenerator) {
            policy = random.pick(["manual", "local_wins", "remote_wins"])
            ordered = random.chance(30)
            disagrees = random.chance(60)
            shuffled = random.pick([0, 20, 100])
            shared = random.chance(20)
        }
    }

    @Test(arguments: seeds)
    func stores(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let setting = Setting(&random)
        let shops = try (0..<3).map { _ in try Self.shop(setting) }
        shops[0].overrides.isFull = true
        shops[2].adjustOptions = { $0.leastBytesBeside = 0 }
        var invoices: [Int: Invoice] = [:]
        var passed = setting.shared
        var quiet = 0
        for round in 0..<12 {
            let place: Comment = "seed \(seed), round \(round), \(setting)"
            Self.change(&invoices, &random)
            let names = (1...3).map { _ in random.pick(["Ada", "Bo", "Cy"]) }
            var order = invoices.keys.sorted()
            if random.chance(setting.shuffled) { order.shuffle(using: &random) }
            let json =
                "["
                + order.compactMap { invoices[$0]?.json(setting.disagrees ? nil : names) }.joined(separator: ",") + "]"
            let customers = (1...3).filter { _ in random.chance(60) }
                .map { #"{"id":\#($0),"name":"\#(random.pick(["Ada", "Bo"]))"}"# }
            let edit = round == 0 ? "" : Self.edit(&random)
            let isUndone = round > 2 && random.chance(15)
            let resolution = random.chance(25) ? random.pick([Resolution.local, .remote]) : nil
            var counts: [[String]] = []
            var again: [[String]] = []
            for shop in shops {
                try shop.put(json, as: "invoices.json")
                try shop.put("[" + customers.joined(separator: ",") + "]", as: "customers.json")
                if !edit.isEmpty { try shop.sql(edit) }
                let report = shop.sync().report
                #expect(report.status == .succeeded, place)
                let entities = report.entities.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
                counts.append([report.summary.text] + entities)
                // What is done again writes as much, which is nothing but where rows below one that is gone follow it.
                again.append(try shop.quietRun().written.map { String($0.prefix { $0 != ":" }) })
                if isUndone, let run = report.run { _ = shop.undo(run) }
                if let resolution { try Self.decide(shop, resolution) }
            }
            quiet += again[1].isEmpty ? 1 : 0
            let state = try Self.state(shops[0])
            for shop in shops.indices {
                #expect(counts[shop] == counts[0] && again[shop] == [], "\(place), store \(shop)")
                #expect(try Self.state(shops[shop]) == state, "\(place), store \(shop)")
            }
            #expect(try shops[1].rows("PRAGMA foreign_key_check") == [], place)
            passed = try passed || shops[1].rows("SELECT 1 FROM \(Self.base) WHERE text_hash IS NOT NULL") != []
        }
        #expect(passed && quiet > 6, "seed \(seed): no text was ever known, or no run was quiet")
    }

    /// Decides all conflicts alike, as far as that is possible.
    private static func decide(_ shop: Workshop, _ resolution: Resolution) throws {
        let store = try SQLiteRecordStore(path: shop.store, mode: .settling)
        try store.begin()
        var decisions = try store.conflicts.list(includingClosed: false).map { ConflictDecision($0, resolution) }
        _ = try ConflictResolver(store: store).carryOut(&decisions, who: nil)
        try store.commit()
    }

    private static let base = "_sluice_base_shop_invoices_Invoice"

    private struct Invoice {
        var title = 0
        var customer = 1
        var tags: Set<Int> = []
        /// For each line its amount and its taxes.
        var lines: [Int: (amount: Int, taxes: [Int: Int])] = [:]
        var noise = 0
        /// How the record calls its customer and the customer's town where every record has its own view.
        var view = 0
        let id: Int

        /// The record, with what all records call their customers; nil where every record has its own view.
        func json(_ names: [String]?) -> String {
            let lines = lines.sorted { $0.key < $1.key }.map { id, line in
                let taxes = line.taxes.sorted { $0.key < $1.key }.map { #"{"id":\#($0),"rate":\#($1)}"# }
                return #"{"id":\#(id),"amount":\#(line.amount),"taxes":[\#(taxes.joined(separator: ","))]}"#
            }
            let tags = tags.sorted().map { #"{"id":\#($0),"name":"t\#($0)"}"# }
            let view = names == nil ? view : 0
            let name = names?[customer - 1] ?? ["Ada", "Bo", "Cy"][view % 3]
            let town = #"{"id":\#(customer % 2 + view / 9),"name":"n\#(view / 3 % 3)"}"#
            let customer = #"{"id":\#(customer),"name":"\#(name)","rank":\#(view % 2),"town":\#(town)}"#
            return
                #"{"id":\#(id),"title":"t\#(title)","noise":\#(noise),"customer":\#(customer),"tags":[\#(tags.joined(separator: ","))],"lines":[\#(lines.joined(separator: ","))]}"#
        }
    }

    private static func change(_ invoices: inout [Int: Invoice], _ random: inout SeededGenerator) {
        for id in 1...6 {
            guard var invoice = invoices[id] else {
                if random.chance(60) { invoices[id] = Invoice(view: Int.random(in: 0..<9, using: &random), id: id) }
                continue
            }
            switch Int.random(in: 0..<17, using: &random) {
            case 0: invoice.title = Int.random(in: 0...3, using: &random)
            case 1: invoice.customer = Int.random(in: 1...3, using: &random)
            case 2: invoice.tags.formSymmetricDifference([Int.random(in: 1...4, using: &random)])
            case 3: invoice.noise += 1
            case 4...6:
                let line = Int.random(in: 1...3, using: &random)
                invoice.lines[line, default: (0, [:])].amount = Int.random(in: 0...3, using: &random)
            case 7: invoice.lines[Int.random(in: 1...3, using: &random)] = nil
            case 8, 9:
                guard let line = invoice.lines.keys.min() else { break }
                invoice.lines[line]?.taxes[Int.random(in: 1...2, using: &random)] = random.chance(30) ? nil : 7
            case 10:
                invoices[id] = nil
                continue
            case 11...13: invoice.view = Int.random(in: 0..<18, using: &random)
            default: break
            }
            invoices[id] = invoice
        }
    }

    /// What a person does to the tables, each statement where it finds something.
    private static func edit(_ random: inout SeededGenerator) -> String {
        var statements = ""
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let id = Int.random(in: 1...6, using: &random)
            let line = Int.random(in: 1...3, using: &random)
            statements += random.pick([
                "UPDATE invoices SET title = 'mine' WHERE id = \(id);",
                "UPDATE lines SET amount = 99 WHERE invoice_id = \(id);",
                "DELETE FROM taxes WHERE line_invoice_id = \(id);",
                "DELETE FROM taxes WHERE line_invoice_id = \(id); DELETE FROM lines WHERE invoice_id = \(id);",
                "UPDATE customers SET name = 'mine' WHERE id = \(line);",
                "DELETE FROM invoice_tags WHERE invoice_id = \(id);",
                "UPDATE taxes SET rate = 42 WHERE line_invoice_id = \(id);",
                "UPDATE towns SET name = 'mine' WHERE id = \(line);",
            ])
        }
        return statements
    }

    private static func shop(_ setting: Setting) throws -> Workshop {
        let shop = try Workshop()
        let text = """
            version: 1
            name: shop
            source: {base_url: "file:\(shop.directory.path)"}
            entities:
              Invoice:
                table: invoices
                primary_key: id
                fields:
                  id: int
                  title: string
                  customer: {ref: Customer}
                  tags: {refs: Tag, via: invoice_tags}
                children:
                  lines: {entity: Line, \(setting.ordered ? "ordered: true" : "key: [id]")}
              Line:
                table: lines
                fields: {id: int, amount: int}
                children: {taxes: {entity: Tax, key: [id]}}
              Tax: {table: taxes, fields: {id: int, rate: int}}
              Customer: {table: customers, primary_key: id, fields: {id: int, name: string, town: {ref: Town}}}
              Town: {table: towns, primary_key: id, fields: {id: int, name: string}}
              Tag: {table: tags, primary_key: id, fields: {id: int, name: string}}
            streams:
              - name: invoices
                entity: Invoice
                path: invoices.json
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            \(setting.shared ? "  - {name: customers, entity: Customer, path: customers.json}" : "")
            merge: {on_conflict: \(setting.policy)}
            """
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
        return shop
    }

    /// All that a store holds but how texts are known.
    private static func state(_ shop: Workshop) throws -> [String: [String]] {
        var state = try shop.managed()
        for (name, rows) in state { state[name] = rows.sorted() }
        return state
    }
}
