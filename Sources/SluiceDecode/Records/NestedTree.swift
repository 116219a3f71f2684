package import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// The entities whose records stand within the records of a stream: embedded objects that something refers to, and
/// children.
///
///     Invoice ─ customer        → Customer (embedded)
///             └ lines.data[*]   → Line     (a child) ─ taxes[*] → Tax (a child of a child)
///
/// An entity is one part, however many paths lead to its records.
package struct NestedTree: Sendable {
    /// One entity within the records of a stream.
    package struct Part: Sendable {
        package fileprivate(set) var plan: DecodePlan
        /// Whether its records belong to the record that they stand in, and go with it.
        package let isChild: Bool
        /// The part whose records its own stand in; nil for the stream's. Of a child there is one.
        package let owner: Int?
        /// Whether its rows stay where those of their owner go.
        package let outlivesOwner: Bool
        /// Whether its records are told apart by their positions, so that a list of them is one value.
        package let isOrdered: Bool
        /// Whether a position tells its records apart, their own or that of one around them: what stood there before is
        /// another record, so that what the source leaves out is nothing.
        package var isPositional: Bool { plan.isPositional }

        /// Makes a value of its parts.
        package init(plan: DecodePlan, isChild: Bool, owner: Int?, outlivesOwner: Bool, isOrdered: Bool) {
            self.plan = plan
            self.isChild = isChild
            self.owner = owner
            self.outlivesOwner = outlivesOwner
            self.isOrdered = isOrdered
        }
    }

    /// A way from a record to records of a part.
    ///
    /// Shared, so that no record counts references to what is in it.
    package final class Branch: Sendable {
        package let part: Int
        let path: JSONPath
        /// The path to what they stand in.
        let container: JSONPath
        /// The names that lead to the one list that the records are of; nil for another path.
        let namesOfList: [String]?
        /// The JSON pointer of what the path leads to.
        let pointer: String
        /// Whether the records are members of an object, whose names are a key of theirs.
        let hasEntries: Bool
        /// The field of the record that leads to them; nil for children.
        let field: Int?
        /// Whether they are the elements of an array that the field is found by.
        let isList: Bool
        /// The position among the stream's `nested` lists of the one that they are; nil where they are none.
        package let list: Int?
        /// Whether the rest of the list is asked for, where the pipeline says that there is one.
        let asksForMore: Bool

        init(
            part: Int, path: JSONPath, hasEntries: Bool, field: Int?, list: Int? = nil, asksForMore: Bool = false
        ) {
            self.part = part
            self.list = list
            self.asksForMore = asksForMore
            self.path = path
            container = JSONPath(steps: Array(path.steps.prefix { $0 != .wildcard }), text: path.text)
            namesOfList = path.namesOfList
            self.hasEntries = hasEntries
            self.field = field
            pointer = DecodePlan.pointer(path)
            isList = path.isPlain && path.steps.firstIndex(of: .wildcard) == path.steps.count - 1
        }

        /// The JSON pointer of what stands in the place of a list.
        ///
        /// - Parameter list: The pointer of its records, which ends with ``pointer``.
        /// - Returns: The pointer without the steps into the list.
        func pointer(ofList list: String) -> String {
            let steps = DecodePlan.pointer(
                JSONPath(steps: Array(path.steps.drop { $0 != .wildcard }), text: path.text))
            return String(list.dropLast(steps.count))
        }

        /// The JSON pointer of one of the records of a list.
        ///
        /// - Parameters:
        ///   - place: Where it stands in the list.
        ///   - list: The pointer of the list, which ends with ``pointer``.
        /// - Returns: The pointer within the stream's record.
        func pointer(at place: NestedDecoder.Place, below list: String) -> String {
            if let member = place.member { return DecodePlan.pointer(member, below: list) }
            guard path.steps.count(where: { $0 == .wildcard }) == 1, path.steps.last == .wildcard else { return list }
            return list.dropLast() + String(place.position)
        }
    }

    /// The parts; one stands behind the part that its records are children of.
    package let parts: [Part]
    /// The ways that begin in the stream's records, then those that begin in each part's.
    private let branches: [[Branch]]

    /// The ways that begin in a part's records, in the stream's where nil.
    package func branches(below part: Int?) -> [Branch] { branches[part.map { $0 + 1 } ?? 0] }

    /// What stands at the end of a way to children.
    package func place(of branch: Branch) -> CutList.Place {
        let part = parts[branch.part]
        return .children(
            entity: part.plan.schema.entity, isOfStream: part.owner == nil, isOrdered: part.isOrdered)
    }

    /// Whether records of a part, of the stream where nil, have children.
    package func hasChildren(_ part: Int?) -> Bool { havingChildren[part.map { $0 + 1 } ?? 0] }

    /// For the stream's records, then for those of each part, whether they have children.
    private let havingChildren: [Bool]

    /// The parts whose records are children of a part's, of the stream's where nil.
    package func children(of part: Int?) -> [Int] {
        parts.indices.filter { parts[$0].isChild && parts[$0].owner == part }
    }

    /// Whether records of a part are those of a list of children, or belong to one of them.
    func belongs(_ part: Int, to list: Int) -> Bool {
        if part == list { return true }
        guard parts[part].isChild, let owner = parts[part].owner else { return false }
        return belongs(owner, to: list)
    }

    /// The paths within a stream's records to what has redacted fields, or something with such fields in it.
    package var redactedPaths: [JSONPath] {
        func isRedacted(_ part: Int, _ met: Set<Int>) -> Bool {
            if parts[part].plan.redactor != nil { return true }
            if met.contains(part) { return false }
            return branches(below: part).contains { isRedacted($0.part, met.union([part])) }
        }
        return branches(below: nil).filter { isRedacted($0.part, []) }.map(\.path)
    }

    /// The same with what looks at the records of its parts, by the names of their entities: each is refused with the stream's
    /// record around it, and none is left out or changed.
    package func lookedAt(by looks: [String: any RecordLooks]) -> NestedTree {
        if looks.isEmpty { return self }
        let parts = parts.map { part in
            var part = part
            part.plan.looks = looks[part.plan.schema.entity]
            return part
        }
        return NestedTree(parts: parts, branches: branches)
    }

    package init(parts: [Part], branches: [[Branch]]) {
        self.parts = parts
        self.branches = branches
        havingChildren = branches.map { $0.contains { parts[$0.part].isChild } }
    }
}
