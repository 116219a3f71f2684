package import SluiceJSON

/// A field whose value is another record, or several: `ref` and `refs`.
package struct ReferenceDefinition: Sendable {
    /// How many records it leads to.
    package enum Count: Sendable, Hashable {
        /// One: its key stands in fields of the owner's record.
        case one
        /// Several: their keys are the elements of one field, which has a table of its own.
        case many
    }

    /// What becomes of a record that is not in its table when the run ends.
    package enum DanglingRule: String, Sendable, CaseIterable {
        /// Nothing refers to it until it arrives, from whichever stream.
        case `defer`
        /// Nothing refers to it, also when it arrives.
        case setNull = "set_null"
        /// A row that has its key and nothing else stands for it.
        case stub
        /// The run fails.
        case fail
    }

    /// How changes of both sides come together where there are several.
    package enum MergeRule: String, Sendable, CaseIterable {
        /// What either side added is there, and what either side removed is not.
        case set
        /// The source's are there, and no others.
        case replace
        /// What the source added is added; what it removed stays.
        case addOnly = "add_only"
    }

    /// The field's name in the file.
    package var name: String
    /// The place of the value within the owner's record, or of each of several.
    package var path: JSONPath
    /// The name of the entity that it leads to.
    package var target: String
    /// The table of the target.
    package var targetTable = ""
    /// The fields of the target's primary key, in its order.
    package var targetKey: [FieldDefinition] = []
    /// How many records it leads to.
    package var count: Count
    /// Whether an object at ``path`` is also a record of the target; nil where objects are, and keys are not.
    package var upsert: Bool?
    /// What becomes of a record that is not there.
    package var onDangling = DanglingRule.defer
    /// How changes of both sides come together; of one record the field's own rules hold.
    package var merge = MergeRule.set
    /// The names of the owner's fields that hold it: one for each field of the target's primary key, in its order, or
    /// the one that holds all of several.
    package var fields: [String]
    /// The table that holds the pairs where it leads to several.
    package var link: LinkDefinition?

    /// Makes a reference that is to be filled in.
    package init(name: String, path: JSONPath, target: String, count: Count, fields: [String]) {
        self.name = name
        self.path = path
        self.target = target
        self.count = count
        self.fields = fields
    }
}
