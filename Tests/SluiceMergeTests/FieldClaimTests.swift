import SluiceMerge
import SluiceModel
import Testing

/// A field of which another source of the same table speaks as well.
struct ClaimCase: Sendable, CustomTestStringConvertible {
    let name: String
    let base: FieldSide
    let local: FieldSide
    let remote: FieldSide
    var owner = FieldOwner.shared
    var policy = ConflictPolicy.manual
    let claims: [FieldClaim]
    /// What becomes of the field.
    let fieldClass: FieldClass
    let takesRemote: Bool
    let advancesBase: Bool
    var settlement = FieldDecision.Settlement.notNeeded
    /// The source that it disagrees with.
    var claim: Int?

    var testDescription: String { name }

    static func above(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .above)
    }
    static func below(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .below)
    }
    /// The source whose record is merged goes before, was settled in that order and gave a value.
    static func after(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .below, isSettled: true, stands: false)
    }
    /// It goes before and was settled in that order.
    static func before(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .above, isSettled: true)
    }
    /// It goes before, behind another one that does.
    static func hidden(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .above, isSettled: true, stands: false)
    }
    static func undeclared(_ side: FieldSide, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: true, rank: .undeclared)
    }
    static func lost(_ side: FieldSide, _ rank: SourceOrder.Rank, _ source: Int = 0) -> FieldClaim {
        FieldClaim(source: source, side: side, isLive: false, rank: rank)
    }
}

@Suite("Fields that several sources write")
struct FieldClaimTests {
    static let (a, b, c, n, none) = (Sides.a, Sides.b, Sides.c, FieldSide.null, FieldSide.nothing)

    static let cases: [ClaimCase] = firstWords + changes + people + preferred + lost + owners

    /// A source speaks for the first time.
    static let firstWords = [
        ClaimCase(
            name: "new, and the first source said something else", base: none, local: a, remote: b,
            claims: [ClaimCase.above(a)], fieldClass: .disagreement, takesRemote: false, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "new, and goes first", base: none, local: a, remote: b, claims: [ClaimCase.below(a)],
            fieldClass: .disagreement, takesRemote: true, advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "new, and nobody said who goes first", base: none, local: a, remote: b,
            claims: [ClaimCase.undeclared(a)], fieldClass: .disagreement, takesRemote: false, advancesBase: false,
            settlement: .open, claim: 0),
        ClaimCase(
            name: "new, no policy decides between sources", base: none, local: a, remote: b, policy: .remoteWins,
            claims: [ClaimCase.undeclared(a)], fieldClass: .disagreement, takesRemote: false, advancesBase: false,
            settlement: .open, claim: 0),
        ClaimCase(
            name: "new, and both say the same", base: none, local: a, remote: a, claims: [ClaimCase.above(a)],
            fieldClass: .converged, takesRemote: false, advancesBase: true),
        ClaimCase(
            name: "the first source said null, which is a value", base: none, local: n, remote: b,
            claims: [ClaimCase.above(n)], fieldClass: .disagreement, takesRemote: false, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "null of the source that goes first", base: none, local: a, remote: n, claims: [ClaimCase.below(a)],
            fieldClass: .disagreement, takesRemote: true, advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "null, and what is there is no source's", base: none, local: c, remote: n,
            claims: [ClaimCase.below(a)], fieldClass: .keptLocal, takesRemote: false, advancesBase: true),
        ClaimCase(
            name: "an absent key says nothing", base: none, local: a, remote: none, claims: [ClaimCase.below(a)],
            fieldClass: .noInfo, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "an absent key, where it said something before", base: b, local: a, remote: none,
            claims: [ClaimCase.above(a)], fieldClass: .localOverride, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "an absent key of the one that goes first", base: b, local: a, remote: none,
            claims: [ClaimCase.below(a)], fieldClass: .localOverride, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "new, and a person edited what another source said alike", base: none, local: c, remote: a,
            claims: [ClaimCase.undeclared(a)], fieldClass: .localOverride, takesRemote: false, advancesBase: true),
        ClaimCase(
            name: "new, and a person cleared what another source said alike", base: none, local: n, remote: a,
            policy: .remoteWins, claims: [ClaimCase.above(a)], fieldClass: .localOverride, takesRemote: false,
            advancesBase: true),
        ClaimCase(
            name: "new, and a person edited what a source said alike that has the record no longer", base: none,
            local: c,
            remote: a, claims: [ClaimCase.lost(a, .undeclared)], fieldClass: .addAdd, takesRemote: false,
            advancesBase: false, settlement: .open),
        ClaimCase(
            name: "cleared by a person", base: none, local: n, remote: b, claims: [ClaimCase.above(a)],
            fieldClass: .addAdd, takesRemote: false, advancesBase: false, settlement: .open),
        ClaimCase(
            name: "cleared by a person, and the policy is the source's", base: none, local: n, remote: b,
            policy: .remoteWins, claims: [ClaimCase.below(a)], fieldClass: .addAdd, takesRemote: true,
            advancesBase: true, settlement: .byPolicy),
        ClaimCase(
            name: "cleared by a person, the policy is the source's, and the first one gainsays it", base: none,
            local: n, remote: b, policy: .remoteWins, claims: [ClaimCase.above(a)], fieldClass: .disagreement,
            takesRemote: false, advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "edited by a person, the policy is the source's, and the first one gainsays it", base: a,
            local: c, remote: b, policy: .remoteWins, claims: [ClaimCase.above(a)], fieldClass: .disagreement,
            takesRemote: false, advancesBase: true, settlement: .byPrecedence, claim: 0),
    ]

