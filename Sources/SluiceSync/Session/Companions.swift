internal import SluiceModel
package import SluicePipeline

/// The other pipelines of an invocation, as far as a run has to know of them.
package struct Companions: Sendable {
    /// The names of all pipelines of the invocation, none of which is an earlier name of another one.
    package let names: Set<String>
    /// The tables that others of them fill, in lower case: what one states today matters to what another one lists later.
    package let tables: Set<String>
    /// The pipelines themselves.
    private let all: [PipelineDefinition]

    /// None.
    package static let none = Companions(of: "", among: [])

    /// - Parameters:
    ///   - name: The pipeline of the run.
    ///   - all: All pipelines of the invocation.
    package init(of name: String, among all: [PipelineDefinition]) {
        self.all = all
        names = Set(all.map(\.name))
        tables = Set(all.filter { $0.name != name }.flatMap(\.entities).map { $0.table.lowercased() })
    }

    /// Whether one of them redacts a column in a way.
    ///
    /// - Parameters:
    ///   - name: The pipeline that is meant.
    ///   - column: A column that it may fill.
    ///   - table: The table of the column.
    ///   - redaction: What is kept of the column's values, nil for the values themselves.
    /// - Returns: Whether the file of that pipeline says the same.
    func redacts(_ name: String, _ column: String, of table: String, as redaction: FieldRedaction?) -> Bool {
        let entities = all.filter { $0.name == name }.flatMap(\.entities)
        return entities.contains { entity in
            ColumnName.areSame(entity.table, table)
                && entity.fields.contains { ColumnName.areSame($0.column, column) && $0.redaction == redaction }
        }
    }
}
