internal import SluiceJSON
internal import SluiceModel

/// What a source says of a record: of which properties it speaks, and what it says of the records within it.
struct SaidProperties: Sendable, Hashable {
    /// The positions of the fields; nil for all.
    var fields: PositionSet?
    /// The positions of the relationships; nil for all.
    var relationships: PositionSet?
    /// What it says of the records by value, by the positions of the fields; all of those that are not among them.
    var single: [Int: SaidProperties] = [:]
    /// What it says of the records of lists by value, by the positions of the relationships and their keys; all of those that
    /// are not among them.
    var lists: [Int: [[BoxedValue]: SaidProperties]] = [:]
    /// The keys of records that it gives without these, as JSON, by the positions of the fields.
    var keys: [Int: String] = [:]
    /// The keys of lists' records that it gives without these, as JSON, by the positions of the relationships.
    var listKeys: [Int: [String]] = [:]

    /// Texts as the source spells them, by the positions of the fields, as far as the program left them as they are: what it reads of
    /// them may be spelled in another way. What is no text has one spelling; empty where nothing is kept.
    var given: [BoxedValue] = []

    /// It says something of all properties.
    static let all = SaidProperties()

    /// Whether it speaks of a field.
    func contains(field: Int) -> Bool { fields?.contains(field) ?? true }

    /// A value as the source spells it; nil where that is not kept.
    private func spelled(_ field: Int) -> BoxedValue? {
        guard given.indices.contains(field), case .text = given[field] else { return nil }
        return given[field]
    }

    /// Forgets how the source spells a value.
    mutating func forget(given field: Int) { if spelled(field) != nil { given[field] = .null } }

    /// Whether it speaks of a relationship.
    func contains(relationship: Int) -> Bool { relationships?.contains(relationship) ?? true }
}

extension SaidProperties {
    /// The same with what a program changed since: of that it speaks as well.
    ///
    /// - Parameters:
    ///   - before: The record as the source gave it.
    ///   - after: The record now, with the same identifier.
    /// - Returns: What is said now.
    func changed(from before: BoxedRecord, to after: BoxedRecord) -> SaidProperties {
        var said = self
        let (inner, old) = (after.within ?? BoxedRecord.Within(), before.within ?? BoxedRecord.Within())
        let fields = after.description.fields
        for index in fields.indices {
            if fields[index].reference?.isByValue != true {
                if after.values[index] != before.values[index] {
                    said.fields?.insert(index)
                    said.forget(given: index)
                }
                continue
            }
            guard let record = inner.single[index], let other = old.single[index], record.key == other.key else {
                if inner.single[index] == nil && old.single[index] == nil { continue }
                said.fields?.insert(index)
                said.single[index] = nil
                said.keys[index] = nil
                continue
            }
            let told = said.single[index]?.changed(from: other, to: record)
            said.single[index] = told
            if record.differs(from: other) { said.fields?.insert(index) }
        }
        for index in after.description.relationships.indices {
            if let keys = inner.keys[index], keys != old.keys[index] {
                said.relationships?.insert(index)
                said.listKeys[index] = nil
            }
            guard let records = inner.lists[index], let others = old.lists[index] else { continue }
            let known = Dictionary(others.map { ($0.key, $0) }) { first, _ in first }
            var isOther = records.map(\.key) != others.map(\.key)
            for record in records {
                guard let other = known[record.key] else { continue }
                let told = said.lists[index]?[record.key]?.changed(from: other, to: record)
                said.lists[index]?[record.key] = told
                isOther = isOther || record.differs(from: other)
            }
            if isOther { said.relationships?.insert(index) }
        }
        return said
    }

    /// The member of a record that names the properties of which it says nothing unless it is new; no column has such a name.
    static let unsaidMember = " unsaid"

