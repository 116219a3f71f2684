import SluiceMerge
import SluiceModel
import TestSupport
import Testing

@Suite("The merge of a record's fields")
struct RecordMergeTests {
    static func schema(_ owners: [FieldOwner], policy: ConflictPolicy = .manual) -> RecordSchema {
        let fields = owners.enumerated().map { index, owner in
            RecordSchema.Field(name: "f\(index)", column: "f\(index)", type: .string, owner: owner)
        }
        return RecordSchema(
            pipeline: "p", stream: "s", entity: "E", table: "e", fields: fields, keyFields: [0], policy: policy)
    }

    @Test func eachFieldIsDecidedByItself() {
        let schema = Self.schema([.shared, .shared, .shared, .shared])
        let merge = RecordMerge(
            RecordSides(
                base: [Sides.a, Sides.a, Sides.a, Sides.a], local: [Sides.a, Sides.b, Sides.b, Sides.a],
                remote: [Sides.a, Sides.a, Sides.c, Sides.c]), schema: schema)
        #expect(merge.decisions.map(\.fieldClass) == [.unchanged, .localOverride, .editEdit, .remoteUpdate])
        #expect(merge.written == [3])
        #expect(merge.advanced == [3])
        #expect(merge.open == [2])
        #expect(!merge.keptLocal)
    }

    @Test func ownersDifferFromFieldToField() {
        let merge = RecordMerge(
            RecordSides(
                base: [Sides.a, Sides.a, Sides.a], local: [Sides.b, Sides.b, Sides.b],
                remote: [Sides.c, Sides.c, Sides.c]), schema: Self.schema([.remote, .local, .shared]))
        #expect(merge.decisions.map(\.fieldClass) == [.driftOverwritten, .keptLocal, .editEdit])
        #expect(merge.written == [0])
        #expect(merge.advanced == [0, 1])
        #expect(merge.open == [2])
        #expect(merge.keptLocal)
    }

    /// The parts of a composition: two that have to have a value where there is one, and an optional one.
    private static let parts: (nothing: [[FieldSide]], none: [[FieldSide]], wholes: [[FieldSide]]) = {
        let values = [Sides.a, Sides.b]
        let wholes = values.flatMap { first in
            values.flatMap { second in
                [FieldSide.null, Sides.a, .nothing].map { [first, second, $0] }
            }
        }
        return ([[.nothing, .nothing, .nothing]], [[.null, .null, .null], [.null, .null, .nothing]], wholes)
    }()

    /// Whatever base, row, source and another source say of a composition, and whichever policy there is: the row has all of it or
    /// none, at once and once what is open is decided for one side.
    @Test(arguments: [ConflictPolicy.manual, .localWins, .remoteWins]) func aCompositionIsWholeOrNone(
        _ policy: ConflictPolicy
    ) {
        var schema = Self.schema([.shared, .shared, .shared], policy: policy)
        schema.compositions = [RecordComposition(fields: [0, 1, 2], required: [0, 1])]
        let (nothing, none, wholes) = Self.parts
        let said = nothing + none + wholes
        var claims: [[[FieldClaim]]] = [[]]
        for rank in [SourceOrder.Rank.above, .below, .undeclared] {
            for sides in [none[0], wholes[1], wholes[4]] {
                claims.append(sides.map { [FieldClaim(source: 0, side: $0, isLive: true, rank: rank)] })
            }
        }
        var halves: [String] = []
        for local in (none + wholes).map({ $0.map { $0 == .nothing ? .null : $0 } }) {
            for base in said {
                for remote in said {
                    let sides = RecordSides(base: base, local: local, remote: remote).clearing(schema.compositions)
                    for claims in claims {
                        let merge = RecordMerge(sides, schema: schema, claims: claims)
                        for takesOpen in [false, true] {
                            let row = merge.decisions.indices.map { field in
                                let isTaken = merge.decisions[field].settlement == .open && takesOpen
                                let isWritten = merge.decisions[field].takesRemote || isTaken
                                let side = remote[field] == .nothing ? .null : remote[field]
                                return isWritten ? side : local[field]
                            }
                            if schema.compositions[0].isHalf({ row[$0] == .null }) {
                                halves.append("\(base) \(local) \(remote) \(claims): \(row)")
                            }
                        }
                    }
                }
            }
        }
        #expect(halves.isEmpty, "\(halves.count): \(halves.first ?? "")")
    }

