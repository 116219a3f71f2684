import Foundation
import Sluice
import Testing

/// What no column holds is an error of whoever asks for it or sets it, and never null.
struct UnstorableTests {
    private static let far = Date(timeIntervalSince1970: 1e15)

    private func store() async throws -> Store {
        let store = try Store.temporary(Gauge.self)
        var gauges = [
            Gauge(id: 1, reading: 1.5, votes: 2, at: Date(timeIntervalSince1970: 0), spot: Spot(lat: 1), dial: nil),
            Gauge(id: 2, reading: nil, votes: nil, at: nil, spot: nil, dial: nil),
        ]
        try await store.save(&gauges)
        return store
    }

    private func expectRefusal(
        of property: String?, _ what: String, _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: SluiceError.self, "\(what)") { try await body() }
        #expect(error?.code == .box && error?.field == property, "\(what): \(error?.message ?? "")")
    }

    @Test func isNoCondition() async throws {
        let store = try await store()
        let nan = Double.nan
        var queries: [(property: String?, query: Query<Gauge>)] = []
        func add(_ property: String?, _ query: Query<Gauge>) { queries.append((property, query)) }
        add("reading", Gauge.where { $0.reading == nan })
        add("reading", Gauge.where { $0.reading != nan })
        add("reading", Gauge.where { $0.reading < nan })
        add("reading", Gauge.where { $0.reading <= nan })
        add("reading", Gauge.where { $0.reading > nan })
        add("reading", Gauge.where { $0.reading >= nan })
        add("reading", Gauge.where { $0.reading.in([1.5, nan]) })
        add("reading", Gauge.where { !($0.reading == nan) })
        add("reading", Gauge.where { $0.id == 1 || $0.reading == nan })
        add("reading", Gauge.where { $0.id == 1 }.where { $0.reading == nan })
        add("reading", Gauge.where { $0.reading.coalesced(to: nan) > 1 })
        add(nil, Gauge.where { $0.reading + nan > 1.0 })
        add("votes", Gauge.where { $0.votes == UInt64.max })
        add("votes", Gauge.where { $0.votes.between(1...UInt64.max) })
        add("at", Gauge.where { $0.at == Self.far })
        add("spot.lat", Gauge.where { $0.spot == Spot(lat: nan) })
        add("spot.lat", Gauge.where { $0.spot != Spot(lat: nan) })
        add("dial", Gauge.where { $0.dial == nan })
        add("dial", Gauge.where { $0.dial != nan })
        add("dial", Gauge.where { $0.dial == Ref(nan) })
        for (place, (property, query)) in queries.enumerated() {
            await expectRefusal(of: property, "fetch \(place)") { _ = try await store.fetch(query) }
            await expectRefusal(of: property, "count \(place)") { _ = try await store.count(query) }
            await expectRefusal(of: property, "exists \(place)") { _ = try await store.exists(query) }
            await expectRefusal(of: property, "delete \(place)") { _ = try await store.deleteAll(query) }
            await expectRefusal(of: property, "update \(place)") {
                try await store.write { _ = try $0.update(query, Gauge.path.votes.set(9)) }
            }
        }
        await expectRefusal(of: nil, "order") { _ = try await store.fetch(Gauge.order(by: { $0.reading * nan })) }
        await expectRefusal(of: nil, "select") { _ = try await store.fetch(Gauge.select { $0.reading - nan }) }
        #expect(try await store.count(Gauge.all) == 2)
        #expect(try await store.count(Gauge.where { $0.votes == 9 }) == 0)
    }

    @Test func isNotSet() async throws {
        let store = try await store()
        let assignments: [(String, Assignment<Gauge>)] = [
            ("reading", Gauge.path.reading.set(.nan)), ("votes", Gauge.path.votes.set(.max)),
            ("at", Gauge.path.at.set(Self.far)),
        ]
        for (property, assignment) in assignments {
            await expectRefusal(of: property, property) {
                try await store.write { _ = try $0.update(Gauge.all, assignment) }
            }
        }
        let row = try await store.rows("SELECT reading, votes, at FROM gauges WHERE id = 1").first
        #expect(row?.texts == ["1.5", "2", "1970-01-01T00:00:00Z"])
    }

    @Test func isNeitherKeyNorPartOfAStatement() async throws {
        let store = try await store()
        let nan = Double.nan
        await expectRefusal(of: nil, "find") { _ = try await store.find(Dial.self, nan) }
        await expectRefusal(of: nil, "find several") { _ = try await store.find(Dial.self, [1, nan]) }
        await expectRefusal(of: nil, "delete") { _ = try await store.delete(Dial.self, nan) }
        await expectRefusal(of: nil, "update") { try await store.update(Dial.self, nan) { $0.name = "x" } }
        await expectRefusal(of: nil, "SQL") {
            _ = try await store.rows("SELECT id FROM gauges WHERE reading IS \(nan)")
        }
        await expectRefusal(of: nil, "optional SQL") {
            try await store.write { try $0.execute("UPDATE gauges SET reading = \(Optional(nan))") }
        }
        #expect(try await store.count(Gauge.where { $0.reading == 1.5 }) == 1)
    }
}

@Composition private struct Spot { let lat: Double }

@PersistentModel(table: "gauges") private struct Gauge {
    let id: Int
    var reading: Double?
    var votes: UInt64?
    var at: Date?
    @Attribute(storageMethod: .composition) var spot: Spot?
    @Relationship(inverse: .none, deleteRule: .nullify) var dial: Ref<Dial>?
}

@PersistentModel private struct Dial {
    let id: Double
    var name: String
}
