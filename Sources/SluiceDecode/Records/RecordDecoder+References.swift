package import SluiceJSON
package import SluiceModel
package import SluiceReport

extension DecodePlan.Target {
    /// A part of the key of what stands somewhere: an object, or the key itself.
    package func key(of element: JSONElement, part: Int, _ field: String) throws(Mismatch) -> JSONElement {
        guard element.kind == .object else {
            if isSingle, element.kind != .array { return element }
            let wanted = isSingle ? "an object or its key" : "an object with its key"
            throw Mismatch(
                reason: .typeMismatch, message: "Expected \(wanted) for `\(field)`, found \(element.kind.description).")
        }
        guard let key = paths[part].first(in: element), !key.isNull else {
            throw Mismatch(
                reason: .typeMismatch,
                message: "The object for `\(field)` has no `\(paths[part].text)`, the key of its record.")
        }
        return key
    }
}

/// Sets of keys.
extension RecordDecoder {
    /// The keys of all records at a path, as a JSON array in their order, each once; no list is an empty one.
    package func references(
        _ field: DecodePlan.Field, _ target: DecodePlan.Target, _ many: DecodePlan.Many, list: JSONElement?,
        root: JSONElement, into bytes: inout [UInt8]
    ) throws(Mismatch) -> (Cell, UInt64) {
        guard let list else {
            let absent = try absence(field, into: &bytes)
            return absent.0.kind == .null ? set([], into: &bytes) : absent
        }
        if list.isNull {
            let null = try null(field, into: &bytes)
            return null.0.kind == .null ? set([], into: &bytes) : null
        }
        // Of a set that is not all there nothing is known, unless it only grows.
        if cuts.notes(
            many.path, named: many.namesOfList, in: root, isOfElement: plan.isPositional,
            .field(field.name, entity: plan.schema.entity, isGrowing: isGrowing(field))), !isGrowing(field)
        {
            cuts.leaveOut()
            return (Cell(kind: .absent), 0)
        }
        try check(list, of: many, field.name)
        if many.isList, list.kind == .array, try readIntegers(of: list, field, target, many, into: &bytes) {
            return setOfIntegers(into: &bytes)
        }
        let elements = try Self.matches(of: many.path, in: root)
        var batch = RecordBatch(fieldCount: many.keys.count, capacity: elements.count)
        for (index, element) in elements.enumerated() {
            do throws(Mismatch) {
                if element.isNull {
                    throw Mismatch(
                        reason: .typeMismatch, message: "`\(field.name)` needs records or their keys, found null.")
                }
                for (part, key) in many.keys.enumerated() {
                    let value = try target.key(of: element, part: part, field.name)
                    batch.cells.append(try convert(value, key, into: &batch.bytes).0)
                }
            } catch {
                throw error.at(many.pointer(at: index, in: field), element.text)
            }
        }
        let keys = elements.indices.map { record in
            RecordKey(
                many.keys.enumerated().map { part, key in
                    let value = batch.value(record: record, field: part) ?? .null
                    return key.redaction?.kept(value, comparison: key.converter.comparison) ?? value
                })
        }
        return set(Array(Set(keys)).sorted(), into: &bytes)
    }

    /// What stands in the place of a list, or of objects within it, is no set: taken for an empty one, it would take all links
    /// away.
    private func check(_ list: JSONElement, of many: DecodePlan.Many, _ field: String) throws(Mismatch) {
        guard let names = many.namesOfList else { return }
        func pointer() -> String { names.map { DecodePlan.pointer(Array($0.utf8), below: "") }.joined() }
        guard list.kind == .array else {
            throw Mismatch(
                reason: .typeMismatch,
                message:
                    "Expected the records for `\(field)`, or their keys, in a list, found \(list.kind.description)."
            ).at(pointer(), list.text)
        }
        let next = names.count + 1
        guard many.path.steps.indices.contains(next), case .name(let name) = many.path.steps[next] else { return }
        let member = JSONPath.member(Array(many.path.steps[next...]))
        var elements = list.elements()
        var index = 0
        while elements.next() {
            if elements.value.kind == .object {
                if let member, member.first(in: elements.value) == nil {
                    throw Mismatch(
                        reason: .typeMismatch, message: "The object in the list for `\(field)` has no `\(member.text)`."
                    ).at("\(pointer())/\(index)", elements.value.text)
                }
                index += 1
                continue
            }
            throw Mismatch(
                reason: .typeMismatch,
                message:
                    "Expected objects with `\(name)` in the list for `\(field)`, found \(elements.value.kind.description)."
            ).at("\(pointer())/\(index)", elements.value.text)
        }
    }

