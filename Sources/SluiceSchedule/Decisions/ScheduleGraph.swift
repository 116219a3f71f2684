/// Scheduled pipelines, each after those that it waits for.
package struct ScheduleGraph: Sendable {
    /// A pipeline that waits for something that never comes.
    package struct Problem: Error, Hashable, Sendable {
        /// Why it never comes.
        package enum Kind: Sendable {
            /// No pipeline of that name is scheduled.
            case unknown
            /// It waits for this one in turn.
            case cycle
        }

        /// Why it never comes.
        package let kind: Kind
        /// The pipeline that waits.
        package let pipeline: String
        /// What is wrong, and what to do.
        package let error: ScheduleError
    }

    /// The pipelines, each after those that it waits for.
    package let pipelines: [ScheduledPipeline]
    private let places: [String: Int]

    /// Orders pipelines.
    ///
    /// - Parameter pipelines: The pipelines, of which no two have one name.
    /// - Throws: The first of ``problems(of:)``.
    package init(_ pipelines: [ScheduledPipeline]) throws(Problem) {
        if let problem = Self.problems(of: pipelines).first { throw problem }
        self.init(ordering: pipelines)
    }

    /// Orders pipelines, without those that wait for each other. One that waits for what is not there is never run.
    ///
    /// - Parameter pipelines: The pipelines, of which no two have one name.
    package init(leavingOutCycles pipelines: [ScheduledPipeline]) {
        var walk = Walk(pipelines)
        for pipeline in pipelines { walk.visit(pipeline.name) }
        let circling = Set(walk.cycles.joined())
        self.init(ordering: pipelines.filter { !circling.contains($0.name) })
    }

    private init(ordering pipelines: [ScheduledPipeline]) {
        var walk = Walk(pipelines)
        for pipeline in pipelines { walk.visit(pipeline.name) }
        self.pipelines = walk.order
        places = Dictionary(walk.order.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The pipeline of a name.
    package func pipeline(named name: String) -> ScheduledPipeline? { places[name].map { pipelines[$0] } }

    /// What pipelines wait for in vain: pipelines that are not scheduled, and each other.
    package static func problems(of pipelines: [ScheduledPipeline]) -> [Problem] {
        let names = Set(pipelines.map(\.name))
        let unknown = pipelines.flatMap { pipeline in
            pipeline.after.filter { !names.contains($0) }.map { name in
                Problem(
                    kind: .unknown, pipeline: pipeline.name,
                    error: ScheduleError(
                        field: "after", value: name, reason: "no pipeline of that name is scheduled here",
                        remedy: "give the file of that pipeline and a `schedule` in it, or leave the name out"))
            }
        }
        var walk = Walk(pipelines)
        for pipeline in pipelines { walk.visit(pipeline.name) }
        return unknown
            + walk.cycles.map { cycle in
                Problem(
                    kind: .cycle, pipeline: cycle[0],
                    error: ScheduleError(
                        field: "after", value: (cycle + [cycle[0]]).joined(separator: " → "),
                        reason: "each waits for the next one, so that none is ever run",
                        remedy: "leave one of these names out of `after`"))
            }
    }

    /// A walk from each pipeline to those that it waits for.
    private struct Walk {
        private let known: [String: ScheduledPipeline]
        private var done: Set<String> = []
        /// The pipelines between the first one and where the walk is now.
        private var path: [String] = []
        private(set) var order: [ScheduledPipeline] = []
        private(set) var cycles: [[String]] = []

        init(_ pipelines: [ScheduledPipeline]) {
            known = Dictionary(pipelines.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        mutating func visit(_ name: String) {
            if let place = path.firstIndex(of: name) {
                cycles.append(Array(path[place...]))
                return
            }
            guard let pipeline = known[name], done.insert(name).inserted else { return }
            path.append(name)
            for other in pipeline.after { visit(other) }
            path.removeLast()
            order.append(pipeline)
        }
    }
}