    /// Writes a record as JSON, as the store keeps its values: a member for each property of which something is said, under the name that
    /// it has in the store.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - completesNew: Whether a new record has its other values as well.
    ///   - json: The JSON, which grows by it.
    func write(_ record: BoxedRecord, completingNew completesNew: Bool = false, to json: inout [UInt8]) {
        let description = record.description
        let (fields, spelling) = (description.fields, description.spelling)
        let start = json.count
        json.append(UInt8(ascii: "{"))
        func begin(_ member: [UInt8]) {
            if json.count > start + 1 { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: member)
        }
        // Of a composition a program has all parts, so that half of one is never said.
        let along = description.wholes.filter { $0.parts.contains { contains(field: $0) && !record.values[$0].isNull } }
            .flatMap(\.required)
        var unsaid: [Int] = []
        for index in fields.indices where !fields[index].isImplied {
            if !contains(field: index), !fields[index].isIdentifier, !along.contains(index) {
                if !completesNew || fields[index].json == nil { continue }
                unsaid.append(index)
                begin(spelling.members[index])
                Self.write(record.values[index], spelling.types[index], to: &json)
            } else if let inner = record.within?.single[index] {
                begin(spelling.members[index])
                (single[index] ?? .all).write(inner, completingNew: completesNew, to: &json)
            } else {
                begin(spelling.members[index])
                if let key = keys[index] {
                    json.append(contentsOf: key.utf8)
                } else {
                    Self.write(spelled(index) ?? record.values[index], spelling.types[index], to: &json)
                }
            }
        }
        if !unsaid.isEmpty {
            begin(Self.unsaidName)
            Self.write(list: unsaid, to: &json) { $1.append(contentsOf: spelling.members[$0].dropLast()) }
        }
        for (index, relationship) in description.relationships.enumerated() where contains(relationship: index) {
            let records = record.within?.lists[index]
            var others = listKeys[index]
            if others == nil, relationships != nil, let given = record.within?.keys[index],
                let target = relationship.target?.modelDescription
            {
                // Links of which nothing more is said may be those that a program does not know.
                others = given.map { Self.json(key: $0, of: target) }
            }
            if records == nil && others == nil { continue }
            begin(spelling.lists[index])
            let count = records?.count ?? 0
            Self.write(list: Array(0..<count + (others?.count ?? 0)), to: &json) { place, json in
                if place < count, let inner = records?[place] {
                    (lists[index]?[inner.key] ?? .all).write(inner, completingNew: completesNew, to: &json)
                } else if let key = others?[place - count] {
                    json.append(contentsOf: key.utf8)
                }
            }
        }
        json.append(UInt8(ascii: "}"))
    }

    private static let unsaidName = Array((FieldJSON.quoted(unsaidMember) + ":").utf8)

    /// Writes elements with commas between, in brackets.
    private static func write(list elements: [Int], to json: inout [UInt8], _ element: (Int, inout [UInt8]) -> Void) {
        json.append(UInt8(ascii: "["))
        for (place, index) in elements.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            element(index, &json)
        }
        json.append(UInt8(ascii: "]"))
    }

    /// Writes a value as JSON in its field's type.
    private static func write(_ value: BoxedValue, _ type: FieldType, to json: inout [UInt8]) {
        switch value {
        case .null: json.append(contentsOf: "null".utf8)
        case .integer(let number) where type != .bool: write(number, to: &json)
        case .text(let text) where type != .json: JSONWriter.append(text, to: &json)
        default: json.append(contentsOf: FieldJSON.text(FieldValue(value), type: type).utf8)
        }
    }

    /// Writes a whole number.
    private static func write(_ number: Int64, to json: inout [UInt8]) {
        if number < 0 { json.append(UInt8(ascii: "-")) }
        let start = json.count
        var rest = number.magnitude
        repeat {
            json.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        json[start...].reverse()
    }

    /// The key of a record as JSON: its value, or an object of several.
    private static func json(key: [BoxedValue], of target: ModelDescription) -> String {
        let texts = zip(target.identifiers, key).map { text($1, target.fields[$0]) }
        return Self.json(key: texts, of: target)
    }

    /// The key of a record as JSON.
    ///
    /// - Parameters:
    ///   - parts: Its values as JSON.
    ///   - target: The record's model.
    /// - Returns: Its value, or an object of several.
    static func json(key parts: [String], of target: ModelDescription) -> String {
        if parts.count == 1 { return parts[0] }
        let members = zip(target.identifiers, parts).map { index, text in
            "\(FieldJSON.quoted(Array(target.fields[index].name.utf8))):\(text)"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func text(_ value: BoxedValue, _ field: ModelDescription.Field) -> String {
        FieldJSON.text(FieldValue(value), type: field.fieldType)
    }
}

extension BoxedRecord {
    /// The first property that holds other records by value in another look at the same record; nil where none does.
    func otherRecords(in other: BoxedRecord) -> String? {
        let (inner, old) = (other.within ?? Within(), within ?? Within())
        for (index, field) in description.fields.enumerated() {
            guard let record = inner.single[index] else { continue }
            if old.single[index]?.differs(from: record) ?? true { return field.property }
        }
        for index in description.relationships.indices {
            guard let records = inner.lists[index], let others = old.lists[index] else { continue }
            if records.count != others.count || zip(records, others).contains(where: { $0.differs(from: $1) }) {
                return description.relationships[index].property
            }
        }
        return nil
    }

    /// Whether another look at the same record has other values, in it or in the records within it.
    fileprivate func differs(from other: BoxedRecord) -> Bool {
        if values != other.values { return true }
        let (inner, old) = (within ?? Within(), other.within ?? Within())
        func differ(_ one: [BoxedRecord]?, _ two: [BoxedRecord]?) -> Bool {
            guard let one, let two else { return (one == nil) != (two == nil) }
            return one.count != two.count || zip(one, two).contains { $0.differs(from: $1) }
        }
        return Set(inner.single.keys).union(old.single.keys).contains { index in
            differ(inner.single[index].map { [$0] }, old.single[index].map { [$0] })
        }
            || Set(inner.lists.keys).union(old.lists.keys).contains { differ(inner.lists[$0], old.lists[$0]) }
            || inner.keys != old.keys
    }
}
