internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline
internal import SluiceReport

/// What becomes of a record that a program looked at.
public enum Stage: Sendable {
    /// It is merged.
    case keep
    /// It is left out, and its row stays as it is.
    case skip
    /// It is kept aside, for this reason.
    case quarantine(String)
}

/// Lets a program look at each record of a source as a value, which is made by the model's mapping.
struct TypedStage<M: PersistentModel> {
    let source: ModelSource

    /// The records of a feed after a look at each.
    ///
    /// - Throws: ``SluiceError`` where a text is no JSON, and `CancellationError`.
    func feed(of original: RecordFeed, _ stage: (inout M) throws -> Stage) throws -> RecordFeed {
        let plan = try original.plan(source)
        var decoder = try CheckedDecoder(plan)
        let values = try DecodedRecords<M>(plan, plan.parts)
        // What a store would keep of records is hardly ever longer than these.
        var records = StoredRecords<M>(expecting: original.text.byteCount)
        let (leads, hasOrder) = (source.description.leads, source.description.hasOrder)
        var batch = RecordBatch(fieldCount: plan.fields.count, capacity: 1)
        try original.forEach(source.stream) { record, page, first in
            let place = RecordDecoder.Page(number: page, firstOrdinal: first)
            batch.removeRecords(from: 0, byte: 0)
            if let failure = decoder.decode(record, page: place, into: &batch) {
                if let fault = failure.syntaxError, source.stream.format == .json { throw fault }
                records.refuse(failure)
                return true
            }
            let parts = decoder.takeParts()
            decoder.forgetRecordsWithin()
            guard batch.count == 1 else { return true }
            func refuse(_ reason: String, plain: String? = nil) {
                records.refuse(
                    reason, plain: plain, json: record.copy, key: batch.key(of: 0, schema: plan.schema),
                    at: first + record.ordinal)
            }
            do {
                var (value, said) = try values.value(of: 0, in: batch, within: parts)
                if hasOrder { said = said.ordered(as: try JSONDocument(record.copy).root, source.description) }
                var before = try BoxedRecord(whole: value)
                switch try stage(&value) {
                // Most values are left as they are.
                case .keep where try !leads && before.isSame(as: value): records.add(before, saying: said)
                case .keep:
                    let after = try BoxedRecord(whole: value)
                    records.add(after, saying: said.changed(from: before, to: after))
                case .skip: records.skip(batch.key(of: 0, schema: plan.schema))
                case .quarantine(let reason): refuse(reason)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                refuse(JSONPresence.words(error), plain: JSONPresence.plainWords(error))
            }
            return true
        }
        var feed = records.feed
        feed.problems = try PassedOverLists(source.description).problems(of: original, source.stream)
        return feed
    }
}
