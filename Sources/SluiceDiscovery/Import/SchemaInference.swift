internal import SluiceJSON
internal import SluiceModel
internal import SluicePipeline

/// Makes fields of the shape of many records.
///
/// Objects become columns of their own where they are small and alike: no more than ``maximumMembers`` members, each of
/// them there in half of the objects on average, two levels down, and no more than ``maximumColumns`` columns in all.
/// Any other object, and any array, is one `json` column.
enum SchemaInference {
    static let maximumColumns = 40
    static let maximumMembers = 20
    private static let maximumLevels = 2
    /// Names of amounts, whose fractions are decimal ones.
    private static let moneyWords: Set<String> = [
        "amount", "balance", "cost", "credit", "debit", "discount", "fee", "fees", "paid", "payment", "price", "refund",
        "revenue", "salary", "subtotal", "tax", "total", "vat", "wage",
    ]

    /// The fields of records.
    ///
    /// - Parameters:
    ///   - shape: The shape of the records, which are objects.
    ///   - records: How many were looked at.
    ///   - entryName: The key of the member's name and the shape of these names, where the records are members.
    ///   - hasTexts: Whether all values are texts, so that what fits no other type is one.
    /// - Returns: The fields, in the order in which their keys were first seen.
    static func fields(
        of shape: ValueShape, records: Int, entryName: (key: String, shape: ValueShape)? = nil,
        hasTexts: Bool = false
    ) -> [ImportedField] {
        var builder = Builder(records: records, columns: shape.children.count + (entryName == nil ? 0 : 1))
        if let entryName, !shape.children.contains(where: { $0.name == entryName.key }) {
            builder.add(entryName.shape, names: [entryName.key], isEntryName: true)
        }
        for (name, child) in shape.children { builder.add(child, names: [name]) }
        if !hasTexts { return builder.fields }
        return builder.fields.map { field in
            var field = field
            if field.type == .json { field.type = .string }
            return field
        }
    }

    /// The type that all values of a shape fit.
    static func type(of shape: ValueShape, key: String) -> FieldType {
        let isNumber = shape.integers + shape.numbers > 0
        let kinds = [shape.strings > 0, isNumber, shape.booleans > 0, shape.arrays + shape.objects > 0]
        switch kinds {
        // Where all are null so far, anything may come, and `json` takes everything.
        case [false, false, false, false]: return .json
        case [true, false, false, false]: return textType(shape.forms)
        case [false, true, false, false]: return numberType(shape, key: key)
        case [false, false, true, false]: return .bool
        // Text keeps a number's digits, so both are at home in it.
        case [true, true, false, false]: return .string
        default: return .json
        }
    }

    /// The `format` of a shape's values, where they are times of another form than RFC 3339.
    private static func timeFormat(of shape: ValueShape, _ type: FieldType) -> String? {
        type == .datetime && !shape.forms.contains(.datetime) ? shape.forms.timeFormat : nil
    }

    private static func textType(_ forms: TextForms) -> FieldType {
        if forms.contains(.uuid) { return .uuid }
        if forms.contains(.date) { return .date }
        if forms.contains(.datetime) || forms.timeFormat != nil { return .datetime }
        return forms.contains(.url) ? .url : .string
    }

    /// Whole numbers of 64 bits are `int`. Others are `decimal` where the key speaks of money or where a `double` would
    /// change one of them, else `double`.
    private static func numberType(_ shape: ValueShape, key: String) -> FieldType {
        if shape.numbers == 0 { return .int }
        return shape.needsDecimal || isOfMoney(key) ? .decimal : .double
    }

    /// Whether a key speaks of an amount of money.
    static func isOfMoney(_ key: String) -> Bool {
        SnakeCase.convert(key).split { !$0.isLetter }.contains { moneyWords.contains(String($0)) }
    }

    private struct Builder {
        let records: Int
        /// How many columns there are when nothing more is taken apart.
        var columns: Int
        var fields: [ImportedField] = []
        private var names = ColumnNames()

        init(records: Int, columns: Int) {
            self.records = records
            self.columns = columns
        }

        /// Adds a value, or what is within it.
        ///
        /// - Parameters:
        ///   - shape: The value.
        ///   - path: The names that lead to it.
        ///   - nulls: In how many records an object around it is null, so that it is null as well.
        ///   - isEntryName: Whether it is the name of a member.
        mutating func add(_ shape: ValueShape, names path: [String], nulls: Int = 0, isEntryName: Bool = false) {
            if isTakenApart(shape, level: path.count) {
                columns += shape.children.count - 1
                for (name, child) in shape.children { add(child, names: path + [name], nulls: nulls + shape.nulls) }
                return
            }
            let inferred = type(of: shape, key: path.last ?? "")
            let (name, place) = (names.name(for: path), JSONPath(names: path))
            let isList = inferred == .json && shape.arrays == shape.values
            fields.append(
                ImportedField(
                    name: name, path: place, type: inferred,
                    format: timeFormat(of: shape, inferred),
                    empty: max(0, records - shape.values), absent: max(0, records - shape.values - shape.nulls - nulls),
                    isQuotedDecimal: inferred == .string && shape.strings == shape.values
                        && shape.forms.contains(.fraction),
                    isEmail: inferred == .string && shape.strings == shape.values && shape.strings > 0
                        && shape.forms.contains(.email),
                    dateNote: [.string, .int].contains(inferred) && shape.strings + shape.integers == shape.values
                        ? shape.spellings.note : nil,
                    example: shape.example, longest: shape.longest, hashes: shape.hashes, isEntryName: isEntryName,
                    nested: isList ? shape.list.flatMap { NestedRecords($0, field: name, path: place) } : nil))
        }

        private func isTakenApart(_ shape: ValueShape, level: Int) -> Bool {
            let members = shape.children.count
            guard level <= maximumLevels, shape.objects > 0, shape.objects == shape.values, !shape.membersAreForgotten,
                (1...maximumMembers).contains(members), columns + members - 1 <= maximumColumns
            else { return false }
            let present = shape.children.reduce(0) { $0 + $1.shape.values + $1.shape.nulls }
            return present * 2 >= shape.objects * members
        }
    }
}
