package import SluiceModel
package import SluiceStore

/// The order in which the sources of a pipeline go, and since when it holds.
package struct KeptOrder: StateValue, Hashable {
    package var order: SourceOrder
    /// The first run that merged by it; 0 where no other one is known.
    package var since: Int64

    package init(_ order: SourceOrder, since: Int64) {
        (self.order, self.since) = (order, since)
    }

    /// Reads the run's number, then a source a line: with its entity where it gives records only within others.
    package init?(stateText: String) {
        var lines = stateText.split(separator: "\n")[...]
        guard let since = lines.popFirst().flatMap({ Int64($0) }) else { return nil }
        self.init(SourceOrder(), since: since)
        for line in lines {
            let parts = line.split(separator: "/").map(String.init)
            switch parts.count {
            case 2: order.paths.append(String(line))
            case 3: order.embedded.append(RecordMapping(pipeline: parts[0], stream: parts[1], entity: parts[2]))
            default: return nil
            }
        }
    }

    package var stateText: String? {
        ([String(since)] + order.paths + order.embedded.map { "\($0.path)/\($0.entity)" }).joined(separator: "\n")
    }
}

extension StateKey<KeptOrder> {
    /// The order among the sources of the stream's table when it was merged last, and since when it holds.
    package static var order: StateKey<KeptOrder> { StateKey<KeptOrder>(.order) }
}
