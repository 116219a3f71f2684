import Dispatch
import Foundation
import Observation
import Sluice
import SluiceTesting
import Synchronization
import Testing

@PersistentModel private struct NameTestBook: Codable {
    let id: Int
    var title: String
}

/// Each public type is found by its name alone beside what programs import with the library: this file compiles.
struct NameTests {
    /// A macro of another module finds what it needs.
    @Observable final class Observed { var count = 0 }

    @Test func namesEachPublicType() throws {
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        var count = 0
        for module in ["Sluice", "SluiceTesting"] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Sources/\(module)")
            where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(root)/Sources/\(module)/\(file)", encoding: .utf8)
                for match in text.matches(
                    of: /(?m)^public (?:final )?(?:struct|enum|class|protocol|actor) ([A-Za-z]+)/)
                {
                    count += 1
                    #expect(own.contains("take\(match.1)("), "add it to NameTests")
                }
            }
        }
        #expect(count > 60)
    }

    private func takeAnyConflict(_: AnyConflict?) {}
    private func takeConflictKind(_: ConflictKind?) {}
    private func takeConflictSide(_: ConflictSide?) {}
    private func takeRetryResult(_: RetryResult?) {}
    private func takeStoreChange(_: StoreChange?) {}
    private func takeStoreChanges(_: StoreChanges?) {}
    private func takeArithmeticValue(_: (any ArithmeticValue)?) {}
    private func takeAssignment(_: Assignment<NameTestBook>?) {}
    private func takeAttributeComparison(_: AttributeComparison?) {}
    private func takeBaseRule(_: BaseRule?) {}
    private func takeDeleteMode(_: DeleteMode?) {}
    private func takeHistoryRule(_: HistoryRule?) {}
    private func takeLinkMergeRule(_: LinkMergeRule?) {}
    private func takeMissingKeyRule(_: MissingKeyRule?) {}
    private func takeModelUnboxing(_: ModelUnboxing?) {}
    private func takeNullRule(_: NullRule?) {}
    private func takeWriteRecording(_: WriteRecording?) {}
    private func takeAttributeCheck(_: AttributeCheck?) {}
    private func takeAttributeOwner(_: AttributeOwner?) {}
    private func takeAttributeStorageMethod(_: AttributeStorageMethod?) {}
    private func takeAttributeTrait(_: AttributeTrait?) {}
    private func takeBoxError(_: BoxError?) {}
    private func takeBoxedRecord(_: BoxedRecord?) {}
    private func takeBoxedValue(_: BoxedValue?) {}
    private func takeBoxedComposition(_: BoxedComposition?) {}
    private func takeCalendarValue(_: (any CalendarValue)?) {}
    private func takeComposedValue(_: (any ComposedValue)?) {}
    private func takeCompositionDescription(_: CompositionDescription?) {}
    private func takeCompositionPart(_: CompositionPart<Int>?) {}
    private func takeCompositionParts(_: (any CompositionParts)?) {}
    private func takeCompositionPath(_: CompositionPath<NameTestBook, Location>?) {}
    private func takeCompositionRow(_: borrowing CompositionRow) {}
    private func takeStoredComposition(_: (any StoredComposition)?) {}
    private func takeCondition(_: Condition<NameTestBook>?) {}
    private func takeConflict(_: Conflict<NameTestBook>?) {}
    private func takeDay(_: Day?) {}
    private func takeDecisionOutcome(_: DecisionOutcome?) {}
    private func takeDecodeFailurePolicy(_: DecodeFailurePolicy?) {}
    private func takeDeleteRule(_: DeleteRule?) {}
    private func takeFetched(_: Fetched<NameTestBook>?) {}
    private func takeFieldSet(_: FieldSet<NameTestBook>?) {}
    private func takeInverseName(_: InverseName?) {}
    private func takeJSONScalar(_: (any JSONScalar)?) {}
    private func takeJSONText(_: JSONText?) {}
    private func takeMainStoreActor(_: (any MainStoreActor)?) {}
    private func takeMemberwiseInitializer(_: MemberwiseInitializer?) {}
    private func takeMigration(_: Migration?) {}
    private func takeModel(_: Model<NameTestBook>?) {}
    private func takeModelDescription(_: ModelDescription?) {}
    private func takeModelLife(_: ModelLife<NameTestBook>?) {}
    private func takeModelPaths(_: (any ModelPaths)?) {}
    private func takeModelIdentifier(_: ModelIdentifier?) {}
    private func takeNoIdentifier(_: NoIdentifier?) {}
    private func takeNameStyle(_: NameStyle?) {}
    private func takeOrigin(_: Origin?) {}
    private func takeOptionalComposition(_: (any OptionalComposition)?) {}
    private func takeOrderedRefs(_: OrderedRefs<NameTestBook>?) {}
    private func takePath(_: Path<NameTestBook, Int>?) {}
    private func takePathScope(_: PathScope?) {}
    private func takePersistentModel(_: (any PersistentModel)?) {}
    private func takeQuery(_: Query<NameTestBook>?) {}
    private func takeQueryOrder(_: QueryOrder?) {}
    private func takeQueryPlan(_: QueryPlan?) {}
    private func takeReader(_: Reader?) {}
    private func takeRecordConvertible(_: (any RecordConvertible)?) {}
    private func takeRef(_: Ref<NameTestBook>?) {}
    private func takeRefs(_: Refs<NameTestBook>?) {}
    private func takeRelation(_: (any Relation)?) {}
    private func takeRequirementFailed(_: RequirementFailed?) {}
    private func takeResults(_: Results<NameTestBook>?) {}
    private func takeRow(_: borrowing Row<NameTestBook>) {}
    private func takeRunRecord(_: RunRecord?) {}
    private func takeSQL(_: SQL?) {}
    private func takeSQLRow(_: SQLRow?) {}
    private func takeSchema(_: Schema?) {}
    private func takeSelection(_: Selection<NameTestBook, Int>?) {}
    private func takeSluiceError(_: SluiceError?) {}
    private func takeSource(_: Source?) {}
    private func takeStage(_: Stage?) {}
    private func takeStore(_: Store?) {}
    private func takeStoreActor(_: (any StoreActor)?) {}
    private func takeStoreObservation(_: StoreObservation<Int>?) {}
    private func takeStoreOptions(_: StoreOptions?) {}
    private func takeStoreWorker(_: (any StoreWorker)?) {}
    private func takeStoredColumn(_: StoredColumn?) {}
    private func takeStoredKey(_: (any StoredKey)?) {}
    private func takeStoredNumber(_: (any StoredNumber)?) {}
    private func takeStoredType(_: StoredType?) {}
    private func takeStoredValue(_: (any StoredValue)?) {}
    private func takeStubWorker(_: StubWorker?) {}
    private func takeSyncOptions(_: SyncOptions?) {}
    private func takeSyncResult(_: SyncResult<NameTestBook>?) {}
    private func takeSyncSummary(_: SyncSummary?) {}
    private func takeTextValue(_: (any TextValue)?) {}
    private func takeToManyPath(_: ToManyPath<NameTestBook, NameTestBook>?) {}
    private func takeToOnePath(_: ToOnePath<NameTestBook, NameTestBook>?) {}
    private func takeToOneRelation(_: (any ToOneRelation)?) {}
    private func takeTransaction(_: Transaction?) {}
    private func takeUnboxError(_: UnboxError?) {}
    private func takeUndoResult(_: UndoResult?) {}
    private func takeUpsert(_: Upsert<NameTestBook>?) {}
    private func takeUpserts(_: Upserts<NameTestBook>?) {}
    private func takeValueTransform(_: (any ValueTransform)?) {}
}