    /// A source changes its mind.
    static let changes = [
        ClaimCase(
            name: "the second source changes", base: b, local: a, remote: c, claims: [ClaimCase.above(a)],
            fieldClass: .disagreement, takesRemote: false, advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the second source changes what both said", base: a, local: a, remote: b,
            claims: [ClaimCase.above(a)], fieldClass: .disagreement, takesRemote: false, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the first source changes", base: a, local: a, remote: c, claims: [ClaimCase.below(b)],
            fieldClass: .remoteUpdate, takesRemote: true, advancesBase: true),
        ClaimCase(
            name: "the first source changes what both said", base: a, local: a, remote: c,
            claims: [ClaimCase.below(a)], fieldClass: .remoteUpdate, takesRemote: true, advancesBase: true),
        ClaimCase(
            name: "one of two without an order changes what both said", base: a, local: a, remote: c,
            claims: [ClaimCase.undeclared(a)], fieldClass: .remoteUpdate, takesRemote: true, advancesBase: true),
        ClaimCase(
            name: "one of two without an order changes what the other overtook", base: a, local: b, remote: c,
            claims: [ClaimCase.undeclared(b)], fieldClass: .disagreement, takesRemote: false, advancesBase: false,
            settlement: .open, claim: 0),
        ClaimCase(
            name: "the first source catches up with the second", base: a, local: b, remote: c,
            claims: [ClaimCase.below(b)], fieldClass: .disagreement, takesRemote: true, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the second source comes to say the same", base: b, local: a, remote: a,
            claims: [ClaimCase.above(a)], fieldClass: .converged, takesRemote: false, advancesBase: true),
        ClaimCase(
            name: "the first of three decides, and is named", base: b, local: a, remote: c,
            claims: [ClaimCase.above(a, 0), ClaimCase.below(b, 1)], fieldClass: .disagreement, takesRemote: false,
            advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the second of three says what the first says", base: b, local: c, remote: a,
            claims: [ClaimCase.above(a, 0), ClaimCase.below(c, 1)], fieldClass: .disagreement, takesRemote: true,
            advancesBase: true, settlement: .byPrecedence, claim: 1),
        ClaimCase(
            name: "the second of three does not overtake the first", base: b, local: c, remote: b,
            claims: [ClaimCase.above(a, 0), ClaimCase.below(c, 1)], fieldClass: .unchanged, takesRemote: false,
            advancesBase: false),
        ClaimCase(
            name: "the first source says what it said, below another one's value", base: a, local: b, remote: a,
            claims: [ClaimCase.below(b)], fieldClass: .disagreement, takesRemote: true, advancesBase: false,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the second source says what it said", base: b, local: a, remote: b, claims: [ClaimCase.above(a)],
            fieldClass: .unchanged, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "without an order, what a source said before is no news", base: b, local: a, remote: b,
            claims: [ClaimCase.undeclared(a)], fieldClass: .unchanged, takesRemote: false, advancesBase: false),
    ]

