import Sluice
import Testing

/// What a program lets lead anew to a record that is marked as deleted: nobody would see it there.
struct MarkedReferenceTests {
    /// Trip 1 is marked, with its hotel and stop; so are an agent, a guide and a tag.
    private static func store() async throws -> Store {
        let store = try Store.temporary(MarkedTrip.self, MarkedAgent.self, MarkedTag.self)
        try await store.write { tx in
            for table in ["marked_trip", "marked_hotel", "marked_stop", "marked_guide", "marked_agent", "marked_tag"] {
                try tx.execute(SQL(unchecked: "ALTER TABLE \(table) ADD COLUMN _deleted_at TEXT"))
            }
        }
        try await store.write { tx in
            var agents = [MarkedAgent(id: 7, trips: []), MarkedAgent(id: 8, trips: [])]
            try tx.save(&agents)
            var tags = [MarkedTag(word: "old", trips: []), MarkedTag(word: "new", trips: [])]
            try tx.save(&tags)
            var guide = MarkedGuide(id: 3)
            try tx.save(&guide)
            var trips = (1...3).map {
                MarkedTrip(
                    id: $0, note: "n", hotel: MarkedHotel(id: $0, name: "h"), stops: [MarkedStop(id: $0)],
                    agent: $0 == 3 ? Ref(7) : nil, tags: [], places: [])
            }
            try tx.save(&trips)
            try tx.delete(MarkedTrip.self, 1, .soft)
            try tx.delete(MarkedAgent.self, 7, .soft)
            try tx.delete(MarkedTag.self, "old", .soft)
            try tx.delete(MarkedGuide.self, 3, .soft)
        }
        return store
    }

    /// A record that is marked.
    private static func marked<M: PersistentModel>(_ query: Query<M>, _ tx: Transaction) throws -> M {
        try #require(try tx.fetch(query.includingDeleted()).first)
    }

    private static let cases: [(name: String, write: @Sendable (Transaction) throws -> Void, error: String?)] = [
        (
            "a part by itself",
            { tx in
                let hotel = try marked(MarkedHotel.where { $0.id == 1 }, tx)
                try tx.update(MarkedTrip.self, 2) { $0.hotel = hotel }
            },
            "MarkedTrip 2, property `hotel` leads to MarkedHotel 1"
        ),
        (
            "a part in a list",
            { tx in
                let stop = try marked(MarkedStop.where { $0.id == 1 }, tx)
                try tx.update(MarkedTrip.self, 2) { $0.stops.append(stop) }
            }, "MarkedTrip 2, property `stops` leads to MarkedStop 1"
        ),
        (
            "a part that the list had and has no more",
            { tx in
                let stop = try tx.find(MarkedStop.self, 2)
                try tx.delete(MarkedStop.self, 2, .soft)
                try tx.update(MarkedTrip.self, 2) { $0.stops.append(stop) }
            }, "MarkedTrip 2, property `stops` leads to MarkedStop 2"
        ),
        (
            "a record by value that is no part",
            { tx in
                let guide = try marked(MarkedGuide.all, tx)
                try tx.update(MarkedTrip.self, 2) { $0.guide = guide }
            }, "MarkedTrip 2, property `guide` leads to MarkedGuide 3"
        ),
        (
            "a Ref", { tx in try tx.update(MarkedTrip.self, 2) { $0.agent = Ref(7) } },
            "MarkedTrip 2, property `agent` leads to MarkedAgent 7"
        ),
        (
            "a Ref of a new record",
            { tx in
                var trip = MarkedTrip(id: 4, note: "n", stops: [], agent: Ref(7), tags: [], places: [])
                try tx.insert(&trip)
            }, "MarkedTrip 4, property `agent` leads to MarkedAgent 7"
        ),
        (
            "a Ref of all records of a query",
            { tx in _ = try tx.update(MarkedTrip.all, MarkedTrip.path.agent.set(7)) },
            "MarkedTrip, property `agent` leads to MarkedAgent 7"
        ),
        (
            "a link", { tx in try tx.update(MarkedTrip.self, 2) { $0.tags.insert("old") } },
            "MarkedTrip 2, property `tags` leads to MarkedTag old"
        ),
        (
            "a link from the other side",
            { tx in
                var tag = try tx.find(MarkedTag.self, "new")
                tag.trips.insert(1)
                try tx.save(&tag)
            }, "MarkedTag new, property `trips` leads to MarkedTrip 1"
        ),
        (
            "what a column leads to, from the other side",
            { tx in
                var agent = try tx.find(MarkedAgent.self, 8)
                agent.trips.insert(1)
                try tx.save(&agent)
            }, "MarkedAgent 8, property `trips` leads to MarkedTrip 1"
        ),
        (
            "an ordered link", { tx in try tx.update(MarkedTrip.self, 2) { $0.places.append(1) } },
            "MarkedTrip 2, property `places` leads to MarkedStop 1"
        ),
        (
            "what was restored before",
            { tx in
                try tx.restore(MarkedAgent.self, 7)
                try tx.update(MarkedTrip.self, 2) { $0.agent = Ref(7) }
            }, nil
        ),
        (
            "what leads there already",
            { tx in
                try tx.update(MarkedTrip.self, 3) { $0.note = "m" }
                try tx.delete(MarkedStop.self, 3, .soft)
                try tx.update(MarkedTrip.self, 3) { $0.stops.append(MarkedStop(id: 9)) }
            }, nil
        ),
    ]

