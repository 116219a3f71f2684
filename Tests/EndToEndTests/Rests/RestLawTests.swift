import Foundation
import Synchronization
import TestSupport
import Testing

/// However lists are cut, and whichever rests fail, the store holds what follows from it.
@Suite struct RestLawTests {
    /// A source with lists of random lengths that changes from run to run.
    private struct World: Sendable {
        /// The lines of each invoice in order, with their amounts.
        var invoices: [Int: [(id: Int, amount: Int)]] = [:]
        var shown = 1
        var pageSize = 1
        var failing: Set<Int> = []
        /// What follows for the store, line by line.
        var stored: [Int: [Int: Int]] = [:]

        mutating func change(_ numbers: inout SeededGenerator) {
            shown = Int.random(in: 0...3, using: &numbers)
            pageSize = Int.random(in: 1...3, using: &numbers)
            for invoice in 1...6 {
                if Int.random(in: 0..<8, using: &numbers) == 0 {
                    invoices[invoice] = nil
                    continue
                }
                var lines = invoices[invoice] ?? []
                lines.removeAll { _ in Int.random(in: 0..<4, using: &numbers) == 0 }
                for index in lines.indices where Int.random(in: 0..<4, using: &numbers) == 0 {
                    lines[index].amount = Int.random(in: 0..<9, using: &numbers)
                }
                for id in 1...9 where !lines.contains(where: { $0.id == id }) {
                    guard Int.random(in: 0..<4, using: &numbers) == 0 else { continue }
                    lines.insert((id, 1), at: Int.random(in: 0...lines.count, using: &numbers))
                }
                invoices[invoice] = lines
            }
            failing = Set((1...6).filter { _ in Int.random(in: 0..<5, using: &numbers) == 0 })
            stored = stored.filter { invoices[$0.key] != nil }
            for (invoice, lines) in invoices {
                let isCut = failing.contains(invoice) && lines.count > shown
                if !isCut { stored[invoice] = [:] }
                for line in isCut ? lines.prefix(shown) : lines[...] {
                    stored[invoice, default: [:]][line.id] = line.amount
                }
            }
        }

        var isCutShort: Bool { failing.contains { invoices[$0]?.count ?? 0 > shown } }

        func list(_ lines: ArraySlice<(id: Int, amount: Int)>, more: Bool) -> String {
            let records = lines.map { "{\"id\": \($0.id), \"amount\": \($0.amount)}" }
            return "{\"data\": [\(records.joined(separator: ", "))], \"has_more\": \(more)}"
        }

        func answer(_ request: ServerRequest) -> ServerResponse {
            if request.path == "/invoices" {
                let records = invoices.sorted { $0.key < $1.key }.map { invoice, lines in
                    "{\"id\": \(invoice), \"lines\": \(list(lines.prefix(shown), more: lines.count > shown))}"
                }
                return .text("[\(records.joined(separator: ",\n"))]")
            }
            let parts = request.path.split(separator: "/")
            let invoice = parts.count == 3 ? Int(parts[1]) ?? 0 : 0
            guard let lines = invoices[invoice], !failing.contains(invoice) else { return .text("", status: 500) }
            let after = request.query.flatMap { Int($0.drop { $0 != "=" }.dropFirst()) }
            let start = after.flatMap { id in lines.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
            let page = lines[start...].prefix(pageSize)
            return .text(list(page, more: page.endIndex < lines.count))
        }

        var rows: [String] {
            stored.flatMap { invoice, lines in lines.map { "\(invoice)|\($0.key)|\($0.value)" } }.sorted()
        }
    }

    @Test(arguments: 1...6)
    func theStoreHoldsWhatFollows(seed: UInt64) throws {
        let world = Mutex(World())
        let server = try LoopbackServer { request in world.withLock { $0.answer(request) } }
        defer { server.stop() }
        let pipeline = Invoices.pipeline(server.url).replacing("id: string", with: "id: int")
            .replacing(", total: int", with: "")
        let scene = try Scene(forge: pipeline)
        var numbers = SeededGenerator(seed: seed)
        for step in 1...5 {
            world.withLock { $0.change(&numbers) }
            let (rows, isCutShort) = world.withLock { ($0.rows, $0.isCutShort) }
            let run = try scene.forge()
            #expect(run.code == (isCutShort ? 5 : 0), "seed \(seed), step \(step): \(run.output)\(run.errors)")
            #expect(
                try scene.query("SELECT invoice_id, id, amount FROM line ORDER BY 1, 2") == rows,
                "seed \(seed), step \(step)")
        }
    }
}
