/// A service that runs pipelines, alone or together with others.
///
/// Moments are those of the store's server where it has one.
package struct ServedWorker: Sendable, Hashable {
    /// What a worker runs.
    package struct Task: Sendable, Hashable {
        /// The pipeline.
        package let pipeline: String
        /// The due time; nil where somebody asked for the run.
        package let due: Int64?
        /// Since when.
        package let since: Int64
        /// Whether it reads partitions of a run that another worker has.
        package let helps: Bool

        /// Says what is run.
        package init(pipeline: String, due: Int64?, since: Int64, helps: Bool = false) {
            (self.pipeline, self.due, self.since, self.helps) = (pipeline, due, since, helps)
        }
    }

    /// Its name, which no other one has.
    package let id: String
    /// Where it is: the machine and the process.
    package let place: String
    /// How many runs it does at a time.
    package let slots: Int
    /// When it came.
    package let startedAt: Int64
    /// When it was heard of last.
    package let seenAt: Int64
    /// After how many seconds of silence others take its runs over; nil where there are no others.
    package var lease: Double?
    /// Whether it has been silent for longer.
    package var isLate = false
    /// Whether it is this service.
    package var isThis = false
    /// What it runs, by pipeline.
    package var tasks: [Task] = []

    /// Makes a worker that runs nothing.
    package init(id: String, place: String, slots: Int, startedAt: Int64, seenAt: Int64) {
        (self.id, self.place, self.slots) = (id, place, slots)
        (self.startedAt, self.seenAt) = (startedAt, seenAt)
    }
}
