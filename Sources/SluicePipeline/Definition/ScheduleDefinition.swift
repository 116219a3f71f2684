package import SluiceDiagnostics
package import SluiceSchedule

/// When a pipeline is due, and where its file says so.
package struct ScheduleDefinition: Sendable {
    /// When it is due, and which pipelines go first.
    package let pipeline: ScheduledPipeline
    /// The place of `after` in the file, or that of `schedule` where there is none.
    package let place: SourceLocation

    /// Makes a schedule of its parts.
    package init(pipeline: ScheduledPipeline, place: SourceLocation) {
        (self.pipeline, self.place) = (pipeline, place)
    }
}
