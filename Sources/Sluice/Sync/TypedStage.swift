internal import SluiceDecode
internal import SluiceDecoding
internal import SluiceJSON
internal import SluiceModel

/// What becomes of a record that a program looked at.
public enum Stage: Sendable {
    /// It is merged.
    case keep
    /// It is left out, and its row stays as it is.
    case skip
    /// It is kept aside, for this reason.
    case quarantine(String)
}

/// Lets a program look at each record of a source as a value.
struct TypedStage<M: PersistentModel & Decodable> {
    let source: ModelSource

    /// The records of a feed after a look at each.
    func feed(of original: RecordFeed, _ stage: (inout M) throws -> Stage) throws -> RecordFeed {
        var records = StoredRecords<M>()
        let decoder = TapeDecoder()
        try original.forEach(source.stream) { record, _, first in
            let ordinal = first + record.ordinal
            let json = record.copy
            do {
                let upsert = try decoder.decode(Upsert<M>.self, from: json)
                var value = upsert.value
                let before = try value.boxed()
                switch try stage(&value) {
                case .keep:
                    let after = try value.boxed()
                    let touched = after.values.indices.filter { before.values[$0] != after.values[$0] }
                    records.add(after, present: upsert.present.union(touched))
                case .skip: records.skip()
                case .quarantine(let reason):
                    records.refuse(reason, json: json, key: key(before), at: ordinal)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                records.refuse(JSONPresence.words(error), json: json, at: ordinal)
            }
            return true
        }
        return records.feed
    }

    private func key(_ record: BoxedRecord) -> RecordKey { RecordKey(record.key.map { FieldValue($0) }) }
}
