/// Problems as they are found; sorting is left to the edge.
///
/// The same problem found twice, as in a value that several streams share, is kept once.
package struct DiagnosticList: Sendable {
    /// The problems in the order in which they were found.
    package private(set) var diagnostics: [Diagnostic] = []
    private var known: Set<Diagnostic> = []

    /// Makes an empty list.
    package init() {}

    /// Adds a problem, unless the list has it.
    package mutating func append(_ diagnostic: Diagnostic) {
        if known.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    /// Adds problems, but none that the list has.
    package mutating func append(contentsOf diagnostics: some Sequence<Diagnostic>) {
        for diagnostic in diagnostics { append(diagnostic) }
    }

    /// Whether any of them is an error.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The problems by file and position; those without a location come first, equals keep their order.
    package var sorted: [Diagnostic] {
        let numbered = diagnostics.enumerated().sorted { left, right in
            switch (left.element.location, right.element.location) {
            case (nil, _?): return true
            case (_?, nil): return false
            case (let leftLocation?, let rightLocation?) where leftLocation != rightLocation:
                return leftLocation < rightLocation
            default: return left.offset < right.offset
            }
        }
        return numbered.map(\.element)
    }
}
