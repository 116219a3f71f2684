import SluiceMerge
import SluiceModel
import Testing

@Suite("The truth table for records")
struct RowMergeTests {
    @Test(arguments: RowCase.decided)
    func whatNeedsNoPolicyIsAlikeUnderEveryPolicy(_ row: RowCase) throws {
        let action = try #require(row.action)
        for (base, local, remote) in row.meetings {
            for policy in ConflictPolicy.allCases {
                let decision = RowMerge.decide(base: base, local: local, remote: remote, policy: policy)
                #expect(decision.action == action)
                #expect(decision.kind == row.kind)
                switch row.newBase {
                case .same: #expect(decision.newState == nil || decision.newState == base)
                case .state(let state): #expect((decision.newState ?? base) == state)
                }
                #expect(!decision.isSettledByPolicy && !decision.advancesBase)
            }
        }
    }

    /// What a policy does to a record that was deleted on one side and changed on the other.
    struct Outcome: Sendable, CustomTestStringConvertible {
        let policy: ConflictPolicy
        let kind: RowKind
        let action: RowDecision.Action
        /// What the base becomes; nil leaves it.
        let newState: BaseState?
        let advancesBase: Bool

        var testDescription: String { "\(kind.rawValue) under \(policy.rawValue)" }
    }

    static let outcomes: [Outcome] =
        [
            outcome(.remoteWins, .editDelete, .delete, .remoteTombstone),
            outcome(.localWins, .editDelete, .nothing, .remoteTombstone),
            outcome(.remoteWins, .deleteEdit, .insert, .live),
            outcome(.localWins, .deleteEdit, .nothing, .localTombstone, advancesBase: true),
        ]
        + [RowKind.editDelete, .deleteEdit].flatMap { kind in
            [
                outcome(.manual, kind, .conflict, nil),
                // A clock never decides whether a record lives.
                outcome(.newestWins, kind, .conflict, nil),
                outcome(.fail, kind, .fail, nil),
            ]
        }

    private static func outcome(
        _ policy: ConflictPolicy, _ kind: RowKind, _ action: RowDecision.Action, _ newState: BaseState?,
        advancesBase: Bool = false
    ) -> Outcome {
        Outcome(policy: policy, kind: kind, action: action, newState: newState, advancesBase: advancesBase)
    }

    @Test(arguments: outcomes)
    func thePolicyDecidesWhatDiverges(_ outcome: Outcome) {
        let rows = RowCase.divergent.filter { $0.kind == outcome.kind }
        #expect(rows.count == 2)
        for (base, local, remote) in rows.flatMap(\.meetings) {
            let decision = RowMerge.decide(base: base, local: local, remote: remote, policy: outcome.policy)
            #expect(decision.kind == outcome.kind)
            #expect(decision.action == outcome.action)
            #expect(decision.newState == outcome.newState)
            #expect(decision.advancesBase == outcome.advancesBase)
            #expect(decision.isSettledByPolicy == (outcome.newState != nil))
        }
    }

    @Test func everyMeetingOfSidesIsInTheTableOnce() {
        let known = RowCase.all.flatMap(\.meetings)
        for (base, local, remote) in RowMergeLawTests.meetings {
            // A record that neither the base nor the store has cannot be missed by a source.
            let isCovered = known.filter { $0.base == base && $0.local == local && $0.remote == remote }.count
            if base == .remoteTombstone && local == .absent && remote == .gone {
                #expect(isCovered == 0)
            } else {
                #expect(isCovered == 1, "\(String(describing: base)), \(local), \(remote)")
            }
        }
    }

    @Test func aRecordThatIsGoneEverywhereStaysGone() {
        let decision = RowMerge.decide(base: .remoteTombstone, local: .absent, remote: .gone)
        #expect(decision.action == .nothing && decision.newState == nil)
    }
}

@Suite("Laws of the merge of a record")
struct RowMergeLawTests {
    static let bases: [BaseState?] = [nil] + BaseState.allCases
    static let locals: [LocalRow] = [.absent, RowCase.clean, RowCase.edited]
    static let remotes: [RemoteRow] = [.unseen, .gone, .goneHere, RowCase.same, RowCase.changed]
    static let meetings: [(base: BaseState?, local: LocalRow, remote: RemoteRow)] =
        bases.flatMap { base in locals.flatMap { local in remotes.map { (base, local, $0) } } }

    @Test(arguments: ConflictPolicy.allCases)
    func onlyWhatIsProvenGoneIsDeletedAndOnlyWhereWeManagedIt(_ policy: ConflictPolicy) {
        for (base, local, remote) in Self.meetings {
            let decision = RowMerge.decide(base: base, local: local, remote: remote, policy: policy)
            guard decision.action == .delete else { continue }
            #expect(remote == .gone && base != nil && local != .absent)
            if local == RowCase.edited { #expect(policy == .remoteWins && decision.isSettledByPolicy) }
        }
    }

    @Test(arguments: ConflictPolicy.allCases)
    func aRowIsInsertedOnlyWhereThereIsNone(_ policy: ConflictPolicy) {
        for (base, local, remote) in Self.meetings {
            switch RowMerge.decide(base: base, local: local, remote: remote, policy: policy).action {
            case .insert: #expect(local == .absent)
            case .mergeFields: #expect(local != .absent)
            case .nothing, .delete, .conflict, .fail: break
            }
        }
    }

    @Test(arguments: ConflictPolicy.allCases)
    func whatWaitsOrFailsLeavesEverythingAsItIs(_ policy: ConflictPolicy) {
        for (base, local, remote) in Self.meetings {
            let decision = RowMerge.decide(base: base, local: local, remote: remote, policy: policy)
            guard decision.action == .conflict || decision.action == .fail else { continue }
            #expect(decision.newState == nil && !decision.advancesBase && !decision.isSettledByPolicy)
        }
    }

    @Test(arguments: ConflictPolicy.allCases)
    func decidingAgainIsQuiet(_ policy: ConflictPolicy) {
        for (base, local, remote) in Self.meetings {
            let first = RowMerge.decide(base: base, local: local, remote: remote, policy: policy)
            let isPresent = remote == RowCase.same || remote == RowCase.changed
            let isTaken = first.action == .insert || first.action == .mergeFields || first.advancesBase
            let localAfter: LocalRow =
                switch first.action {
                case .insert: RowCase.clean
                case .delete: .absent
                case .nothing, .mergeFields, .conflict, .fail: local
                }
            let second = RowMerge.decide(
                base: first.newState ?? base, local: localAfter, remote: isPresent && isTaken ? RowCase.same : remote,
                policy: policy)
            switch first.action {
            case .conflict, .fail: #expect(second == first)
            default:
                #expect(second.action == .nothing, "\(String(describing: base)), \(local), \(remote)")
                #expect(second.newState == nil || second.newState == first.newState ?? base)
            }
        }
    }
}
