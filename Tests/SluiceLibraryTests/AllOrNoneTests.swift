import Sluice
import Testing

/// Calls that save: where one throws and the program goes on, nothing of it is left.
struct AllOrNoneTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(Wagon.self, WagonLabel.self, WagonBag.self)
        var wagons = [
            Wagon(id: 1, note: "n", crates: [crate(1, "a"), crate(2, "b")], seal: WagonSeal(id: 1, word: "w")),
            Wagon(id: 2, note: "n", crates: [crate(3, "c")], seal: nil),
        ]
        try await store.save(&wagons)
        return store
    }

    private static func rows(_ store: Store) async throws -> [String] {
        let wagons = try await store.fetch(Wagon.order(by: \.id)).map { wagon in
            let crates = wagon.crates.map { "\($0.id)\($0.serial)\($0.text)" }.joined(separator: " ")
            return "\(wagon.id) \(wagon.note): \(crates), \(wagon.seal?.word ?? "-")"
        }
        let crates = try await store.count(WagonCrate.all)
        let seals = try await store.count(WagonSeal.all)
        let bags = try await store.count(WagonBag.all)
        let stones = try await store.count(WagonStone.all)
        return wagons + ["\(crates) \(seals) \(bags) \(stones)"]
    }

    /// A call that fails, and how its value is mended; what is there once it is saved again.
    private static let calls: [(name: String, fail: @Sendable (Transaction, Bool) throws -> Void, rows: [String])] = [
        (
            "a list whose second record fails",
            { tx, isMended in
                var all = try tx.fetch(Wagon.order(by: \.id))
                all[0].note = "m"
                all[0].crates.removeFirst()
                all[1].crates.append(crate(9, "b"))
                try saving(&all, isMended) {
                    try tx.save(&$0)
                } mending: {
                    $0[1].crates[1].serial = "z"
                }
            }, ["1 m: 2bt, w", "2 n: 3ct 9zt, -", "3 1 0 0"]
        ),
        (
            "a new record whose second part fails",
            { tx, isMended in
                var new = Wagon(
                    id: 3, note: "n", crates: [crate(8, "h"), crate(9, "a")], seal: WagonSeal(id: 3, word: "x"))
                try saving(&new, isMended) {
                    try tx.insert(&$0)
                } mending: {
                    $0.crates[1].serial = "z"
                }
            }, ["1 n: 1at 2bt, w", "2 n: 3ct, -", "3 n: 8ht 9zt, x", "5 2 0 0"]
        ),
        (
            "a record whose identifier is taken",
            { tx, isMended in
                var new = Wagon(id: 1, note: "n", crates: [crate(8, "h")], seal: WagonSeal(id: 3, word: "x"))
                try saving(&new, isMended) {
                    try tx.insert(&$0)
                } mending: {
                    $0 = Wagon(id: 4, note: $0.note, crates: $0.crates, seal: $0.seal)
                }
            }, ["1 n: 1at 2bt, w", "2 n: 3ct, -", "4 n: 8ht, x", "4 2 0 0"]
        ),
        (
            "a record that others changed",
            { tx, isMended in
                var one = try tx.find(Wagon.self, 1)
                try tx.execute("UPDATE wagons SET note = 'o' WHERE id = 1")
                one.note = "m"
                one.crates.append(crate(9, "z"))
                try saving(&one, isMended) {
                    try tx.save(&$0)
                } mending: { _ in
                    try tx.execute("UPDATE wagons SET note = 'n' WHERE id = 1")
                }
                if !isMended { try tx.execute("UPDATE wagons SET note = 'n' WHERE id = 1") }
            }, ["1 m: 1at 2bt 9zt, w", "2 n: 3ct, -", "4 1 0 0"]
        ),
        (
            "plain records, of which the second fails",
            { tx, isMended in
                var crates = try tx.fetch(WagonCrate.order(by: \.id))
                crates[0].serial = "q"
                crates[1].serial = "c"
                try saving(&crates, isMended) {
                    try tx.save(&$0)
                } mending: {
                    $0[1].serial = "z"
                }
            }, ["1 n: 1qt 2zt, w", "2 n: 3ct, -", "3 1 0 0"]
        ),
        (
            "identifiers that the store gives",
            { tx, isMended in
                var bag = WagonBag(note: "n", stones: [WagonStone(name: "a"), WagonStone(name: "a")])
                try saving(&bag, isMended) {
                    try tx.save(&$0)
                } mending: {
                    if $0.id != nil || $0.stones[0].id != nil { Testing.Issue.record("the identifiers are left") }
                    $0.stones[1].name = "b"
                }
            }, ["1 n: 1at 2bt, w", "2 n: 3ct, -", "3 1 1 2"]
        ),
        (
            "links to what is not there",
            { tx, isMended in
                let label = try tx.find(WagonLabel.self, 7)
                let crates = try tx.fetch(WagonCrate.order(by: \.id))
                let gone = WagonCrate(id: 99, serial: "-", text: "t")
                #expect(throws: SluiceError.self) { try label.addToCrates([crates[0], gone], in: tx) }
                #expect(try tx.find(WagonCrate.self, 1).label == nil)
            }, rowsBefore
        ),
    ]

    @Test(arguments: calls.indices) func nothingIsLeftOfACallThatFails(_ index: Int) async throws {
        let row = Self.calls[index]
        for isMended in [false, true] {
            let store = try await Self.store()
            var label = WagonLabel(id: 7, crates: [])
            try await store.insert(&label)
            try await store.write { tx in try row.fail(tx, isMended) }
            #expect(try await Self.rows(store) == (isMended ? row.rows : rowsBefore), "\(row.name), \(isMended)")
        }
    }

    /// Parts that are out make room where they are in the way, and the others may move on.
    @Test func onlyWhatIsInTheWayMakesRoom() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var (one, two) = try (tx.find(Wagon.self, 1), tx.find(Wagon.self, 2))
            let crates = one.crates
            one.crates = []
            try tx.save(&one)
            one.crates = [crate(9, "b")]
            try tx.save(&one)
            two.crates.append(crates[0])
            try tx.save(&two)
        }
        #expect(try await Self.rows(store) == ["1 n: 9bt, w", "2 n: 3ct 1at, -", "3 1 0 0"])
        // An identifier of a part by itself.
        try await store.write { tx in
            var (one, two) = try (tx.find(Wagon.self, 1), tx.find(Wagon.self, 2))
            let crate = two.crates.remove(at: 1)
            two.seal = WagonSeal(id: 2, word: "v")
            one.seal = nil
            try tx.save(&one)
            try tx.save(&two)
            var seal = WagonSeal(id: 1, word: "w")
            try tx.insert(&seal)
            one.seal = seal
            one.crates.append(crate)
            try tx.save(&one)
        }
        #expect(try await Self.rows(store) == ["1 n: 9bt 1at, w", "2 n: 3ct, v", "3 2 0 0"])
    }

    /// What has a unique value may be within a part that is out.
    @Test func whatLeadsToWhatIsInTheWayMakesRoom() async throws {
        let store = try Store.temporary(WagonTrain.self)
        try await store.write { tx in
            var train = WagonTrain(
                id: 1,
                groups: [WagonGroup(id: 1, plates: [WagonPlate(id: 1, code: "a")]), WagonGroup(id: 2, plates: [])])
            try tx.insert(&train)
            let groups = train.groups
            train.groups = []
            try tx.save(&train)
            var other = WagonTrain(id: 2, groups: [WagonGroup(id: 3, plates: [WagonPlate(id: 9, code: "a")])])
            try tx.insert(&other)
            other.groups.append(groups[1])
            try tx.save(&other)
        }
        let trains = try await store.fetch(WagonTrain.order(by: \.id))
        #expect(trains.map { $0.groups.map(\.id) } == [[], [3, 2]])
        #expect(try await store.fetch(WagonPlate.all).map(\.id) == [9])
    }
}

