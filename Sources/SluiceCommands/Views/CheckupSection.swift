internal import SluiceDiscovery

/// What was found of one thing: the machine, or a pipeline.
struct CheckupSection {
    let title: String
    let findings: [CheckupFinding]
}
