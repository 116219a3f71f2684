/// What a stream asks for in one run, and what it leaves out.
struct PartitionPlan: Sendable {
    /// Why a partition is not asked for.
    struct Obstacle: Sendable {
        var partition: Partition
        /// The rest of a sentence that begins with the partition.
        var reason: String
    }

    let shape: PartitionShape
    /// What is asked for, in the order of the keys.
    var asked: [Partition] = []
    /// What is there and did not change.
    var unasked: [Partition] = []
    /// What cannot be asked for.
    var obstacles: [Obstacle] = []
    /// How far each was read before; nil for a stream that is read as a whole.
    var cursors: PartitionCursors?
    /// Whether what is not among these is not there any more.
    var isExhaustive = true
    /// Whether a parent with other texts is another parent.
    var keyIsStable = true
    /// The last run that changed a parent; 0 where there is none.
    var latestChange: Int64 = 0

    init(shape: PartitionShape) { self.shape = shape }
}
