import Foundation
import Sluice
import TestSupport
import Testing

/// Compositions that may be nil: nobody but an SQL tool leaves half of one, which could not be read.
struct WholeCompositionTests {
    private static let options = SyncOptions(source: "shop")

    private static func json(_ address: String) -> String {
        #"[{"id": 1, "name": "Ann", "address": \#(address)}]"#
    }

    private static let home = #"{"street": "Main 1", "city": "Ulm"}"#

    static let spelled: [(name: String, json: String, pointer: String?)] = [
        ("all of it", home, nil), ("null", "null", nil), ("nothing", "{}", nil),
        ("nulls alone", #"{"street": null, "city": null}"#, nil),
        ("an optional part more", #"{"street": "a", "city": "b", "zip": "1"}"#, nil),
        ("no city", #"{"street": "a"}"#, "/address/city"),
        ("a null as city", #"{"street": "a", "city": null}"#, "/address/city"),
        ("an optional part alone", #"{"zip": "1"}"#, "/address/street"),
        ("one of the two as null", #"{"street": null}"#, "/address/city"),
        ("a text", #""Main 1, Ulm""#, "/address"), ("a number", "7", "/address"), ("a list", "[1]", "/address"),
        ("half of what is within it", #"{"street": "a", "city": "b", "place": {"lat": 1}}"#, "/address/place/lng"),
        ("a text within it", #"{"street": "a", "city": "b", "place": "1 2"}"#, "/address/place"),
    ]

    /// What is less than all of it, and what is no object, is kept aside: of new records and of those that are there, of records and
    /// of those within others.
    @Test(arguments: spelled.indices) func takesAllOfItOrNone(_ index: Int) async throws {
        let (name, json, pointer) = Self.spelled[index]
        for isThere in [false, true] {
            let store = try Store.temporary(Addressee.self)
            if isThere { try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options) }
            let result = try await store.sync(Addressee.self, from: Self.json(json), Self.options)
            #expect(result.summary.quarantined == (pointer == nil ? 0 : 1), "\(name), \(isThere)")
            #expect(result.quarantined.first?.pointer == pointer, "\(name), \(isThere)")
            #expect(try await store.fetch(Addressee.all).count == (isThere || pointer == nil ? 1 : 0), "\(name)")
        }
        let store = try Store.temporary(AddressedParcel.self, Addressee.self)
        let parcel = #"[{"id": 1, "to": [{"id": 1, "name": "Ann", "address": \#(json)}]}]"#
        let result = try await store.sync(AddressedParcel.self, from: parcel, Self.options)
        #expect(result.summary.quarantined == (pointer == nil ? 0 : 1), "\(name), within another one")
        #expect(
            try await store.fetch(AddressedParcel.all).count == (pointer == nil ? 1 : 0), "\(name), within another one")
    }

    /// What is wrong with half of one is said.
    @Test func saysWhichPartIsMissing() async throws {
        let store = try Store.temporary(Addressee.self)
        let half = try await store.sync(Addressee.self, from: Self.json(#"{"street": "a"}"#), Self.options)
        #expect(
            half.quarantined.first?.message
                == "Half of `address` is there: `address.city` has no value. It takes all of its parts, or null for none."
        )
        let text = try await store.sync(Addressee.self, from: Self.json(#""a""#), Self.options)
        #expect(text.quarantined.first?.message == "Expected an object, found a string.")
    }

    // MARK: Merging

    private static func address(_ street: String, _ city: String, _ zip: String? = nil) -> PostalAddress {
        PostalAddress(street: street, city: city, zip: zip, place: nil)
    }

    /// What the source said first, what a person makes of it, and what the source says then.
    static let merges: [(name: String, base: String?, edit: PostalAddress?, remote: String)] = [
        ("cleared here, a part changed there", home, nil, #"{"street": "Main 1", "city": "Bonn"}"#),
        ("cleared here, all changed there", home, nil, #"{"street": "Side 2", "city": "Bonn", "zip": "5"}"#),
        ("cleared here, an optional part added there", home, nil, #"{"street": "Main 1", "city": "Ulm", "zip": "5"}"#),
        ("a part changed here, cleared there", home, address("Main 1", "Bonn"), "null"),
        ("an optional part added here, cleared there", home, address("Main 1", "Ulm", "5"), "null"),
        ("a part here, another one there", home, address("Main 9", "Ulm"), #"{"street": "Main 1", "city": "Bonn"}"#),
        ("given here, given there", "null", address("Main 9", "Ulm"), #"{"street": "Main 1", "city": "Ulm"}"#),
        (
            "an optional part added here, nulls for the others there", home, address("Main 1", "Ulm", "5"),
            #"{"street": null, "city": null}"#
        ),
        ("cleared on both sides", home, nil, "null"), ("never said, given here", nil, address("a", "b"), home),
        ("never said, given here, null there", nil, address("a", "b"), "null"),
    ]

    static let policies: [(name: String, policy: SyncOptions.ConflictPolicy)] = [
        ("local", .localWins), ("remote", .remoteWins), ("newest", .newestWins), ("manual", .manual),
    ]

    private func merged(_ index: Int, _ policy: SyncOptions.ConflictPolicy) async throws -> Store {
        let row = Self.merges[index]
        let store = try Store.temporary(Addressee.self)
        if let base = row.base {
            try await store.sync(Addressee.self, from: Self.json(base), Self.options)
            try await store.update(Addressee.self, 1) { $0.address = row.edit }
        } else {
            var value = Addressee(id: 1, name: "Ann", address: row.edit)
            try await store.insert(&value)
        }
        var options = Self.options
        options.onConflict = policy
        try await store.sync(Addressee.self, from: Self.json(row.remote), options)
        return store
    }

    /// Whatever a policy decides, and whichever of the conflicts somebody decides in which way, all of it is there or none.
    @Test(arguments: merges.indices) func isMergedToAWholeOrNone(_ index: Int) async throws {
        for (name, policy) in Self.policies {
            let store = try await merged(index, policy)
            _ = try await store.fetch(Addressee.all)
            let count = try await store.conflicts(of: Addressee.self).count
            for place in 0..<count {
                for decision in [Conflict<Addressee>.Decision.local, .remote, .base] {
                    let store = try await merged(index, policy)
                    let conflict = try await store.conflicts(of: Addressee.self)[place]
                    do { try await store.resolve(conflict, decision) } catch let error as SluiceError {
                        #expect(error.code == .refused, "\(Self.merges[index].name), \(name): \(error.message)")
                    }
                    _ = try await store.fetch(Addressee.all)
                    // What is left to decide can be decided, and the source has nothing to ask again.
                    while let rest = try await store.conflicts(of: Addressee.self).first {
                        try await store.resolve(rest, .remote)
                    }
                    _ = try await store.fetch(Addressee.all)
                    let again = try await store.sync(
                        Addressee.self, from: Self.json(Self.merges[index].remote), Self.options)
                    #expect(again.summary.conflict == 0, "\(Self.merges[index].name), \(name)")
                    _ = try await store.fetch(Addressee.all)
                }
            }
        }
    }

    /// A composition that was cleared here and changed there is one thing to decide.
    @Test func isDecidedAsAWhole() async throws {
        let taken = try await merged(0, .manual)
        #expect(
            Set(try await taken.conflicts(of: Addressee.self).map(\.property)) == ["address.street", "address.city"])
        let city = try #require(
            try await taken.conflicts(of: Addressee.self).first { $0.property == "address.city" })
        #expect(city.kind == .clearEdit)
        #expect(try await taken.resolve(city, .remote) == .resolved)
        #expect(try await taken.find(Addressee.self, 1).address == Self.address("Main 1", "Bonn"))
        #expect(try await taken.conflicts(of: Addressee.self).isEmpty)
        let set = try await merged(0, .manual)
        let street = try #require(
            try await set.conflicts(of: Addressee.self).first { $0.property == "address.street" })
        #expect(try await set.resolve(street, .set(\.address.street, "Side 3")) == .resolved)
        #expect(try await set.find(Addressee.self, 1).address == Self.address("Side 3", "Bonn"))
        let overwritten = try await merged(0, .remoteWins)
        #expect(try await overwritten.find(Addressee.self, 1).address == Self.address("Main 1", "Bonn"))
        #expect(try await merged(0, .localWins).find(Addressee.self, 1).address == nil)
    }

    /// Whoever decides all of a list need not know which of them are decided together.
    @Test func areDecidedOneAfterTheOther() async throws {
        let store = try await merged(1, .manual)
        let conflicts = try await store.conflicts(of: Addressee.self)
        #expect(conflicts.count == 3)
        for conflict in conflicts { #expect(try await store.resolve(conflict, .remote) == .resolved) }
        #expect(try await store.find(Addressee.self, 1).address == Self.address("Side 2", "Bonn", "5"))
    }

    /// What the source took out of a composition that was cleared here is no news, and what it changed waits however often it says so.
    @Test(arguments: [SyncOptions.ConflictPolicy.manual, .localWins, .remoteWins])
    func staysToBeDecided(_ policy: SyncOptions.ConflictPolicy) async throws {
        let full = #"{"street": "Main 1", "city": "Ulm", "zip": "5"}"#
        for (name, said) in [
            ("a part is taken out", #"{"street": "Main 1", "city": "Ulm", "zip": null}"#),
            ("a part is taken out, another one changed", #"{"street": "Main 1", "city": "Bonn", "zip": null}"#),
        ] {
            let isNews = said.contains("Bonn")
            let store = try Store.temporary(Addressee.self)
            try await store.sync(Addressee.self, from: Self.json(full), Self.options)
            try await store.update(Addressee.self, 1) { $0.address = nil }
            var options = Self.options
            options.onConflict = policy
            var open: [[String]] = []
            var addresses: [PostalAddress?] = []
            for _ in 0..<3 {
                try await store.sync(Addressee.self, from: Self.json(said), options)
                open.append(try await store.conflicts(of: Addressee.self).compactMap(\.property).sorted())
                addresses.append(try await store.find(Addressee.self, 1).address)
            }
            let asked = isNews && policy == .manual ? ["address.city", "address.street"] : []
            #expect(open == [asked, asked, asked], "\(name)")
            let taken = isNews && policy == .remoteWins ? Self.address("Main 1", "Bonn") : nil
            #expect(addresses == [taken, taken, taken], "\(name)")
        }
    }

    /// Who decided saw another value: none of its parts is written, and the conflict shows what is there now.
    @Test(arguments: ["address.city", "address.street", "address.zip"])
    func isNotDecidedInPartsWhereItChanged(_ property: String) async throws {
        let store = try Store.temporary(Addressee.self)
        try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options)
        try await store.update(Addressee.self, 1) { $0.address = nil }
        let news = Self.json(#"{"street": "Side 2", "city": "Bonn", "zip": "5"}"#)
        try await store.sync(Addressee.self, from: news, Self.options)
        let seen = try await store.conflicts(of: Addressee.self)
        #expect(seen.count == 3)
        // One part is as the conflict shows it, the others are not.
        try await store.update(Addressee.self, 1) { $0.address = Self.address("Here 1", "Here") }
        let conflict = try #require(seen.first { $0.property == property })
        #expect(try await store.resolve(conflict, .remote) == .reopened)
        #expect(try await store.find(Addressee.self, 1).address == Self.address("Here 1", "Here"))
        let shown = try await store.conflicts(of: Addressee.self)
        #expect(shown.count == 3)
        let local = try shown.compactMap { try $0.sides(\.address.city)?.local }
        #expect(local == ["Here"])
    }

    /// Parts that both sides have are decided one by one.
    @Test func isDecidedByPartWhereBothHaveOne() async throws {
        let store = try Store.temporary(Addressee.self)
        try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options)
        try await store.update(Addressee.self, 1) { $0.address = Self.address("Here 1", "Here") }
        let there = Self.json(#"{"street": "There 1", "city": "There"}"#)
        try await store.sync(Addressee.self, from: there, Self.options)
        let conflicts = try await store.conflicts(of: Addressee.self)
        #expect(conflicts.count == 2)
        let city = try #require(conflicts.first { $0.property == "address.city" })
        try await store.resolve(city, .remote)
        #expect(try await store.find(Addressee.self, 1).address == Self.address("Here 1", "There"))
        #expect(try await store.conflicts(of: Addressee.self).map(\.property) == ["address.street"])
    }

    /// Two sources of one table.
    @Test func isOneSourcesOrTheOthers() async throws {
        for precedence: [Source] in [[], ["shop", "web"], ["web", "shop"]] {
            for web in ["null", #"{"street": "Web 1", "city": "Ulm"}"#] {
                var options = StoreOptions()
                options.precedence = precedence
                let folder = try TemporaryDirectory()
                let store = try Store(folder.path + "/a.db", models: Addressee.self, options: options)
                try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options)
                try await store.sync(Addressee.self, from: Self.json(web), .init(source: "web"))
                _ = try await store.fetch(Addressee.all)
                let news = Self.json(#"{"street": "Main 1", "city": "Bonn", "zip": "5"}"#)
                try await store.sync(Addressee.self, from: news, Self.options)
                _ = try await store.fetch(Addressee.all)
                try await store.update(Addressee.self, 1) { $0.address = nil }
                try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options)
                _ = try await store.fetch(Addressee.all)
                for conflict in try await store.conflicts(of: Addressee.self) {
                    _ = try? await store.resolve(conflict, .remote)
                    _ = try await store.fetch(Addressee.all)
                }
            }
        }
    }

    /// What was changed since stays, and half of a value does not.
    @Test func isTakenBackAsAWhole() async throws {
        let store = try Store.temporary(Addressee.self)
        try await store.sync(Addressee.self, from: Self.json("null"), Self.options)
        let given = try await store.sync(Addressee.self, from: Self.json(Self.home), Self.options)
        try await store.update(Addressee.self, 1) { $0.address?.city = "Bonn" }
        let undone = try await store.undo(run: try #require(given.run))
        #expect(undone.left == 1)
        #expect(try await store.find(Addressee.self, 1).address == Self.address("Main 1", "Bonn"))
        let untouched = try Store.temporary(Addressee.self)
        try await untouched.sync(Addressee.self, from: Self.json("null"), Self.options)
        let run = try await untouched.sync(Addressee.self, from: Self.json(Self.home), Self.options).run
        try await untouched.undo(run: try #require(run))
        #expect(try await untouched.find(Addressee.self, 1).address == nil)
    }

    // MARK: Saving

    /// A value that others cleared, or gave, meanwhile.
    @Test func isSavedAsAWhole() async throws {
        let store = try Store.temporary(Addressee.self)
        var first = Addressee(id: 1, name: "Ann", address: Self.address("Main 1", "Ulm"))
        try await store.save(&first)
        var changed = first
        var cleared = first
        try await store.update(Addressee.self, 1) { $0.address = nil }
        changed.address?.city = "Bonn"
        let stale = await #expect(throws: SluiceError.self) { try await store.save(&changed) }
        #expect(stale?.code == .stale)
        try await store.save(&changed, overwriting: true)
        #expect(try await store.find(Addressee.self, 1).address == Self.address("Main 1", "Bonn"))
        try await store.update(Addressee.self, 1) { $0.address = Self.address("Main 1", "Ulm", "5") }
        cleared.address = nil
        let lost = await #expect(throws: SluiceError.self) { try await store.save(&cleared) }
        #expect(lost?.code == .stale && lost?.field == "address.zip")
        try await store.save(&cleared, overwriting: true)
        #expect(try await store.find(Addressee.self, 1).address == nil)
    }

    /// A change of a part of many records at once.
    @Test func isNotSetByHalf() async throws {
        let store = try Store.temporary(Addressee.self)
        var values = [
            Addressee(id: 1, name: "Ann", address: Self.address("Main 1", "Ulm")), Addressee(id: 2, name: "Bob"),
        ]
        try await store.save(&values)
        for changes in [Addressee.path.address.city.set("Bonn"), Addressee.path.address.city.set(nil)] {
            let error = await #expect(throws: SluiceError.self) {
                try await store.write { _ = try $0.update(Addressee.all, changes) }
            }
            #expect(error?.code == .refused && error?.field == "address", "\(error?.message ?? "")")
        }
        try await store.write { tx in
            try tx.update(Addressee.where { $0.address.isNotNil }, Addressee.path.address.city.set("Bonn"))
            try tx.update(
                Addressee.where { $0.id == 2 }, Addressee.path.address.city.set("Aix"),
                Addressee.path.address.street.set("Rue 1"))
        }
        #expect(
            try await store.fetch(Addressee.order(by: \.id)).map(\.address) == [
                Self.address("Main 1", "Bonn"), Self.address("Rue 1", "Aix"),
            ])
        try await store.update(Addressee.self, 2) { $0.address = nil }
        #expect(try await store.fetch(Addressee.where { $0.address == nil }).map(\.id) == [2])
        #expect(
            try await store.fetch(Addressee.where { $0.address != nil && $0.address.place == nil }).map(\.id) == [1])
    }

    /// A program that speaks of a part has the whole value.
    @Test func isSaidAsAWhole() async throws {
        let store = try Store.temporary(Addressee.self)
        try await store.sync(Addressee.self, from: Self.json("null"), Self.options)
        let value = Addressee(id: 1, name: "Bea", address: Self.address("Main 1", "Ulm"))
        try await store.sync(Upsert(value, present: [\.address.city]), Self.options)
        let read = try await store.find(Addressee.self, 1)
        #expect(read.address == value.address && read.name == "Ann")
    }
}

@Composition struct PostalAddress: Equatable, Codable {
    var street: String
    var city: String
    var zip: String?
    var place: PostalPlace?
}

@Composition struct PostalPlace: Equatable, Codable {
    var lat: Double
    var lng: Double
}

@PersistentModel struct Addressee {
    let id: Int
    var name: String
    @Attribute(storageMethod: .composition) var address: PostalAddress?
    var origin = Origin()
}

@PersistentModel struct AddressedParcel {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .cascade, json: "to") var to: [Addressee]
}