private let rowsBefore = ["1 n: 1at 2bt, w", "2 n: 3ct, -", "3 1 0 0"]

private func crate(_ id: Int, _ serial: String) -> WagonCrate { WagonCrate(id: id, serial: serial, text: "t") }

/// Saves a value, which fails, and once more when it is mended.
private func saving<Value>(
    _ value: inout Value, _ isMended: Bool, _ save: (inout Value) throws -> Void,
    mending mend: (inout Value) throws -> Void
) throws {
    do {
        try save(&value)
        Testing.Issue.record("it does not fail")
    } catch is SluiceError {}
    if !isMended { return }
    try mend(&value)
    try save(&value)
}

@PersistentModel(table: "wagons") private struct Wagon {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade) var crates: [WagonCrate]
    @Relationship(inverse: .none, deleteRule: .cascade) var seal: WagonSeal?
    var origin = Origin()
}

@PersistentModel private struct WagonCrate {
    let id: Int
    @Attribute(.unique) var serial: String
    var text: String
    @Relationship(inverse: "crates", deleteRule: .nullify) var label: Ref<WagonLabel>?
    var origin = Origin()
}

@PersistentModel private struct WagonLabel {
    let id: Int
    @Relationship(inverse: "label", deleteRule: .nullify) var crates: Refs<WagonCrate>
    var origin = Origin()
}

@PersistentModel private struct WagonSeal {
    let id: Int
    var word: String
    var origin = Origin()
}

@PersistentModel private struct WagonBag {
    @Attribute(.identifier, .generated) var id: Int?
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade) var stones: [WagonStone]
    var origin = Origin()
}

@PersistentModel private struct WagonStone {
    @Attribute(.identifier, .generated) var id: Int?
    @Attribute(.unique) var name: String
    var origin = Origin()
}

@PersistentModel private struct WagonTrain {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var groups: [WagonGroup]
    var origin = Origin()
}

@PersistentModel private struct WagonGroup {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade) var plates: [WagonPlate]
    var origin = Origin()
}

@PersistentModel private struct WagonPlate {
    let id: Int
    @Attribute(.unique) var code: String
    var origin = Origin()
}
