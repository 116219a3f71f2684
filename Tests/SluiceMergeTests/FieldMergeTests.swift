import SluiceMerge
import SluiceModel
import Testing

@Suite("The truth table for fields")
struct FieldMergeTests {
    @Test func theTableHasEveryCase() {
        #expect(FieldCase.all.map(\.number) == Array(1...27))
        #expect(FieldCase.divergent.map(\.number) == [7, 14, 18, 24, 27])
        let sides = FieldCase.all.map { [$0.base, $0.local, $0.remote] }
        #expect(Set(sides).count == 27)
    }

    @Test(arguments: FieldCase.decided)
    func whatNeedsNoPolicyIsAlikeUnderEveryPolicy(_ row: FieldCase) throws {
        let result = try #require(row.result)
        for policy in PolicyCase.all {
            let decision = FieldMerge.decide(
                base: row.base, local: row.local, remote: row.remote, policy: policy.policy, newest: policy.newest)
            #expect(decision.result(local: row.local, remote: row.remote) == result)
            #expect(decision.takesRemote == (result != row.local), "the store is written only where it changes")
            #expect(decision.base(before: row.base, remote: row.remote) == row.newBase)
            #expect(decision.advancesBase == (row.newBase != row.base), "the base is written only where it changes")
            #expect(decision.fieldClass == row.fieldClass)
            #expect(decision.settlement == .notNeeded)
            #expect(!decision.fieldClass.isDivergent)
        }
    }

    @Test(arguments: FieldCase.divergent, PolicyCase.all)
    func thePolicyDecidesWhatDiverges(_ row: FieldCase, _ policy: PolicyCase) {
        let decision = FieldMerge.decide(
            base: row.base, local: row.local, remote: row.remote, policy: policy.policy, newest: policy.newest)
        let isSettled = policy.settlement == .byPolicy
        #expect(decision.fieldClass == row.fieldClass)
        #expect(decision.fieldClass.isDivergent)
        #expect(decision.settlement == policy.settlement)
        #expect(
            decision.result(local: row.local, remote: row.remote) == (policy.takesRemote ? row.remote : row.local))
        #expect(decision.advancesBase == isSettled)
        #expect(decision.base(before: row.base, remote: row.remote) == (isSettled ? row.newBase : row.base))
    }

    @Test(arguments: FieldCase.all)
    func aFieldOfTheSourceTakesWhatTheSourceSays(_ row: FieldCase) {
        for policy in PolicyCase.all {
            let decision = FieldMerge.decide(
                base: row.base, local: row.local, remote: row.remote, owner: .remote, policy: policy.policy,
                newest: policy.newest)
            let result = row.remote == .nothing ? row.local : row.remote
            #expect(decision.result(local: row.local, remote: row.remote) == result)
            #expect(decision.takesRemote == (result != row.local))
            #expect(
                decision.base(before: row.base, remote: row.remote)
                    == (row.remote == .nothing ? row.base : row.remote))
            #expect(decision.fieldClass == row.classIfRemoteOwned)
            #expect(decision.settlement == .notNeeded)
        }
    }

    @Test(arguments: FieldCase.all)
    func aFieldOfPeopleKeepsItsValueAndItsBaseAdvances(_ row: FieldCase) {
        for policy in PolicyCase.all {
            let decision = FieldMerge.decide(
                base: row.base, local: row.local, remote: row.remote, owner: .local, policy: policy.policy,
                newest: policy.newest)
            #expect(!decision.takesRemote)
            #expect(
                decision.base(before: row.base, remote: row.remote)
                    == (row.remote == .nothing ? row.base : row.remote))
            #expect(decision.fieldClass == row.classIfLocalOwned)
            #expect(decision.settlement == .notNeeded)
        }
    }

    @Test func manualIsWhatHappensWhereNothingIsSaid() {
        #expect(
            FieldMerge.decide(base: Sides.a, local: Sides.b, remote: Sides.c)
                == FieldMerge.decide(
                    base: Sides.a, local: Sides.b, remote: Sides.c, owner: .shared, policy: .manual, newest: .unknown))
    }

    @Test func zeroSaysNothingAndTheDigestOfNullSaysNull() {
        #expect(FieldSide(digest: 0) == .nothing)
        #expect(FieldSide(digest: FieldDigest.null) == .null)
        #expect(FieldSide(digest: 7) == .value(7))
    }
}

@Suite("Laws of the merge of a field")
struct FieldMergeLawTests {
    /// Every meeting of sides, owner and policy: small enough to try them all.
    static let meetings: [(base: FieldSide, local: FieldSide, remote: FieldSide)] =
        Sides.bases.flatMap { base in
            Sides.locals.flatMap { local in Sides.remotes.map { (base, local, $0) } }
        }

    @Test(arguments: FieldOwner.allCases, PolicyCase.all)
    func theBaseNeverAdvancesToNothing(_ owner: FieldOwner, _ policy: PolicyCase) {
        for (base, local, remote) in Self.meetings where remote == .nothing {
            let decision = FieldMerge.decide(
                base: base, local: local, remote: remote, owner: owner, policy: policy.policy, newest: policy.newest)
            #expect(!decision.advancesBase && !decision.takesRemote)
        }
    }

    @Test(arguments: FieldOwner.allCases, PolicyCase.all)
    func decidingAgainIsQuiet(_ owner: FieldOwner, _ policy: PolicyCase) {
        for (base, local, remote) in Self.meetings {
            let first = FieldMerge.decide(
                base: base, local: local, remote: remote, owner: owner, policy: policy.policy, newest: policy.newest)
            let second = FieldMerge.decide(
                base: first.base(before: base, remote: remote), local: first.result(local: local, remote: remote),
                remote: remote, owner: owner, policy: policy.policy, newest: policy.newest)
            #expect(!second.takesRemote && !second.advancesBase, "base \(base), local \(local), remote \(remote)")
            #expect(second.settlement == .notNeeded || second == first, "an open conflict stays as it is")
        }
    }

    @Test func aCleanLocalValueGivesWayToTheSource() {
        for (base, local, remote) in Self.meetings where base == local && remote != .nothing {
            let decision = FieldMerge.decide(base: base, local: local, remote: remote)
            #expect(decision.result(local: local, remote: remote) == remote)
            #expect(decision.settlement == .notNeeded)
        }
    }

    @Test func aSourceThatSaysTheSameKeepsTheLocalValue() {
        for (base, local, remote) in Self.meetings where base == remote {
            for policy in PolicyCase.all {
                let decision = FieldMerge.decide(
                    base: base, local: local, remote: remote, policy: policy.policy, newest: policy.newest)
                #expect(!decision.takesRemote && !decision.advancesBase && decision.settlement == .notNeeded)
            }
        }
    }

    @Test func sidesThatAgreeNeverConflict() {
        for (base, local, remote) in Self.meetings where local == remote {
            let decision = FieldMerge.decide(base: base, local: local, remote: remote, policy: .fail)
            #expect(decision.settlement == .notNeeded && !decision.takesRemote)
            #expect(decision.base(before: base, remote: remote) == remote)
        }
    }

    @Test func oppositePoliciesGiveOppositeSides() {
        for (base, local, remote) in Self.meetings {
            let theirs = FieldMerge.decide(base: base, local: local, remote: remote, policy: .remoteWins)
            let ours = FieldMerge.decide(base: base, local: local, remote: remote, policy: .localWins)
            #expect((theirs.takesRemote != ours.takesRemote) == theirs.fieldClass.isDivergent)
            #expect(theirs.advancesBase == ours.advancesBase)
        }
    }
}
