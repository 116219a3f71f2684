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
        var decoder = try CheckedDecoder(plan, source.description)
        let values = try StagedValues<M>(plan, source)
        var records = StoredRecords<M>()
        try original.forEach(source.stream) { record, page, first in
            let place = RecordDecoder.Page(number: page, firstOrdinal: first)
            var batch = RecordBatch(fieldCount: plan.fields.count)
            if let failure = decoder.decode(record, page: place, into: &batch) {
                if let fault = failure.syntaxError, source.stream.format == .json { throw fault }
                records.refuse(failure)
                return true
            }
            // What stands within goes on as the source's JSON.
            _ = decoder.takeParts()
            guard batch.count == 1 else { return true }
            func refuse(_ reason: String) {
                records.refuse(
                    reason, json: record.copy, key: batch.key(of: 0, schema: plan.schema),
                    at: first + record.ordinal)
            }
            do {
                var value = try values.value(of: batch)
                let before = try value.boxed()
                switch try stage(&value) {
                case .keep:
                    let after = try value.boxed()
                    let touched = after.values.indices.filter { before.values[$0] != after.values[$0] }
                    records.add(
                        after, present: values.present(in: batch).union(touched),
                        lists: values.lists(of: batch, record.copy))
                case .skip: records.skip(batch.key(of: 0, schema: plan.schema))
                case .quarantine(let reason): refuse(reason)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                refuse(JSONPresence.words(error))
            }
            return true
        }
        var feed = records.feed
        feed.problems = try PassedOverLists(source.description).problems(of: original, source.stream)
        return feed
    }
}

extension JSONPath {
    /// The names that lead from member to member, with or without a wildcard at the end; nil for other paths.
    fileprivate var names: [String]? {
        var steps = steps
        if steps.last == .wildcard { steps.removeLast() }
        let names = steps.compactMap { step in if case .name(let name) = step { name } else { nil } }
        return isPlain && names.count == steps.count ? names : nil
    }
}

/// What a sync makes of records that were decoded, for a program's look at them.
private struct StagedValues<M: PersistentModel> {
    private let values: DecodedValues<M>
    /// What leads to several records, with its position within the records and the keys of these.
    private let links: [(name: String, place: Int, keys: [String])]
    /// Records by value, with the names that lead to them.
    private let wholes: [(name: String, path: [String])]

    init(_ plan: DecodePlan, _ source: ModelSource) throws {
        let description = source.description
        values = try DecodedValues(
            places: description.fields.map { field in plan.fields.firstIndex { $0.name == field.name } })
        links = description.relationships.compactMap { relationship in
            guard let place = plan.fields.firstIndex(where: { $0.name == relationship.name }),
                let target = relationship.target?.modelDescription
            else { return nil }
            return (relationship.name, place, target.identifiers.map { target.fields[$0].name })
        }
        let single = description.fields.compactMap { field in
            field.reference?.isByValue == true ? (name: field.name, path: field.json) : nil
        }
        let several = description.relationships.compactMap { relationship in
            relationship.isByValue ? (name: relationship.name, path: relationship.json) : nil
        }
        wholes = (single + several).compactMap { name, path in path?.names.map { (name, $0) } }
    }

    /// The value of a batch's only record. What the source does not say has its default.
    ///
    /// - Throws: ``UnboxError`` where the model refuses it.
    func value(of batch: borrowing RecordBatch) throws -> M { try values.value(of: 0, in: batch) }

    /// The properties of which the source says something.
    func present(in batch: borrowing RecordBatch) -> FieldSet<M> { values.present(in: batch) }

    /// What leads to other records and the source speaks of, as JSON. Records by value are whole.
    func lists(of batch: borrowing RecordBatch, _ record: [UInt8]) -> [(name: String, json: String)] {
        var lists: [(name: String, json: String)] = []
        for link in links {
            guard case .text(let text)? = batch.value(record: 0, field: link.place) else { continue }
            lists.append((link.name, Self.elements(String(decoding: text, as: UTF8.self), link.keys)))
        }
        guard !wholes.isEmpty, let root = try? JSONDocument(String(decoding: record, as: UTF8.self)).root else {
            return lists
        }
        for (name, path) in wholes {
            guard let value = Self.value(at: path, in: root) else { continue }
            lists.removeAll { $0.name == name }
            lists.append((name, String(decoding: value.json, as: UTF8.self)))
        }
        return lists
    }

    private static func value(at path: [String], in root: JSONValue) -> JSONValue? {
        path.reduce(root) { value, name in value?.member(named: name) }
    }

    /// Keys of several values as objects, which alone can have them.
    private static func elements(_ list: String, _ keys: [String]) -> String {
        guard keys.count > 1, let root = try? JSONDocument(list).root else { return list }
        let objects = root.elements.map { element in
            let members = zip(keys, element.elements).map { name, value in
                FieldJSON.quoted(Array(name.utf8)) + ":" + String(decoding: value.json, as: UTF8.self)
            }
            return "{\(members.joined(separator: ","))}"
        }
        return "[\(objects.joined(separator: ","))]"
    }
}
