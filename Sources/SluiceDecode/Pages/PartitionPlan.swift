/// What a stream asks for in one run, and what it leaves out.
package struct PartitionPlan: Sendable {
    /// Why a partition is not asked for.
    package struct Obstacle: Sendable {
        package var partition: Partition
        /// The rest of a sentence that begins with the partition.
        package var reason: String

        /// Makes a value of its parts.
        package init(partition: Partition, reason: String) {
            self.partition = partition
            self.reason = reason
        }
    }

    package let shape: PartitionShape
    /// What is asked for, in the order of the keys.
    package var asked: [Partition] = []
    /// What is there and did not change.
    package var unasked: [Partition] = []
    /// What cannot be asked for.
    package var obstacles: [Obstacle] = []
    /// How far each was read before; nil for a stream that is read as a whole.
    package var cursors: PartitionCursors?
    /// Whether what is not among these is not there any more.
    package var isExhaustive = true
    /// Whether a parent with other texts is another parent.
    package var keyIsStable = true
    /// Whether parents may have other texts by now, in what could not be read of their stream, and nothing tells which.
    package var mayMislead = false
    /// The last run that changed a parent; 0 where there is none.
    package var latestChange: Int64 = 0

    package init(shape: PartitionShape) { self.shape = shape }
}
