/// What one run of a stream asks for, to be shared between workers.
package struct SharedPlan: Sendable {
    /// The pipeline.
    package let pipeline: String
    /// The stream.
    package let stream: String
    /// What its requests are made from: who has another definition reads nothing of it.
    package let definition: ShareDefinition
    /// When the run began, RFC 3339.
    package let startedAt: String
    /// What all of it comes to: an attempt that has the same goes on where the one before was lost.
    package let digest: String
    /// The partitions in their order, each as text.
    package let partitions: [String]

    /// Makes a value of its parts.
    package init(
        pipeline: String, stream: String, definition: ShareDefinition, startedAt: String, digest: String,
        partitions: [String]
    ) {
        (self.pipeline, self.stream, self.definition) = (pipeline, stream, definition)
        (self.startedAt, self.digest, self.partitions) = (startedAt, digest, partitions)
    }
}

/// A stream whose partitions several workers read for one run.
package struct PartitionShare: Hashable, Sendable {
    /// Its number, which no other one ever has.
    package let id: Int64
    /// The pipeline.
    package let pipeline: String
    /// The stream.
    package let stream: String
    /// What its requests are made from, as ``ShareDefinition/sealed``.
    package let definition: String
    /// When the run began, RFC 3339: for all who read for it.
    package let startedAt: String
    /// For how many seconds a partition is a reader's that is not heard of.
    package let lease: Double

    /// Makes a value of its parts.
    package init(
        id: Int64, pipeline: String, stream: String, definition: String, startedAt: String, lease: Double
    ) {
        (self.id, self.pipeline, self.stream) = (id, pipeline, stream)
        (self.definition, self.startedAt, self.lease) = (definition, startedAt, lease)
    }
}

/// A program that reads partitions.
package struct PartitionClaimant: Hashable, Sendable {
    /// For whom it reads.
    package enum Role: Sendable {
        /// For its own run: it reads also what helpers could not read.
        case run
        /// For the run of another service. What it cannot read it gives back.
        case helper
    }

    /// Its name, which no other one ever has.
    package let id: String
    /// The worker that has it read.
    package let worker: String
    /// For whom it reads.
    package let role: Role

    /// Makes a value of its parts.
    package init(id: String, worker: String, role: Role) { (self.id, self.worker, self.role) = (id, worker, role) }
}

/// The right to read a partition, of which there is one at a time.
package struct PartitionClaim: Hashable, Sendable {
    /// That a helper could not read a partition.
    package struct GivenBack: Hashable, Sendable {
        /// What it says of it, as text.
        package let text: String
        /// Where it is, for people; empty where that is not known.
        package let place: String

        /// Makes a value of its parts.
        package init(text: String, place: String) { (self.text, self.place) = (text, place) }
    }

    /// Where the partition stands in the plan, from 0.
    package let position: Int
    /// A number that grows with each claim of the partition.
    package let token: Int64
    /// The partition as text.
    package let partition: String
    /// That a helper had it before and gave it back; nil where none did.
    package let givenBack: GivenBack?

    /// Makes a value of its parts.
    package init(position: Int, token: Int64, partition: String, givenBack: GivenBack? = nil) {
        (self.position, self.token, self.partition, self.givenBack) = (position, token, partition, givenBack)
    }
}

/// What became of a partition.
package struct PartitionAnswer: Sendable {
    /// What is known of it.
    package enum State: String, Sendable {
        /// Nobody has read it yet. Where a helper says something of it, the helper could not, and gives it back to the run.
        case open
        /// Its pages are here.
        case read
        /// It could not be read.
        case failed
    }

    /// Where the partition stands in the plan, from 0.
    package let position: Int
    /// What is known of it.
    package let state: State
    /// What its reader says of it, as text.
    package let text: String
    /// Where its reader is, for people; empty where that is not known.
    package let place: String

    /// Makes a value of its parts.
    package init(position: Int, state: State, text: String, place: String) {
        (self.position, self.state, self.text, self.place) = (position, state, text, place)
    }
}

/// A page of a partition, as it waits in a store.
package struct SharedPage: Sendable {
    /// The page's name for messages.
    package let name: String
    /// The bytes, packed.
    package let packed: [UInt8]
    /// How many bytes they were.
    package let count: Int

    /// Makes a value of its parts.
    package init(name: String, packed: [UInt8], count: Int) {
        (self.name, self.packed, self.count) = (name, packed, count)
    }
}