    private func isGrowing(_ field: DecodePlan.Field) -> Bool {
        plan.schema.fields.contains { $0.name == field.name && $0.addsOnly }
    }

    /// Takes the keys of a list, in their order and each once, where all are integers; false where some are not.
    private func readIntegers(
        of list: JSONElement, _ field: DecodePlan.Field, _ target: DecodePlan.Target, _ many: DecodePlan.Many,
        into bytes: inout [UInt8]
    ) throws(Mismatch) -> Bool {
        guard target.isSingle, many.keys[0].converter.type == .int, many.keys[0].redaction == nil else { return false }
        scratch.numbers.removeAll(keepingCapacity: true)
        var elements = list.elements()
        var index = 0
        while elements.next() {
            let element = elements.value
            if element.isNull { return false }
            do throws(Mismatch) {
                let key = element.kind == .integer ? element : try target.key(of: element, part: 0, field.name)
                let cell = try convert(key, many.keys[0], into: &bytes).0
                guard cell.kind == .integer else { return false }
                scratch.numbers.append(cell.payload)
            } catch {
                throw error.at(many.pointer(at: index, in: field), element.text)
            }
            index += 1
        }
        scratch.sortNumbers()
        return true
    }

    /// The set of the integers that were taken.
    private func setOfIntegers(into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        bytes.append(contentsOf: IntegerSetText.text(of: scratch.numbers))
        return (
            Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count - start)),
            FieldDigest.set(ofSorted: scratch.numbers, by: &scratch.digits)
        )
    }

    /// The hash of the key of a value that is a record of its own; nil where no look at the key alone tells.
    package func keyHash(of element: JSONElement) -> UInt64? {
        guard let paths = plan.keyPaths else { return nil }
        scratch.bytes.removeAll(keepingCapacity: true)
        var hash: UInt64 = 0
        for (part, field) in plan.keyFields.enumerated() {
            guard let value = paths[part].first(in: element), !value.isNull,
                let (_, digest) = try? plan.fields[field].converter.convert(value, into: &scratch.bytes)
            else { return nil }
            hash = KeyHash.combine(hash, digest)
        }
        return hash
    }

    private func set(_ keys: [RecordKey], into bytes: inout [UInt8]) -> (Cell, UInt64) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "["))
        for (index, key) in keys.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if key.values.count > 1 { bytes.append(UInt8(ascii: "[")) }
            for (part, value) in key.values.enumerated() {
                if part > 0 { bytes.append(UInt8(ascii: ",")) }
                switch value {
                case .integer(let number): bytes.append(contentsOf: String(number).utf8)
                case .text(let text): JSONWriter.append(utf8: text, to: &bytes)
                case .null, .real, .blob: bytes.append(contentsOf: "null".utf8)
                }
            }
            if key.values.count > 1 { bytes.append(UInt8(ascii: "]")) }
        }
        bytes.append(UInt8(ascii: "]"))
        let digest = canonical.digest(of: .text(Array(bytes[start...])), type: .json, comparison: .set)
        return (
            Cell(kind: .text, payload: Int64(start), length: UInt32(truncatingIfNeeded: bytes.count - start)), digest
        )
    }
}

extension JSONPath {
    /// The path to one member, by names alone; nil where it leads to several values.
    fileprivate static func member(_ steps: [Step]) -> JSONPath? {
        var names: [String] = []
        for step in steps {
            guard case .name(let name) = step else { return nil }
            names.append(name)
        }
        return JSONPath(steps: steps, text: names.joined(separator: "."))
    }
}

extension DecodePlan.Many {
    /// The JSON pointer of an element of the list that a field is found by.
    fileprivate func pointer(at index: Int, in field: DecodePlan.Field) -> String {
        isList ? field.pointer.dropLast() + String(index) : field.pointer
    }
}

/// Room that is used again for every record.
final class DecodeScratch {
    var numbers: [Int64] = []
    var bytes: [UInt8] = []
    /// The digits of sets.
    var digits: [UInt8] = []

    /// Sorts the numbers, of which there are few, and leaves each once.
    func sortNumbers() {
        if numbers.count < 2 { return }
        numbers.sort()
        var kept = 1
        for index in 1..<numbers.count where numbers[index] != numbers[kept - 1] {
            numbers[kept] = numbers[index]
            kept += 1
        }
        numbers.removeLast(numbers.count - kept)
    }
}