    /// What a default says, by what stands there already: as a key's value, and where it fills gaps only.
    @Test(arguments: [
        ("nothing stands there", FieldSide.nothing, FieldSide.null, true, true),
        ("the source said another value before", Sides.a, Sides.a, true, false),
        ("a person changed it", Sides.a, Sides.b, false, false),
        ("a person came to the default", Sides.a, Sides.c, true, false),
        ("a person cleared it", Sides.a, .null, false, false),
        ("a person filled it", .nothing, Sides.b, false, false),
    ])
    func aDefaultGivesWay(
        _ name: String, _ base: FieldSide, _ local: FieldSide, _ counts: Bool, _ fillsGap: Bool
    ) {
        let sides = RecordSides(base: [base], local: [local], remote: [Sides.c])
        let rules: [(RecordSides.Yielding, isSaid: Bool)] = [
            (.no, true), (.toChanges, counts), (.toAnyValue, fillsGap),
        ]
        for (rule, isSaid) in rules {
            let result = sides.givingWay { _ in rule }.remote
            #expect(result == [isSaid ? Sides.c : .nothing], "\(name), gives way: \(rule)")
        }
    }

    @Test(arguments: [
        (ConflictPolicy.localWins, true), (.remoteWins, false), (.manual, false), (.newestWins, false), (.fail, false),
    ])
    func aPolicyForTheLocalSideKeepsIt(_ policy: ConflictPolicy, _ keepsLocal: Bool) {
        let merge = RecordMerge(
            RecordSides(base: [Sides.a], local: [Sides.b], remote: [Sides.c]),
            schema: Self.schema([.shared], policy: policy))
        #expect(merge.keptLocal == keepsLocal)
    }

    @Test(arguments: [
        ("both sides changed it", Sides.a, Sides.b, Sides.c, FieldOwner.shared, true),
        ("the source never gave it", .nothing, Sides.b, Sides.c, .shared, true),
        ("cleared here", Sides.a, .null, Sides.c, .shared, false),
        ("cleared there", Sides.a, Sides.b, .null, .shared, false),
        ("only the source changed it", Sides.a, Sides.a, Sides.c, .shared, false),
        ("both came to the same", Sides.a, Sides.b, Sides.b, .shared, false),
        ("the source owns it", Sides.a, Sides.b, Sides.c, .remote, false),
        ("people own it", Sides.a, Sides.b, Sides.c, .local, false),
    ])
    func whatDivergesIsMergedWithinWhereItCanBe(
        _ name: String, _ base: FieldSide, _ local: FieldSide, _ remote: FieldSide, _ owner: FieldOwner,
        _ isMerged: Bool
    ) {
        var schema = Self.schema([owner], policy: .fail)
        schema.fields[0].comparison = .set
        let sides = RecordSides(base: [base], local: [local], remote: [remote])
        for result in [FieldDecision.Result.local, .merged(FieldValue("both"))] {
            let merge = RecordMerge(sides, schema: schema) { _ in result }
            let decision = merge.decisions[0]
            #expect((decision.fieldClass == .merged) == isMerged, "\(name)")
            guard isMerged else { continue }
            #expect(decision.result == result)
            #expect(merge.written == (result == .local ? [] : [0]))
            #expect(merge.advanced == [0] && merge.open.isEmpty && !merge.keptLocal)
        }
        // What cannot be merged, and what is compared as a whole, is decided as ever.
        let whole = RecordMerge(sides, schema: schema)
        schema.fields[0].comparison = .exact
        let exact = RecordMerge(sides, schema: schema) { _ in .merged(FieldValue("both")) }
        #expect(whole.decisions == exact.decisions, "\(name)")
        #expect(whole.decisions[0].fieldClass != .merged)
    }

