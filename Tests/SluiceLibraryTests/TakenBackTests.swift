import Sluice
import Testing

/// Values that were saved in what was taken back: what they remember of it counts no more.
struct TakenBackTests {
    private static func store() async throws -> Store {
        let store = try Store.temporary(Cargo.self, CargoList.self, CargoNote.self)
        var cargos = [
            Cargo(id: 1, note: "n", lines: [line(1, "a"), line(2, "b")], seal: CargoSeal(id: 1, word: "w")),
            Cargo(id: 2, note: "n", lines: [line(3, "c")], seal: nil),
        ]
        try await store.save(&cargos)
        return store
    }

    private static func rows(_ store: Store) async throws -> [String] {
        let cargos = try await store.fetch(Cargo.order(by: \.id)).map { cargo in
            let lines = cargo.lines.map { "\($0.id)\($0.serial)\($0.text)" }.joined(separator: " ")
            return "\(cargo.id) \(cargo.note): \(lines), \(cargo.seal?.word ?? "-")"
        }
        let lines = try await store.count(CargoLine.all)
        let seals = try await store.count(CargoSeal.all)
        return cargos + ["\(lines) \(seals)"]
    }

    // MARK: Parts of a transaction

    private static let parts: [(name: String, write: @Sendable (Transaction) throws -> Void, rows: [String])] = [
        (
            "a record that is changed",
            { tx in
                var line = try tx.find(CargoLine.self, 1)
                line.text = "u"
                try takingBack(tx) { try tx.save(&line) }
                try tx.save(&line)
            }, ["1 n: 1au 2bt, w", "2 n: 3ct, -", "3 1"]
        ),
        (
            "a record that is new, with others",
            { tx in
                var cargo = Cargo(id: 3, note: "n", lines: [line(9, "z")], seal: CargoSeal(id: 3, word: "x"))
                try takingBack(tx) { try tx.insert(&cargo) }
                try tx.save(&cargo)
            }, ["1 n: 1at 2bt, w", "2 n: 3ct, -", "3 n: 9zt, x", "4 2"]
        ),
        (
            "others within a record",
            { tx in
                var cargo = try tx.find(Cargo.self, 1)
                cargo.lines.removeFirst()
                cargo.lines[0].text = "u"
                cargo.lines.append(line(9, "z"))
                cargo.seal?.word = "x"
                try takingBack(tx) { try tx.save(&cargo) }
                try tx.save(&cargo)
            }, ["1 n: 2bu 9zt, x", "2 n: 3ct, -", "3 1"]
        ),
        (
            "a part within a part, and changes since",
            { tx in
                var cargo = try tx.find(Cargo.self, 1)
                cargo.note = "1"
                try takingBack(tx) {
                    try tx.save(&cargo)
                    cargo.lines[0].text = "u"
                    try takingBack(tx) { try tx.save(&cargo) }
                    try tx.part { try tx.save(&cargo) }
                    cargo.lines[1].text = "v"
                    try tx.save(&cargo)
                }
                try tx.save(&cargo)
            }, ["1 1: 1au 2bv, w", "2 n: 3ct, -", "3 1"]
        ),
        (
            "what was saved before a part stays known",
            { tx in
                var cargo = try tx.find(Cargo.self, 1)
                cargo.note = "1"
                try tx.save(&cargo)
                cargo.note = "2"
                try takingBack(tx) { try tx.save(&cargo) }
                try tx.execute("UPDATE cargos SET note = '3' WHERE id = 1")
                #expect(throws: SluiceError.self) { try tx.save(&cargo) }
                try tx.execute("UPDATE cargos SET note = '1' WHERE id = 1")
                try tx.save(&cargo)
            }, ["1 2: 1at 2bt, w", "2 n: 3ct, -", "3 1"]
        ),
        (
            "a record that is deleted",
            { tx in
                var line = try tx.find(CargoLine.self, 3)
                try takingBack(tx) { try tx.delete(&line) }
                line.text = "u"
                try tx.save(&line)
            }, ["1 n: 1at 2bt, w", "2 n: 3cu, -", "3 1"]
        ),
        (
            "a save that fails in a part, and is mended",
            { tx in
                var cargo = try tx.find(Cargo.self, 1)
                cargo.lines[0].text = "u"
                cargo.lines.append(line(9, "c"))
                #expect(throws: SluiceError.self) { try tx.part { try tx.save(&cargo) } }
                cargo.lines.removeLast()
                try tx.save(&cargo)
            }, ["1 n: 1au 2bt, w", "2 n: 3ct, -", "3 1"]
        ),
    ]

    @Test(arguments: parts.indices) func isSavedByTheNextSave(_ index: Int) async throws {
        let row = Self.parts[index]
        let store = try await Self.store()
        try await store.write { tx in try row.write(tx) }
        #expect(try await Self.rows(store) == row.rows, "\(row.name)")
    }

