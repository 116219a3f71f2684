internal import SluiceDiagnostics
internal import SluicePipeline
internal import SluiceSchedule

/// What the schedules of several pipelines do not agree on.
enum ScheduleProblems {
    /// Pipelines that wait for each other; an error, since none of them would ever be run.
    static func cycles(of pipelines: [PipelineDefinition]) -> [Diagnostic] {
        problems(of: pipelines, .cycle)
    }

    /// The same, and a warning for each pipeline that is waited for and has no schedule among these.
    static func all(of pipelines: [PipelineDefinition]) -> [Diagnostic] {
        cycles(of: pipelines) + problems(of: pipelines, .unknown)
    }

    private static func problems(
        of pipelines: [PipelineDefinition], _ kind: ScheduleGraph.Problem.Kind
    ) -> [Diagnostic] {
        let found = ScheduleGraph.problems(of: pipelines.compactMap { $0.schedule?.pipeline })
        return found.filter { $0.kind == kind }.map { problem in
            Diagnostic(
                code: kind == .cycle ? "schedule_cycle" : "unknown_pipeline",
                severity: kind == .cycle ? .error : .warning,
                summary: kind == .cycle ? "Schedules in a circle" : "Unknown pipeline",
                detail: "`schedule.after`, `\(problem.error.value)`: \(problem.error.reason).",
                location: pipelines.first { $0.name == problem.pipeline }?.schedule?.place,
                help: problem.error.remedy.prefix(1).uppercased() + problem.error.remedy.dropFirst() + ".")
        }
    }
}