    @Test(arguments: [
        ("the same", FieldSide.value(1), FieldSide.value(1), FieldOwner.shared, false),
        ("another value", .value(1), .value(2), .shared, true),
        ("cleared", .value(1), .null, .shared, true),
        ("never given and null", .nothing, .null, .shared, false),
        ("never given and filled here", .nothing, .value(1), .shared, true),
        ("a field of people", .value(1), .value(2), .local, true),
        ("a field of the source", .value(1), .value(2), .remote, false),
    ])
    func editedIsWhatPeopleChanged(
        _ name: String, _ base: FieldSide, _ local: FieldSide, _ owner: FieldOwner, _ isEdited: Bool
    ) {
        let schema = Self.schema([.shared, owner])
        #expect(
            RecordMerge.isEdited(base: [Sides.a, base], local: [Sides.a, local], schema: schema) == isEdited, "\(name)")
    }

    @Test(arguments: [
        ("the same", FieldSide.value(1), FieldSide.value(1), false),
        ("another value", .value(1), .value(2), true),
        ("null", .value(1), .null, true),
        ("an absent key", .value(1), .nothing, false),
        ("given for the first time", .nothing, .null, true),
        ("never given, absent", .nothing, .nothing, false),
    ])
    func anAbsentKeyIsNoChange(_ name: String, _ base: FieldSide, _ remote: FieldSide, _ isChanged: Bool) {
        #expect(RecordMerge.isChanged(base: [Sides.a, base], remote: [Sides.a, remote]) == isChanged, "\(name)")
    }
}

@Suite("Laws of the merge of a record's fields, on random records")
struct RecordMergeLawTests {
    private static func sides(_ options: [FieldSide], count: Int, using random: inout SeededGenerator) -> [FieldSide] {
        (0..<count).map { _ in options[Int.random(in: 0..<options.count, using: &random)] }
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func editsOfDifferentFieldsNeverConflict(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...12, using: &random)
        let base = Self.sides([.null, Sides.a], count: count, using: &random)
        var (local, remote, merged) = (base, base, base)
        for index in 0..<count {
            let value = Bool.random(using: &random) ? Sides.b : base[index] == .null ? Sides.c : .null
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                local[index] = value
                merged[index] = value
            case 1:
                remote[index] = value
                merged[index] = value
            case 2: remote[index] = .nothing
            default: break
            }
        }
        let merge = RecordMerge(
            RecordSides(base: base, local: local, remote: remote),
            schema: RecordMergeTests.schema(Array(repeating: .shared, count: count), policy: .fail))
        #expect(merge.decisions.allSatisfy { $0.settlement == .notNeeded })
        let result = merge.decisions.enumerated().map { $1.result(local: local[$0], remote: remote[$0]) }
        #expect(result == merged)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func theResultIsOneOfTheSidesAndMergingAgainIsQuiet(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...12, using: &random)
        let owners = (0..<count).map { _ in FieldOwner.allCases[Int.random(in: 0..<3, using: &random)] }
        let policy = ConflictPolicy.allCases[Int.random(in: 0..<5, using: &random)]
        let schema = RecordMergeTests.schema(owners, policy: policy)
        let base = Self.sides(Sides.bases, count: count, using: &random)
        let local = Self.sides(Sides.locals, count: count, using: &random)
        let remote = Self.sides(Sides.remotes, count: count, using: &random)

        let merge = RecordMerge(RecordSides(base: base, local: local, remote: remote), schema: schema)
        let result = merge.decisions.enumerated().map { $1.result(local: local[$0], remote: remote[$0]) }
        let newBase = merge.decisions.enumerated().map { $1.base(before: base[$0], remote: remote[$0]) }
        for index in 0..<count {
            #expect([base[index], local[index], remote[index]].contains(result[index]))
            #expect(result[index] != .nothing)
        }
        let again = RecordMerge(RecordSides(base: newBase, local: result, remote: remote), schema: schema)
        #expect(again.written.isEmpty && again.advanced.isEmpty)
        #expect(again.open == merge.open)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func theOrderOfFieldsChangesNothing(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = Self.sides(Sides.bases, count: 8, using: &random)
        let local = Self.sides(Sides.locals, count: 8, using: &random)
        let remote = Self.sides(Sides.remotes, count: 8, using: &random)
        let schema = RecordMergeTests.schema(Array(repeating: .shared, count: 8))
        let order = (0..<8).shuffled(using: &random)
        let straight = RecordMerge(RecordSides(base: base, local: local, remote: remote), schema: schema)
        let shuffled = RecordMerge(
            RecordSides(base: order.map { base[$0] }, local: order.map { local[$0] }, remote: order.map { remote[$0] }),
            schema: schema)
        #expect(shuffled.decisions == order.map { straight.decisions[$0] })
    }
}