    /// An identifier that the store gave may be another record's by then.
    @Test func takesAnotherIdentifierThanTheOneThatWasTakenBack() async throws {
        let store = try await Self.store()
        let notes = try await store.write { tx in
            var (mine, other) = (CargoNote(text: "mine", list: nil), CargoNote(text: "other", list: nil))
            try takingBack(tx) { try tx.insert(&mine) }
            try tx.insert(&other)
            #expect(mine.id == other.id)
            try tx.save(&mine)
            mine.text += "!"
            try tx.save(&mine)
            return [mine, other]
        }
        #expect(notes[0].id != notes[1].id)
        #expect(try await store.fetch(CargoNote.order(by: \.text)).map(\.id) == notes.map(\.id))
        #expect(try await store.fetch(CargoNote.order(by: \.text)).map(\.text) == ["mine!", "other"])
    }

    /// A value forgets which links come and go once they are saved.
    @Test func changesLinksOnceMore() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var list = CargoList(id: 1, cargos: [1], lines: [3, 1])
            try takingBack(tx) {
                try tx.insert(&list)
                list.cargos.insert(2)
                list.lines.append(2)
                try tx.save(&list)
            }
            list.cargos.remove(1)
            list.lines.remove(1)
            try tx.save(&list)
        }
        try await store.read { reader in
            let list = try reader.find(CargoList.self, 1)
            #expect(try list.cargos.keys(in: reader) == [2])
            #expect(try list.lines.keys(in: reader) == [3, 2])
        }
    }

    /// What was read of records that had been written before is a guess once that is taken back.
    @Test func isRefusedWhereItWasReadOfWhatIsGone() async throws {
        let store = try await Self.store()
        try await store.write { tx in
            var lines: [CargoLine] = []
            try takingBack(tx) {
                try tx.update(CargoLine.self, 1) { $0.text = "u" }
                lines = try tx.fetch(CargoLine.order(by: \.id))
            }
            lines[0].serial = "x"
            let error = #expect(throws: SluiceError.self) { try tx.save(&lines[0]) }
            #expect(error?.code == .stale && error?.field == "text")
            lines[1].serial = "y"
            try tx.save(&lines[1])
        }
        #expect(try await Self.rows(store) == ["1 n: 1at 2yt, w", "2 n: 3ct, -", "3 1"])
    }

    // MARK: Whole transactions

    @StoreActor actor Desk {
        private var draft = Cargo(id: 3, note: "n", lines: [CargoLine(id: 9, serial: "z", text: "t")], seal: nil)

        func keep(failing isFailing: Bool) throws {
            try transaction { tx in
                try tx.save(&draft)
                if isFailing { throw Stop() }
            }
        }

        func change(_ note: String) { draft.note = note }
    }

    @Test func isSavedByTheNextTransaction() async throws {
        let store = try await Self.store()
        let desk = Desk(store: store)
        await #expect(throws: Stop.self) { try await desk.keep(failing: true) }
        try await desk.keep(failing: false)
        #expect(try await Self.rows(store)[2] == "3 n: 9zt, -")
        await desk.change("m")
        await #expect(throws: Stop.self) { try await desk.keep(failing: true) }
        // What others did meanwhile is noticed, as the value knows what it was saved as before.
        try await store.update(Cargo.self, 3) { $0.note = "o" }
        let error = await #expect(throws: SluiceError.self) { try await desk.keep(failing: false) }
        #expect(error?.code == .stale && error?.field == "note")
        try await store.update(Cargo.self, 3) { $0.note = "n" }
        try await desk.keep(failing: false)
        #expect(try await Self.rows(store)[2] == "3 m: 9zt, -")
    }
}

private struct Stop: Error {}

private func line(_ id: Int, _ serial: String) -> CargoLine { CargoLine(id: id, serial: serial, text: "t") }

/// Does something in a part of a transaction, and takes it back.
private func takingBack(_ tx: Transaction, _ body: () throws -> Void) throws {
    do {
        try tx.part {
            try body()
            throw Stop()
        }
    } catch is Stop {}
}

@PersistentModel(table: "cargos") private struct Cargo {
    let id: Int
    var note: String
    @Relationship(inverse: .none, deleteRule: .cascade) var lines: [CargoLine]
    @Relationship(inverse: .none, deleteRule: .cascade) var seal: CargoSeal?
    var origin = Origin()
}

@PersistentModel private struct CargoLine {
    let id: Int
    @Attribute(.unique) var serial: String
    var text: String
    var origin = Origin()
}

@PersistentModel private struct CargoSeal {
    let id: Int
    var word: String
    var origin = Origin()
}

@PersistentModel private struct CargoList {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var cargos: Refs<Cargo>
    @Relationship(inverse: .none, deleteRule: .nullify) var lines: OrderedRefs<CargoLine>
    var origin = Origin()
}

@PersistentModel private struct CargoNote {
    @Attribute(.identifier, .generated) var id: Int?
    var text: String
    @Relationship(inverse: .none, deleteRule: .nullify) var list: Ref<CargoList>?
    var origin = Origin()
}
