package import SluicePipeline

/// The other pipelines of an invocation, as far as a run has to know of them.
package struct Companions: Sendable {
    /// The names of all pipelines of the invocation, none of which is an earlier name of another one.
    package let names: Set<String>
    /// The tables that others of them fill, in lower case: what one states today matters to what another one lists later.
    package let tables: Set<String>

    /// None.
    package static let none = Companions(of: "", among: [])

    /// - Parameters:
    ///   - name: The pipeline of the run.
    ///   - all: All pipelines of the invocation.
    package init(of name: String, among all: [PipelineDefinition]) {
        names = Set(all.map(\.name))
        tables = Set(all.filter { $0.name != name }.flatMap(\.entities).map { $0.table.lowercased() })
    }
}