    @Test(arguments: cases.indices) func isRefused(_ index: Int) async throws {
        let row = Self.cases[index]
        let store = try await Self.store()
        do {
            try await store.write { tx in try row.write(tx) }
            #expect(row.error == nil, "\(row.name)")
        } catch let error as SluiceError {
            let words =
                ", which is marked as deleted. Bring that record back by `restore` before, or let the property lead elsewhere."
            #expect(error.code == .dangling && error.message == row.error.map { $0 + words }, "\(row.name): \(error)")
        }
    }

    /// Who changed the record that is marked, and saves it with its owner, is told so as well.
    @Test func saysSoOfWhatWasChanged() async throws {
        let store = try await Self.store()
        let error = await #expect(throws: SluiceError.self) {
            try await store.write { tx in
                var hotel = try tx.find(MarkedHotel.self, 2)
                try tx.delete(MarkedHotel.self, 2, .soft)
                hotel.name = "new"
                try tx.save(&hotel)
            }
        }
        #expect(
            error?.code == .notFound
                && error?.message
                    == "MarkedHotel 2 is marked as deleted: a query `includingDeleted()` has it, and `restore` brings it back."
        )
    }
}

@PersistentModel private struct MarkedTrip {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade) var hotel: MarkedHotel?
    @Relationship(inverse: .none, deleteRule: .cascade) var stops: [MarkedStop]
    @Relationship(inverse: .none, deleteRule: .nullify) var guide: MarkedGuide?
    @Relationship(inverse: "trips", deleteRule: .nullify) var agent: Ref<MarkedAgent>?
    @Relationship(inverse: "trips", deleteRule: .nullify) var tags: Refs<MarkedTag>
    @Relationship(inverse: .none, deleteRule: .nullify) var places: OrderedRefs<MarkedStop>
    var origin = Origin()
}

@PersistentModel private struct MarkedHotel {
    let id: Int
    var name: String
    var origin = Origin()
}

@PersistentModel private struct MarkedStop {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct MarkedGuide {
    let id: Int
    var origin = Origin()
}

@PersistentModel private struct MarkedAgent {
    let id: Int
    @Relationship(inverse: "agent", deleteRule: .nullify) var trips: Refs<MarkedTrip>
}

@PersistentModel private struct MarkedTag {
    @Attribute(.identifier) let word: String
    @Relationship(inverse: "tags", deleteRule: .nullify) var trips: Refs<MarkedTrip>
}
