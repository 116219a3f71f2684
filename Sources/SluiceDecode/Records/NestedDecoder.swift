package import SluiceJSON
package import SluiceModel
internal import SluicePipeline
package import SluiceReport

/// Decodes the records that stand within a stream's record. A record is taken with all that it holds, or not at all.
package struct NestedDecoder {
    /// Why something within a record could not be taken.
    package struct Failure: Error {
        package let mismatch: Mismatch
        /// The JSON pointer within the stream's record.
        package let pointer: String
        /// The offending value as JSON text, nil where there is none.
        package let value: [UInt8]?

        /// Makes a value of its parts.
        package init(mismatch: Mismatch, pointer: String, value: [UInt8]?) {
            self.mismatch = mismatch
            self.pointer = pointer
            self.value = value
        }
    }

    /// The stream's record around what is decoded.
    package struct Around {
        package let record: RawRecord
        package let page: RecordDecoder.Page

        /// Makes a value of its parts.
        package init(record: RawRecord, page: RecordDecoder.Page) {
            self.record = record
            self.page = page
        }
    }

    /// A decoder that is used where it is: it holds much, and a copy for every record costs more than its work.
    ///
    /// The memory is unsafe because a decoder that a class holds as a property is copied for each call.
    @safe
    private final class Inner {
        private let place: UnsafeMutablePointer<RecordDecoder>

        init(_ decoder: RecordDecoder) {
            unsafe place = .allocate(capacity: 1)
            unsafe place.initialize(to: decoder)
        }

        deinit {
            unsafe place.deinitialize(count: 1)
            unsafe place.deallocate()
        }

        var unmapped: UnmappedKeys { unsafe place.pointee.unmapped }

        func keyHash(of element: JSONElement) -> UInt64? { unsafe place.pointee.keyHash(of: element) }

        func append(
            _ element: JSONElement, at place: Place, _ around: Around, to batch: inout RecordBatch
        ) throws(RecordDecoder.FieldFailure) {
            try unsafe self.place.pointee.append(element, at: place, around, to: &batch)
        }
    }

    private let tree: NestedTree
    private let decoders: [Inner]
    private let cuts: CutLists
    /// The hashes of the keys of embedded objects that were given to somebody, by part.
    private var met: [RecentHashSet]
    /// Those of the present record.
    private var latest: [(part: Int, hash: UInt64)] = []
    /// The parts of objects that were passed over at the present value.
    private var passedOver: Set<Int> = []
    /// What stands within the present record, see `TextFingerprint.Mention`.
    package private(set) var mentions: [UInt8] = []
    /// How much there was of each part before the present record, then before each list around what is decoded that is one value.
    private var marks: [NestedBatch.Mark] = []

    /// - Parameters:
    ///   - tree: What stands within the records.
    ///   - cuts: Collects the lists that say that there is more of them.
    ///   - language: Compiles the programs of fields.
    /// - Throws: ``SyncError`` where a program of the pipeline cannot be used.
    package init(tree: NestedTree, cuts: CutLists, language: some ProgramLanguage) throws {
        self.tree = tree
        self.cuts = cuts
        decoders = try tree.parts.map {
            Inner(try RecordDecoder(plan: $0.plan, entriesKey: $0.plan.entriesKey, cuts: cuts, language: language))
        }
        met = tree.parts.map { _ in RecentHashSet() }
    }

    /// The keys so far that no field takes, of records that belong to others.
    var unmapped: UnmappedKeys { decoders.reduce(into: UnmappedKeys()) { $0.formUnion($1.unmapped) } }

    /// Forgets which embedded objects were given to somebody.
    mutating func forget() { for part in met.indices { met[part] = RecentHashSet() } }

    /// Empty batches.
    var emptyBatches: [NestedBatch] { tree.parts.map { NestedBatch(fieldCount: $0.plan.fields.count) } }

    /// Decodes all that stands within a record of the stream.
    ///
    /// - Parameters:
    ///   - root: The record.
    ///   - found: Where its fields are found.
    ///   - batch: Ends with the record, whose hashes are not there yet.
    ///   - schema: The schema of the stream's records.
    ///   - around: The record as it was read.
    ///   - parts: Grow by what is found, or stay as they were.
    /// - Throws: ``Failure``.
    package mutating func decode(
        _ root: JSONElement, _ found: FieldFinder, lastOf batch: borrowing RecordBatch, _ schema: RecordSchema,
        _ around: Around, into parts: inout [NestedBatch]
    ) throws(Failure) {
        latest.removeAll(keepingCapacity: true)
        mentions.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        for part in parts.indices { marks.append(parts[part].mark) }
        do throws(Failure) {
            let owner = tree.hasChildren(nil) ? OwnerKey(batch, batch.count, schema) : nil
            _ = try decode(root, below: nil, owner, found, pointer: "", around, into: &parts)
        } catch {
            for part in parts.indices { parts[part].remove(since: marks[part]) }
            throw error
        }
        for (part, hash) in latest { met[part].insert(hash) }
    }

    /// Decodes what stands within a record.
    ///
    /// - Returns: Whether all that belongs to it is there, so that it is known as a whole.
    private mutating func decode(
        _ element: JSONElement, below owner: Int?, _ key: OwnerKey?, _ finder: FieldFinder? = nil,
        pointer: @autoclosure () -> String,
        _ around: Around, into parts: inout [NestedBatch]
    ) throws(Failure) -> Bool {
        var isWhole = true
        for branch in tree.branches(below: owner) {
            if branch.field == nil {
                guard let key else { continue }
                let isKnown = try decodeChildren(element, branch, key, pointer: pointer(), around, into: &parts)
                isWhole = isWhole && isKnown
            } else if let finder, let field = branch.field, branch.isList || branch.path.isSingular {
                guard let place = finder[field] else { continue }
                if place.kind == .object, !branch.isList {
                    try decodeEmbedded(place, branch, pointer: pointer() + branch.pointer, around, into: &parts)
                } else if place.kind == .array, branch.isList {
                    var elements = place.elements()
                    var position = 0
                    while elements.next() {
                        let place = Place(position: position)
                        position += 1
                        if elements.value.kind != .object { continue }
                        try decodeEmbedded(
                            elements.value, branch,
                            pointer: branch.pointer(at: place, below: pointer() + branch.pointer),
                            around, into: &parts)
                    }
                }
            } else {
                for (position, found) in try matches(branch, in: element, pointer: pointer()).enumerated()
                where found.kind == .object {
                    let place = Place(position: position)
                    try decodeEmbedded(
                        found, branch, pointer: branch.pointer(at: place, below: pointer() + branch.pointer), around,
                        into: &parts)
                }
            }
        }
        return isWhole
    }

    private func matches(
        _ branch: NestedTree.Branch, in element: JSONElement, pointer: @autoclosure () -> String
    ) throws(Failure) -> [JSONElement] {
        if branch.path.isSingular { return branch.path.first(in: element).map { [$0] } ?? [] }
        do throws(JSONError) {
            return try branch.path.matches(in: element)
        } catch {
            let mismatch = Mismatch(
                reason: .typeMismatch, message: "The path `\(branch.path.text)` cannot be followed: \(error.message)")
            throw Failure(mismatch: mismatch, pointer: pointer() + branch.pointer, value: nil)
        }
    }

    // MARK: Embedded objects. Pointers are made where something is refused, and not for each value.

    /// Decodes an object that stands at a pointer within the stream's record.
    private mutating func decodeEmbedded(
        _ element: JSONElement, _ branch: NestedTree.Branch, pointer: @autoclosure () -> String, _ around: Around,
        into parts: inout [NestedBatch]
    ) throws(Failure) {
        let part = branch.part
        // What was said of it first in a run stands, so that it does not matter how often it is said.
        if let hash = decoders[part].keyHash(of: element), isKnown(hash, part) {
            if keepsTexts(around) {
                let content = content(of: element, branch, around, with: &parts[part])
                mention(.embedded(part: part, key: hash, content: content), around)
            }
            return try passOver(element, branch, pointer: pointer(), around, into: &parts)
        }
        let mark = parts[part].mark
        try append(element, Place(), branch, pointer: pointer(), around, into: &parts[part].records)
        let row = parts[part].records.count - 1
        let hash = parts[part].records.keyHashes[row]
        mention(.embedded(part: part, key: hash, content: parts[part].records.rowHashes[row]), around)
        if isKnown(hash, part) {
            parts[part].remove(since: mark)
            return try passOver(element, branch, pointer: pointer(), around, into: &parts)
        }
        latest.append((part, hash))
        if tree.branches(below: part).isEmpty { return }
        let key = tree.hasChildren(part) ? OwnerKey(parts[part].records, row, tree.parts[part].plan.schema) : nil
        _ = try decode(element, below: part, key, pointer: pointer(), around, into: &parts)
    }

    /// Leaves an object that another record spoke of before. Of what is embedded in it this may be the first word; its
    /// children are those that it was first said to have.
    private mutating func passOver(
        _ element: JSONElement, _ branch: NestedTree.Branch, pointer: @autoclosure () -> String, _ around: Around,
        into parts: inout [NestedBatch]
    ) throws(Failure) {
        let part = branch.part
        if tree.branches(below: part).isEmpty { return }
        // A path may lead from a value to itself, and so may several in a circle.
        let isSame = branch.path.steps.isEmpty
        if isSame && passedOver.contains(part) { return }
        let before = passedOver
        passedOver = isSame ? before.union([part]) : []
        defer { passedOver = before }
        _ = try decode(element, below: part, nil, pointer: pointer(), around, into: &parts)
    }

    /// The hash of what is said of an object, which its base would have; 0 where that cannot be taken.
    private func content(
        of element: JSONElement, _ branch: NestedTree.Branch, _ around: Around, with part: inout NestedBatch
    ) -> UInt64 {
        let mark = part.mark
        guard (try? append(element, Place(), branch, pointer: "", around, into: &part.records)) != nil else { return 0 }
        defer { part.remove(since: mark) }
        return part.records.rowHashes[part.records.count - 1]
    }

    private func keepsTexts(_ around: Around) -> Bool { around.page.textSeed != nil }

    private mutating func mention(_ mention: TextFingerprint.Mention, _ around: Around) {
        if keepsTexts(around) { TextFingerprint.append(mention, to: &mentions) }
    }

    private mutating func isKnown(_ hash: UInt64, _ part: Int) -> Bool {
        met[part].contains(hash) || latest.contains { $0.hash == hash && $0.part == part }
    }

    // MARK: Children

    /// Decodes the children of one record.
    ///
    /// - Returns: Whether all that belongs to them is there.
    private mutating func decodeChildren(
        _ element: JSONElement, _ branch: NestedTree.Branch, _ owner: OwnerKey, pointer: @autoclosure () -> String,
        _ around: Around,
        into parts: inout [NestedBatch]
    ) throws(Failure) -> Bool {
        let part = branch.part
        // Where it is left out within an element that a position tells apart, the list that stood there is another one's.
        let isOfElement = tree.parts[part].owner.map { tree.parts[$0].isPositional } ?? false
        guard
            let list = try children(branch, in: element, pointer: pointer() + branch.pointer)
                ?? (isOfElement ? [] : nil)
        else {
            return true
        }
        let ordinal = around.page.firstOrdinal + around.record.ordinal
        var reading = around.page.lists?.reading(of: branch.list, ordinal)
        // A list that was continued says still what it said before.
        let isContinued = branch.asksForMore && around.page.lists?.isKnown(of: branch.list, ordinal) == true
        if !isContinued,
            cuts.notes(
                branch.path, named: branch.namesOfList, in: element, hasMore: branch.asksForMore,
                isOfElement: isOfElement, tree.place(of: branch))
        {
            reading = .partial
        }
        let isOrdered = tree.parts[part].isOrdered
        // A list that is one value is taken as a whole.
        if reading == .partial && isOrdered { return false }
        // So are its elements with what belongs to them: what stood at their places may have been that of others.
        let isOneValue = isOrdered && !isOfElement
        let before = marks.count
        if isOneValue { for part in parts.indices { marks.append(parts[part].mark) } }
        defer { marks.removeLast(marks.count - before) }
        var isWhole = reading != .partial
        let first = parts[part].records.count
        let owns = tree.hasChildren(part)
        var hashes: Set<UInt64> = []
        for (position, child) in list.enumerated() {
            let place = Place(
                owner: owner, position: position, member: child.name)
            let start = parts[part].records.count
            func pointerOfChild() -> String { branch.pointer(at: place, below: pointer() + branch.pointer) }
            let leftOut = cuts.leftOut
            try append(child.element, place, branch, pointer: pointerOfChild(), around, into: &parts[part].records)
            if cuts.leftOut > leftOut { isWhole = false }
            let hash = parts[part].records.keyHashes[start]
            if !hashes.insert(hash).inserted {
                let key = parts[part].records.key(of: start, schema: tree.parts[part].plan.schema)
                let text = FieldJSON.object(key: key, schema: tree.parts[part].plan.schema)
                throw Failure(
                    mismatch: Mismatch(
                        reason: .duplicate,
                        message:
                            "Two records of `\(tree.parts[part].plan.schema.entity)` within it have the key \(text), so it is not clear which one is meant."
                    ), pointer: pointerOfChild(), value: child.element.text)
            }
            if tree.branches(below: part).isEmpty { continue }
            let key = owns ? OwnerKey(parts[part].records, start, tree.parts[part].plan.schema) : nil
            let isKnown = try decode(child.element, below: part, key, pointer: pointerOfChild(), around, into: &parts)
            isWhole = isWhole && isKnown
        }
        if isOneValue && !isWhole {
            for inner in parts.indices where tree.belongs(inner, to: part) {
                parts[inner].remove(since: marks[before + inner])
            }
            return false
        }
        mention(.children(part: part, count: parts[part].records.count - first), around)
        parts[part].scopes.append(
            NestedBatch.Scope(
                owner: owner.key, rows: first..<parts[part].records.count,
                ordinal: around.page.firstOrdinal + around.record.ordinal, reading: reading ?? .whole))
        return isWhole
    }

    private struct Child {
        var name: [UInt8]?
        let element: JSONElement
    }

    /// The children that stand at a path, with their names where they are members; nil where the source says nothing of
    /// them. A null is an empty list, and so is one on the way to it.
    private func children(
        _ branch: NestedTree.Branch, in element: JSONElement, pointer: @autoclosure () -> String
    ) throws(Failure) -> [Child]? {
        guard let top = branch.path.isPlain ? branch.container.first(in: element) : element else {
            return branch.container.leadsThroughNull(in: element) ? [] : nil
        }
        if top.isNull { return [] }
        if branch.hasEntries {
            // Some programs write an object without members as a list without elements.
            if top.kind == .array && top.element(at: 0) == nil { return [] }
            guard top.kind == .object else { throw unfit(top, "an object", branch, pointer()) }
            var list: [Child] = []
            var members = top.members()
            while members.next() { list.append(Child(name: unsafe Array(members.key), element: members.value)) }
            return list
        }
        if branch.path.isPlain && top.kind != .array && top.kind != .object {
            throw unfit(top, "a list", branch, pointer())
        }
        return try matches(branch, in: element, pointer: pointer()).map { Child(element: $0) }
    }

    private func unfit(
        _ element: JSONElement, _ wanted: String, _ branch: NestedTree.Branch, _ pointer: String
    ) -> Failure {
        let entity = tree.parts[branch.part].plan.schema.entity
        return Failure(
            mismatch: Mismatch(
                reason: .typeMismatch,
                message: "Expected the records of `\(entity)` in \(wanted), found \(element.kind.description)."),
            pointer: branch.pointer(ofList: pointer), value: element.text)
    }

    // MARK: One record

    /// What a record within another one takes from around it.
    package struct Place {
        package var owner: OwnerKey?
        package var position = 0
        /// Its name, where it is a member of an object.
        package var member: [UInt8]?

        /// Makes a value of its parts.
        package init(owner: OwnerKey? = nil, position: Int = 0, member: [UInt8]? = nil) {
            self.owner = owner
            self.position = position
            self.member = member
        }
    }

    private func append(
        _ element: JSONElement, _ place: Place, _ branch: NestedTree.Branch, pointer: @autoclosure () -> String,
        _ around: Around,
        into batch: inout RecordBatch
    ) throws(Failure) {
        do throws(RecordDecoder.FieldFailure) {
            try decoders[branch.part].append(element, at: place, around, to: &batch)
        } catch {
            throw Failure(
                mismatch: error.mismatch,
                pointer: pointer()
                    + (error.mismatch.place?.pointer
                        ?? error.field.map { tree.parts[branch.part].plan.fields[$0].pointer } ?? ""),
                value: error.value)
        }
    }
}

/// The key of a record with children, as they take it over.
package struct OwnerKey {
    let key: RecordKey
    let digests: [UInt64]

    init(_ batch: borrowing RecordBatch, _ record: Int, _ schema: RecordSchema) {
        key = batch.key(of: record, schema: schema)
        digests = schema.keyFields.map { batch.digest(record: record, field: $0) }
    }
}

extension JSONPath {
    /// Whether a null stands on the way of a path without wildcards: what has no author has no author's books.
    fileprivate func leadsThroughNull(in element: JSONElement) -> Bool {
        steps.indices.contains { JSONPath(steps: Array(steps[..<$0]), text: text).first(in: element)?.isNull == true }
    }
}
