import SluiceMerge
import SluiceModel
import Testing

/// A row of the truth table for records, with all the sides that it speaks of.
struct RowCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bases: [BaseState?]
    let locals: [LocalRow]
    let remotes: [RemoteRow]
    /// What is done; nil where the policy decides.
    let action: RowDecision.Action?
    /// What the base is afterwards; `same` leaves it.
    let newBase: NewBase
    let kind: RowKind

    enum NewBase: Sendable, Equatable {
        case same
        case state(BaseState)
    }

    var testDescription: String { name }

    /// Every meeting of sides that the row covers.
    var meetings: [(base: BaseState?, local: LocalRow, remote: RemoteRow)] {
        bases.flatMap { base in locals.flatMap { local in remotes.map { (base, local, $0) } } }
    }

    static let clean = LocalRow.present(isEdited: false)
    static let edited = LocalRow.present(isEdited: true)
    static let same = RemoteRow.present(isChanged: false)
    static let changed = RemoteRow.present(isChanged: true)

    static let all: [RowCase] = [
        RowCase("r1: new in the source", [nil], [.absent], [same, changed], .insert, .state(.live), .insert),
        RowCase(
            "r3: already there", [nil], [clean, edited], [same, changed], .mergeFields, .state(.live), .adopt),
        RowCase("r4: never managed", [nil], [.absent, clean, edited], [.gone], .nothing, .same, .unmanaged),
        RowCase(
            "r4: never managed, and another source has it", [nil], [.absent, clean, edited], [.goneHere], .nothing,
            .same, .unmanaged),
        RowCase(
            "gone from one of two sources", [.live, .localTombstone], [.absent, clean, edited], [.goneHere], .nothing,
            .state(.remoteTombstone), .heldElsewhere),
        RowCase(
            "gone from one of two sources before", [.remoteTombstone], [.absent, clean, edited],
            [.goneHere], .nothing,
            .same, .unmanaged),
        RowCase("r5: nothing new", [.live], [clean], [same], .nothing, .state(.live), .unchanged),
        RowCase("r6: changed in the source", [.live], [clean], [changed], .mergeFields, .state(.live), .update),
        RowCase("r7: gone from the source", [.live], [clean], [.gone], .delete, .state(.remoteTombstone), .delete),
        RowCase("r8: edited here", [.live], [edited], [same], .nothing, .state(.live), .localOverride),
        RowCase("r9: changed on both sides", [.live], [edited], [changed], .mergeFields, .state(.live), .merge),
        RowCase("r10: edited here, gone there", [.live], [edited], [.gone], nil, .same, .editDelete),
        RowCase("r11: deleted here", [.live], [.absent], [same], .nothing, .same, .localDelete),
        RowCase("r12: deleted here, changed there", [.live], [.absent], [changed], nil, .same, .deleteEdit),
        RowCase(
            "r13: gone on both sides", [.live], [.absent], [.gone], .nothing, .state(.remoteTombstone), .converged),
        RowCase(
            "r14: unseen", [nil, .live, .remoteTombstone, .localTombstone, .statedTombstone, .overruled],
            [.absent, clean, edited], [.unseen],
            .nothing, .same, .unseen),
        RowCase(
            "r15: back in the source", [.remoteTombstone, .statedTombstone], [.absent], [same, changed], .insert,
            .state(.live),
            .resurrect),
        RowCase(
            "r17: back here alone", [.remoteTombstone], [clean, edited], [.gone], .nothing, .same,
            .unmanaged),
        RowCase(
            "r18: back on both sides", [.remoteTombstone, .statedTombstone, .overruled], [clean, edited],
            [same, changed], .mergeFields,
            .state(.live), .adopt),
        RowCase(
            "deleted as the source said, which says so no more", [.statedTombstone], [.absent, clean, edited],
            [.gone, .goneHere], .nothing, .state(.remoteTombstone), .unmanaged),
        RowCase(
            "deleted as another source said, listed as before", [.overruled], [.absent], [same], .nothing, .same,
            .unchanged),
        RowCase(
            "deleted as another source said, listed anew", [.overruled], [.absent], [changed], .insert, .state(.live),
            .resurrect),
        RowCase(
            "deleted as another source said, listed no more", [.overruled], [.absent], [.gone, .goneHere], .nothing,
            .state(.remoteTombstone), .converged),
        RowCase(
            "back here after another source said that it is deleted", [.overruled], [clean, edited],
            [.gone, .goneHere], .nothing, .state(.remoteTombstone), .unmanaged),
        RowCase("r19: stays deleted here", [.localTombstone], [.absent], [same], .nothing, .same, .localDelete),
        RowCase(
            "r20: deleted here, changed there again", [.localTombstone], [.absent], [changed], nil, .same, .deleteEdit),
        RowCase(
            "r21: deleted here, gone there", [.localTombstone], [.absent], [.gone], .nothing,
            .state(.remoteTombstone), .converged),
        RowCase(
            "r22: back here", [.localTombstone], [clean, edited], [same, changed], .mergeFields, .state(.live), .adopt),
        RowCase(
            "r23: back here, clean, gone there", [.localTombstone], [clean], [.gone], .delete,
            .state(.remoteTombstone), .delete),
        RowCase(
            "r23: back here, edited, gone there", [.localTombstone], [edited], [.gone], nil, .same, .editDelete),
    ]

    static let divergent = all.filter { $0.action == nil }
    static let decided = all.filter { $0.action != nil }

    init(
        _ name: String, _ bases: [BaseState?], _ locals: [LocalRow], _ remotes: [RemoteRow],
        _ action: RowDecision.Action?, _ newBase: NewBase, _ kind: RowKind
    ) {
        self.name = name
        self.bases = bases
        self.locals = locals
        self.remotes = remotes
        self.action = action
        self.newBase = newBase
        self.kind = kind
    }
}
