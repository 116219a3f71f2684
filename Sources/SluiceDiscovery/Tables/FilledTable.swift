package import SluiceModel
package import SluiceStore

/// What a store knows of a table that pipelines fill.
package struct FilledTable: Sendable {
    /// What fills it.
    package let sources: [RecordMapping]
    /// What that one of them takes which takes most: fields with their types, references, and tables of links; nil where that is not known.
    package let schema: RecordSchema?
    /// Where its columns come from.
    private let columns: [StoredTable.Column]

    /// Makes one.
    package init(sources: [RecordMapping], schema: RecordSchema?, columns: [StoredTable.Column]) {
        (self.sources, self.schema, self.columns) = (sources, schema, columns)
    }
}

extension FilledTable {
    /// The field that fills a column; nil where none does.
    func field(of column: AdoptableTable.Column) -> RecordSchema.Field? {
        guard let schema, let index = schema.field(ofColumn: column.name), !schema.fields[index].isLink else {
            return nil
        }
        return schema.fields[index]
    }

    /// Why no field fills a column, as a comment; nil where one does.
    func note(of column: AdoptableTable.Column) -> String? {
        switch columns.first(where: { $0.name == column.name })?.origin {
        case .given(let fields):
            "left by field \(Set(fields.map(\.name)).sorted().joined(separator: ", ")), which was given up"
        case .mark: "marks deleted rows"
        case .own: "your own column, which nothing fills"
        case .fields, .link, nil: nil
        }
    }

    /// The reference that a column alone holds; nil where it holds none.
    func reference(in column: AdoptableTable.Column) -> RecordReference? {
        schema?.references.first { reference in
            reference.link == nil && reference.onDangling != .owner && reference.fields.count == 1
                && reference.fields[0] == schema?.field(ofColumn: column.name)
        }
    }

    /// The references that lead to several records, each with the table of its links.
    var links: [(reference: RecordReference, link: RecordLink)] {
        schema?.references.compactMap { reference in reference.link.map { (reference, $0) } } ?? []
    }

    /// Whether its names tell the fields of a table apart: columns of people may be called as fields of other columns are.
    func names(_ table: AdoptableTable) -> Bool {
        let names = table.columns.map { field(of: $0)?.name ?? $0.name } + links.map(\.reference.name)
        return Set(names).count == names.count
    }
}
