package import SluiceModel

/// What a stream asks for in one run, and what it leaves out.
package struct PartitionPlan: Sendable {
    /// Why a partition is not asked for.
    package struct Obstacle: Sendable {
        package var partition: Partition
        /// The rest of a sentence that begins with the partition.
        package var reason: String
        /// Whether it would be asked for but for this, so that it is as soon as that is over.
        package var isDue: Bool

        /// Makes a value of its parts.
        package init(partition: Partition, reason: String, isDue: Bool = false) {
            self.partition = partition
            self.reason = reason
            self.isDue = isDue
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
    /// Those whose parents may have other texts by now, in what could not be read of their stream. They are asked for, or
    /// left out as unchanged, and what they show proves nothing.
    package var doubted: Set<Partition> = []
    /// Whether the source may have parents that are not among these, into which records of these may have moved.
    package var mayLackParents = false
    /// The keys of those whose parents the source has left out, and which stay until that is confirmed or decided. One that is
    /// not there either holds nothing.
    package var absent: Set<ExactText> = []
    /// The last run that changed a parent; 0 where there is none.
    package var latestChange: Int64 = 0

    package init(shape: PartitionShape) { self.shape = shape }

    /// Those that are there, whatever becomes of them.
    package var all: [Partition] { asked + unasked + obstacles.map(\.partition) }
}
