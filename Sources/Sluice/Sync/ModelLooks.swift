package import SluiceDecode
internal import SluiceModel
package import SluicePipeline

/// Lets a program look at each record of a pipeline's run as a value of its own.
package final class ModelLooks<M: PersistentModel>: RecordLooks {
    private let stage: @Sendable (inout M) throws -> Stage
    private let cancel: @Sendable () -> Void

    /// Makes looks.
    ///
    /// - Parameters:
    ///   - stage: What the program makes of a value.
    ///   - cancel: Stops the run, where the program says so by a `CancellationError`.
    package init(_ stage: @escaping @Sendable (inout M) throws -> Stage, cancel: @escaping @Sendable () -> Void) {
        self.stage = stage
        self.cancel = cancel
    }

    package func look(by plan: DecodePlan) throws -> any RecordLook { try Look(plan, stage, cancel) }

    /// The names of a pipeline's entities whose records are values of the model.
    ///
    /// - Parameter pipeline: The pipeline.
    /// - Returns: The names.
    /// - Throws: ``SluiceError`` where pipeline and model do not agree, where no stream fills the model's table, and where no
    ///   value can be made before its record is stored.
    package static func entities(of pipeline: PipelineDefinition) throws -> [String] {
        let description = M.model.description
        let differences = PipelineAgreement(pipeline, try Schema(M.self)).problems
        if !differences.isEmpty { throw SluiceError(differing: pipeline, differences) }
        try DecodedValues<M>.check()
        let names = pipeline.entities.filter { $0.table.lowercased() == description.table.lowercased() }.map(\.name)
        if pipeline.streams.contains(where: { names.contains($0.entity) }) { return names }
        throw SluiceError(
            .notFound,
            "No stream of the pipeline `\(pipeline.name)` fills the table `\(description.table)` of `\(description.typeName)`, so there are no records to look at. Records that stand within others are not looked at.",
            entity: description.entity)
    }

    private final class Look: RecordLook {
        private let values: DecodedValues<M>
        private let stage: @Sendable (inout M) throws -> Stage
        private let cancel: @Sendable () -> Void

        init(
            _ plan: DecodePlan, _ stage: @escaping @Sendable (inout M) throws -> Stage,
            _ cancel: @escaping @Sendable () -> Void
        ) throws {
            let columns = plan.schema.columnFields
            values = try DecodedValues(
                places: M.model.description.fields.map { field in
                    plan.schema.field(ofColumn: field.column).flatMap {
                        columns.contains($0) && !field.isImplied ? $0 : nil
                    }
                })
            self.stage = stage
            self.cancel = cancel
        }

        func verdict(onLastOf batch: borrowing RecordBatch) -> RecordVerdict {
            do {
                var value = try values.value(of: batch.count, in: batch)
                let before = try BoxedRecord(whole: value)
                return switch try stage(&value) {
                case .keep: kept(try BoxedRecord(whole: value), before)
                case .skip: .skip
                case .quarantine(let reason): .refuse(reason)
                }
            } catch is CancellationError {
                cancel()
                return .refuse("The program stopped the run.")
            } catch {
                return .refuse(JSONPresence.words(error))
            }
        }

        private func kept(_ after: BoxedRecord, _ before: BoxedRecord) -> RecordVerdict {
            let description = after.description
            if let property = before.otherRecords(in: after) {
                return .refuse(
                    "`\(property)` has other records than before. A run takes the records within others from the source, and no closure changes them."
                )
            }
            var changed: [Int: FieldValue] = [:]
            for (index, field) in description.fields.enumerated()
            where !field.isImplied && before.values[index] != after.values[index] {
                guard let place = values.places[index] else {
                    return .refuse(
                        "`\(field.property)` has another value than the source's, and no field of the pipeline fills its column `\(field.column)`."
                    )
                }
                changed[place] = FieldValue(after.values[index])
            }
            // What the closure left as it was has to keep to the checks as well.
            for index in description.fields.indices where values.places[index] != nil {
                if let problem = description.problem(with: after.values[index], index) { return .refuse(problem) }
            }
            return .keep(changed)
        }
    }
}

extension SluiceError {
    /// What a pipeline and models say differently.
    package init(differing pipeline: PipelineDefinition, _ differences: [String]) {
        self.init(
            .definitionDiffers,
            "The pipeline `\(pipeline.name)` and the models do not fit together: \(differences.joined(separator: "; ")).",
            problems: differences)
    }
}
