import SluiceMerge
import SluiceModel
import Testing

@Suite("Taking a change back")
struct UndoMergeTests {
    struct RowCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let wasThere: Bool
        let wasLeft: Bool
        let now: LocalRow
        let result: UndoMerge.Row
    }

    static let rows = [
        RowCase(
            testDescription: "an update", wasThere: true, wasLeft: true, now: .present(isEdited: false),
            result: .mergeFields),
        RowCase(
            testDescription: "an update, edited since", wasThere: true, wasLeft: true, now: .present(isEdited: true),
            result: .mergeFields),
        RowCase(
            testDescription: "an update, deleted since", wasThere: true, wasLeft: true, now: .absent,
            result: .left(.deleteEdit)),
        RowCase(
            testDescription: "an insert", wasThere: false, wasLeft: true, now: .present(isEdited: false),
            result: .delete),
        RowCase(
            testDescription: "an insert, edited since", wasThere: false, wasLeft: true, now: .present(isEdited: true),
            result: .left(.editDelete)),
        RowCase(
            testDescription: "an insert, deleted since", wasThere: false, wasLeft: true, now: .absent, result: .nothing),
        RowCase(testDescription: "a delete", wasThere: true, wasLeft: false, now: .absent, result: .restore),
        RowCase(
            testDescription: "a delete, the same row again", wasThere: true, wasLeft: false,
            now: .present(isEdited: false), result: .nothing),
        RowCase(
            testDescription: "a delete, another row since", wasThere: true, wasLeft: false,
            now: .present(isEdited: true), result: .left(.adopt)),
        RowCase(testDescription: "no row", wasThere: false, wasLeft: false, now: .absent, result: .nothing),
        RowCase(
            testDescription: "no row, one since", wasThere: false, wasLeft: false, now: .present(isEdited: true),
            result: .nothing),
    ]

    @Test(arguments: rows) func aRow(_ item: RowCase) {
        #expect(UndoMerge.row(wasThere: item.wasThere, wasLeft: item.wasLeft, now: item.now) == item.result)
    }

    /// What the run wrote, what is there now, what was before; whether that comes back, and whether a person has the say.
    static let fields: [(wrote: Int, now: Int, before: Int, comesBack: Bool, isLeft: Bool)] = [
        (1, 1, 2, true, false), (1, 2, 2, false, false), (1, 3, 2, false, true), (1, 1, 0, true, false),
        (0, 0, 2, true, false), (1, 0, 2, false, true), (0, 1, 2, false, true), (1, 0, 0, false, false),
    ]

    @Test(arguments: fields)
    func aField(_ wrote: Int, _ now: Int, _ before: Int, _ comesBack: Bool, _ isLeft: Bool) {
        func side(_ value: Int) -> FieldSide { value == 0 ? .null : .value(UInt64(value)) }
        let decision = UndoMerge.field(wrote: side(wrote), now: side(now), before: side(before))
        #expect(decision.takesRemote == comesBack)
        #expect((decision.settlement == .open) == isLeft)
    }

    // MARK: The base

    static func image(
        _ slots: [Int?], hash: UInt64 = 1, state: BaseState = .live, isOpen: Bool = false, first: Int64 = 1,
        last: Int64
    ) -> BaseImage {
        BaseImage(
            rowHash: hash, state: state, isOpen: isOpen, firstRun: first, lastRun: last,
            slots: slots.map { $0.map { .value(.integer(Int64($0))) } ?? .none })
    }

    struct BaseCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: BaseImage?
        let after: BaseImage?
        let now: BaseImage?
        var left: Set<Int> = []
        let result: UndoMerge.Base
    }

    static let old = image([1, 2], hash: 10, last: 1)
    static let new = image([1, 3], hash: 20, last: 2)
    static let bases = [
        BaseCase(testDescription: "as the run left it", before: old, after: new, now: new, result: .restore(old)),
        BaseCase(testDescription: "there was none", before: nil, after: new, now: new, result: .remove),
        BaseCase(testDescription: "the run removed it", before: old, after: nil, now: nil, result: .restore(old)),
        BaseCase(testDescription: "removed, made anew since", before: old, after: nil, now: new, result: .keep),
        BaseCase(testDescription: "removed since", before: old, after: new, now: nil, result: .keep),
        BaseCase(testDescription: "never was one", before: nil, after: nil, now: nil, result: .keep),
        BaseCase(
            testDescription: "its hash was voided since", before: old, after: new,
            now: image([1, 3], hash: BaseImage.voidHash, last: 2),
            result: .restore(image([1, 2], hash: BaseImage.voidHash, last: 1))),
        BaseCase(
            testDescription: "its hash was void already", before: old, after: image([1, 3], hash: 0, last: 2),
            now: image([1, 3], hash: 0, last: 2),
            result: .restore(image([1, 2], hash: 0, last: 1))),
        BaseCase(
            testDescription: "another field moved on", before: old, after: new, now: image([7, 3], hash: 30, last: 3),
            result: .restore(image([7, 2], hash: BaseImage.voidHash, last: 9))),
        BaseCase(
            testDescription: "the field moved on", before: old, after: new, now: image([1, 4], hash: 30, last: 3),
            result: .keep),
        BaseCase(
            testDescription: "the field is left", before: old, after: new, now: new, left: [1], result: .keep),
        BaseCase(
            testDescription: "one of two fields is left", before: old, after: image([5, 3], hash: 20, last: 2),
            now: image([5, 3], hash: 20, last: 2), left: [1],
            result: .restore(image([1, 3], hash: BaseImage.voidHash, last: 9))),
        BaseCase(
            testDescription: "adopted, one field left", before: nil, after: new, now: new, left: [1],
            result: .restore(image([nil, 3], hash: BaseImage.voidHash, last: 9))),
        BaseCase(
            testDescription: "gone, and a field moved on", before: old,
            after: image([1, 3], state: .remoteTombstone, last: 2),
            now: image([4, 3], hash: 30, state: .remoteTombstone, last: 3),
            result: .restore(image([4, 2], hash: BaseImage.voidHash, last: 9))),
        BaseCase(
            testDescription: "a state that moved on stays", before: old,
            after: image([1, 3], state: .remoteTombstone, last: 2),
            now: image([1, 4], hash: 30, state: .localTombstone, last: 3), result: .keep),
    ]

    @Test(arguments: bases) func aBase(_ item: BaseCase) {
        let result = UndoMerge.base(before: item.before, after: item.after, now: item.now, left: item.left, run: 9)
        #expect(result == item.result)
    }
}
