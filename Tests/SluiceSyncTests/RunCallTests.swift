import SluiceDiagnostics
import SluicePipelineFiles
import SluiceReconcile
import SluiceReport
import SluiceStore
import SluiceStores
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@testable import SluiceSync

/// How often a whole run asks its store does not depend on how many records there are: also where another source of the table has
/// them too, and where a stream asks for something of each.
@Suite("Calls of the store by a run")
struct RunCallTests {
    /// Counts calls by name.
    private final class Calls: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

        var all: [String: Int] { counts.withLock { $0 } }

        /// What was called more often than before, as text.
        static func differences(_ few: [String: Int], _ many: [String: Int]) -> [String] {
            many.filter { $0.value > few[$0.key] ?? 0 }.sorted { $0.key < $1.key }.map {
                "\($0.key) \(few[$0.key] ?? 0) → \($0.value)"
            }
        }
    }

    /// What becomes of all contacts, which two streams list.
    enum Life: String, CaseIterable {
        case unchanged, changedInFirst, changedInBoth, editedAndChanged
        case goneFromFirst, goneFromBoth, editedAndGone, editedBelowAndGone
        case stated, editedAndStated, statedAndChanged
        case back, backAfterBoth, backAfterStated, answered

        /// What somebody does to the table after the first run.
        var edit: String? {
            switch self {
            case .editedAndChanged, .editedAndGone, .editedAndStated, .answered: "UPDATE contacts SET email = 'mine'"
            case .editedBelowAndGone: "UPDATE contacts SET phone = 'mine'"
            default: nil
            }
        }

        /// What the streams say in each run after the first; nil for a record that they have no longer.
        var rounds: [(crm: String?, billing: String?)] {
            let (crm, billing) = (#""email":"a""#, #""email":"a","phone":"1""#)
            let (new, stated) = (#""email":"new""#, #""email":"a","gone":true"#)
            switch self {
            case .unchanged: return [(crm, billing)]
            case .changedInFirst, .editedAndChanged: return [(new, billing)]
            case .changedInBoth: return [(new, #""email":"other","phone":"2""#)]
            case .goneFromFirst, .editedAndGone, .editedBelowAndGone: return [(nil, billing)]
            case .goneFromBoth: return [(nil, nil)]
            case .stated, .editedAndStated: return [(stated, billing)]
            case .statedAndChanged: return [(stated, #""email":"other","phone":"2""#)]
            case .back: return [(nil, billing), (new, billing)]
            case .backAfterBoth: return [(nil, nil), (new, billing)]
            case .backAfterStated: return [(stated, billing), (new, billing)]
            case .answered: return [(stated, billing), (stated, #""email":"other","phone":"2""#)]
            }
        }
    }

    private static let contacts = """
        entities:
          Person: {table: contacts, primary_key: id, fields: {id: int, email: string}}
          Account: {table: contacts, primary_key: id, fields: {id: int, email: string, phone: string}}
        merge: {precedence: [crm, billing]}
        streams:
          - {name: crm, entity: Person, path: crm.json, deleted_when: ".gone == true",
             delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
          - {name: billing, entity: Account, path: billing.json,
             delete_missing: {mode: hard, max_delete: 100%, min_records: 0}}
        """

    private static let orders = """
        entities:
          Customer: {table: customers, primary_key: id, fields: {id: int, slug: string}}
          Order: {table: orders, primary_key: id, fields: {id: int, customer: int}}
        streams:
          - {name: customers, entity: Customer, path: customers.json}
          - {name: orders, entity: Order, path: "of-{{ parent.slug }}.json", parent: {stream: customers, key: [id]}}
        """

    /// A workshop over a pipeline file.
    private static func workshop(_ keys: String) throws -> Workshop {
        let shop = try Workshop()
        let text = "version: 1\nname: shop\nsource: {base_url: \"file:\(shop.directory.path)\"}\n\(keys)\n"
        let (definition, problems) = PipelineLoader.load(
            bytes: Array(text.utf8), file: "test.yaml", environment: [:], mode: .run)
        guard let definition else {
            throw Workshop.Disagreement(what: TextDiagnosticRenderer().render(problems))
        }
        shop.definition = definition
        return shop
    }

    /// Runs the pipeline, and counts the calls.
    private static func count(_ shop: Workshop) throws -> [String: Int] {
        let calls = Calls()
        let address = shop.database.address
        shop.adjustOptions = { options in
            options.store = StoreOptions(
                backend: HeardBackend(backend: address.backend) { calls.add($0) }, command: .run,
                cancellation: Cancellation())
        }
        defer { shop.adjustOptions = { _ in } }
        let report = shop.sync().report
        guard report.status == .succeeded else { throw Workshop.Disagreement(what: "\(report.problems)") }
        return calls.all
    }

    private static func expectSame(_ few: [String: Int], _ many: [String: Int], _ what: String) {
        let (less, more) = (few.values.reduce(0, +), many.values.reduce(0, +))
        #expect(less > 10 && more <= less + 10, "\(what): \(Calls.differences(few, many))")
    }

    @Test(arguments: Life.allCases)
    func contactsOfTwoStreams(_ life: Life) throws {
        func count(_ number: Int) throws -> [[String: Int]] {
            let shop = try Self.workshop(Self.contacts)
            func put(_ record: String?, as name: String) throws {
                let records = record.map { record in (1...number).map { #"{"id":\#($0),\#(record)}"# } } ?? []
                try shop.put("[" + records.joined(separator: ",") + "]", as: name)
            }
            try put(#""email":"a""#, as: "crm.json")
            try put(#""email":"a","phone":"1""#, as: "billing.json")
            _ = try Self.count(shop)
            if let edit = life.edit { try shop.sql(edit) }
            return try life.rounds.map { crm, billing in
                try put(crm, as: "crm.json")
                try put(billing, as: "billing.json")
                return try Self.count(shop)
            }
        }
        for (round, (few, many)) in zip(try count(40), try count(80)).enumerated() {
            Self.expectSame(few, many, "round \(round)")
        }
    }

    @Test func aStreamThatAsksForEachParent() throws {
        func count(_ number: Int) throws -> [String: Int] {
            let shop = try Self.workshop(Self.orders)
            let customers = (1...number).map { #"{"id":\#($0),"slug":"c\#($0)"}"# }
            try shop.put("[" + customers.joined(separator: ",") + "]", as: "customers.json")
            for id in 1...number { try shop.put(#"[{"id":\#(id),"customer":\#(id)}]"#, as: "of-c\(id).json") }
            _ = try Self.count(shop)
            return try Self.count(shop)
        }
        Self.expectSame(try count(20), try count(60), "parents")
    }
}