    /// What no source said is a person's.
    static let people = [
        ClaimCase(
            name: "edited here, the first source changes", base: a, local: c, remote: b, claims: [ClaimCase.below(a)],
            fieldClass: .editEdit, takesRemote: false, advancesBase: false, settlement: .open),
        ClaimCase(
            name: "edited here, the second source changes", base: a, local: c, remote: b,
            claims: [ClaimCase.above(a)], fieldClass: .editEdit, takesRemote: false, advancesBase: false,
            settlement: .open),
        ClaimCase(
            name: "edited here, cleared there, the policy decides", base: a, local: c, remote: n, policy: .localWins,
            claims: [ClaimCase.above(a)], fieldClass: .editClear, takesRemote: false, advancesBase: true,
            settlement: .byPolicy),
        ClaimCase(
            name: "edited here, nothing new there", base: a, local: c, remote: a, claims: [ClaimCase.above(a)],
            fieldClass: .localOverride, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "a person's value that another source says is that source's", base: a, local: b, remote: c,
            claims: [ClaimCase.above(b)], fieldClass: .disagreement, takesRemote: false, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
    ]

    /// A person preferred the value of the source that comes after.
    static let preferred = [
        ClaimCase(
            name: "preferred here, and the first source changes", base: a, local: b, remote: c,
            claims: [ClaimCase.after(b)], fieldClass: .editEdit, takesRemote: false, advancesBase: false,
            settlement: .open),
        ClaimCase(
            name: "preferred here, and the first source says what it said", base: a, local: b, remote: a,
            claims: [ClaimCase.after(b)], fieldClass: .localOverride, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "preferred here, and the second source changes", base: b, local: b, remote: c,
            claims: [ClaimCase.before(a)], fieldClass: .disagreement, takesRemote: false, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "the first source says null, so the second one's value was there", base: n, local: b, remote: a,
            claims: [ClaimCase.below(b)], fieldClass: .disagreement, takesRemote: true, advancesBase: true,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "sources own the field: the first overwrites what was preferred", base: a, local: b, remote: a,
            owner: .remote, claims: [ClaimCase.after(b)], fieldClass: .driftOverwritten, takesRemote: true,
            advancesBase: false),
    ]

    /// The other source has the record no longer.
    static let lost = [
        ClaimCase(
            name: "its value is no edit, and no claim", base: b, local: a, remote: c,
            claims: [ClaimCase.lost(a, .above)], fieldClass: .remoteUpdate, takesRemote: true, advancesBase: true),
        ClaimCase(
            name: "the next source takes its own value up", base: b, local: a, remote: b,
            claims: [ClaimCase.lost(a, .above)], fieldClass: .remoteUpdate, takesRemote: true, advancesBase: false),
        ClaimCase(
            name: "but for one that goes before it", base: b, local: a, remote: b,
            claims: [ClaimCase.above(c, 0), ClaimCase.lost(a, .above, 1)], fieldClass: .unchanged,
            takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "and for one that said the same before", base: a, local: a, remote: b,
            claims: [ClaimCase.hidden(a, 0), ClaimCase.lost(a, .above, 1)], fieldClass: .disagreement,
            takesRemote: false, advancesBase: true, settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "without an order as well", base: b, local: a, remote: c,
            claims: [ClaimCase.lost(a, .undeclared)], fieldClass: .remoteUpdate, takesRemote: true, advancesBase: true),
        ClaimCase(
            name: "a first word after it", base: none, local: a, remote: b, claims: [ClaimCase.lost(a, .above)],
            fieldClass: .fill, takesRemote: true, advancesBase: true),
    ]

    static let owners = [
        ClaimCase(
            name: "people own the field", base: a, local: a, remote: b, owner: .local, claims: [ClaimCase.above(c)],
            fieldClass: .keptLocal, takesRemote: false, advancesBase: true),
        ClaimCase(
            name: "sources own the field, and the first one said it", base: b, local: a, remote: b, owner: .remote,
            claims: [ClaimCase.above(a)], fieldClass: .unchanged, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "sources own the field, and this one goes first", base: b, local: a, remote: b, owner: .remote,
            claims: [ClaimCase.below(a)], fieldClass: .disagreement, takesRemote: true, advancesBase: false,
            settlement: .byPrecedence, claim: 0),
        ClaimCase(
            name: "sources own the field: an edit is left to the first", base: b, local: c, remote: b, owner: .remote,
            claims: [ClaimCase.above(a)], fieldClass: .localOverride, takesRemote: false, advancesBase: false),
        ClaimCase(
            name: "sources own the field: the first overwrites an edit", base: b, local: c, remote: b, owner: .remote,
            claims: [ClaimCase.below(a)], fieldClass: .driftOverwritten, takesRemote: true, advancesBase: false),
    ]

    @Test("What becomes of the field", arguments: cases)
    func field(_ item: ClaimCase) {
        var schema = RecordMergeTests.schema([item.owner], policy: item.policy)
        schema.keyFields = []
        let sides = RecordSides(base: [item.base], local: [item.local], remote: [item.remote])
        let merge = RecordMerge(sides, schema: schema, claims: [item.claims])
        let decision = merge.decisions[0]
        #expect(decision.fieldClass == item.fieldClass)
        #expect(decision.takesRemote == item.takesRemote)
        #expect(decision.advancesBase == item.advancesBase)
        #expect(decision.settlement == item.settlement)
        #expect(decision.claim == item.claim)
        // Nobody is asked where it makes no difference.
        let plain = RecordMerge(sides, schema: schema)
        if !plain.needsClaims { #expect(merge.decisions == plain.decisions) }
    }

    @Test("Nothing that was decided is decided again", arguments: cases)
    func again(_ item: ClaimCase) {
        let schema = RecordMergeTests.schema([item.owner], policy: item.policy)
        let first = RecordMerge(
            RecordSides(base: [item.base], local: [item.local], remote: [item.remote]), schema: schema,
            claims: [item.claims]
        ).decisions[0]
        let base = first.advancesBase ? item.remote : item.base
        let local = first.takesRemote ? item.remote : item.local
        let second = RecordMerge(
            RecordSides(base: [base], local: [local], remote: [item.remote]), schema: schema, claims: [item.claims]
        ).decisions[0]
        if first.settlement == .open {
            #expect(second == first)
        } else {
            #expect(!second.takesRemote && second.settlement == .notNeeded)
        }
    }

    @Test("What another source gave is no edit")
    func edited() {
        let schema = RecordMergeTests.schema([.shared, .shared])
        func isEdited(_ local: FieldSide, _ claims: [FieldClaim]) -> Bool {
            RecordMerge.isEdited(
                base: [Self.a, Self.a], local: [Self.a, local], schema: schema, claims: [[], claims])
        }
        #expect(!isEdited(Self.a, []))
        #expect(isEdited(Self.b, []))
        #expect(!isEdited(Self.b, [ClaimCase.undeclared(Self.b)]))
        #expect(!isEdited(Self.b, [ClaimCase.lost(Self.b, .above)]))
        #expect(isEdited(Self.b, [ClaimCase.above(Self.c)]))
        #expect(isEdited(Self.n, [ClaimCase.above(Self.c)]))
        #expect(!isEdited(Self.n, [ClaimCase.above(Self.n)]))
    }

    @Test("The value of a source that comes after is an edit where another one's was in the row")
    func preferredToFirst() {
        let schema = RecordMergeTests.schema([.shared])
        func isEdited(_ base: FieldSide, _ local: FieldSide, _ claims: [FieldClaim]) -> Bool {
            RecordMerge.isEdited(base: [base], local: [local], schema: schema, claims: [claims])
        }
        #expect(isEdited(Self.b, Self.b, [ClaimCase.before(Self.a)]))
        #expect(isEdited(Self.none, Self.n, [ClaimCase.before(Self.a)]))
        #expect(isEdited(Self.a, Self.b, [ClaimCase.after(Self.b)]))
        #expect(!isEdited(Self.b, Self.a, [ClaimCase.before(Self.a)]))
        #expect(isEdited(Self.b, Self.b, [ClaimCase.before(Self.n)]))
        #expect(!isEdited(Self.b, Self.n, [ClaimCase.before(Self.n)]))
        #expect(!isEdited(Self.b, Self.b, [ClaimCase.above(Self.a)]))
        #expect(!isEdited(Self.b, Self.b, [ClaimCase.lost(Self.a, .above)]))
        // Of two that go before, the second one's value was never there.
        var second = ClaimCase.before(Self.b, 1)
        second.stands = false
        #expect(!isEdited(Self.c, Self.a, [ClaimCase.before(Self.a, 0), second]))
        #expect(isEdited(Self.c, Self.b, [ClaimCase.before(Self.a, 0), second]))
    }

    /// Three sources in the order of their numbers, of which some have the record and were settled in that order.
    @Test(
        "What stands is what the first of those says that gave the field, and what goes before it",
        arguments: [
            ([a, b, c], [true, true, true], [true, false, false]),
            ([a, b, c], [false, true, true], [true, true, false]),
            ([n, b, c], [true, true, true], [true, false, false]),
            ([none, b, c], [true, true, true], [true, true, false]),
            ([n, n, n], [true, true, true], [true, false, false]),
            ([a, b, c], [false, false, false], [true, true, true]),
        ])
    func standing(_ sides: [FieldSide], _ areSettled: [Bool], _ expected: [Bool]) {
        #expect(FieldClaim.standing(sides) { $0 < $1 && areSettled[$0] } == expected)
        #expect(FieldClaim.standing(sides) { _, _ in false } == [true, true, true])
    }

    @Test("The first of a list goes first")
    func ranks() {
        let order = SourceOrder(paths: ["shop/crm", "bank/billing", "shop/web"])
        func source(_ pipeline: String, _ stream: String) -> RecordMapping {
            RecordMapping(pipeline: pipeline, stream: stream, entity: "Contact")
        }
        let (crm, billing, web) = (source("shop", "crm"), source("bank", "billing"), source("shop", "web"))
        #expect(order.rank(of: crm, to: billing) == .above)
        #expect(order.rank(of: web, to: billing) == .below)
        #expect(order.rank(of: source("bank", "crm"), to: billing) == .undeclared)
        #expect(order.rank(of: crm, to: source("shop", "billing")) == .undeclared)
        #expect(SourceOrder().rank(of: crm, to: billing) == .undeclared)
    }
}
