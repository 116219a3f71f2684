package import SluicePipeline

/// The features that a stream has, and why it has not the others.
package struct StreamFeatures: Sendable {
    private struct Obstacle: Sendable {
        var reason: String
        var isOfStore: Bool
    }

    private let obstacles: [StreamFeature: [Obstacle]]

    /// - Parameters:
    ///   - stream: The stream.
    ///   - pipeline: Its pipeline.
    package init(_ stream: StreamDefinition, in pipeline: PipelineDefinition) {
        guard let facts = StreamFacts(stream, in: pipeline) else {
            obstacles = Dictionary(
                uniqueKeysWithValues: StreamFeature.allCases.map {
                    ($0, [Obstacle(reason: "There is no entity `\(stream.entity)`.", isOfStore: false)])
                })
            return
        }
        obstacles = Dictionary(
            uniqueKeysWithValues: StreamFeature.allCases.map { feature in
                (
                    feature,
                    feature.conditions.compactMap { condition in
                        condition.reason(facts).map { Obstacle(reason: $0, isOfStore: condition.isOfStore) }
                    }
                )
            })
    }

    /// The features of all streams of a pipeline, by name.
    package static func all(of pipeline: PipelineDefinition) -> [String: StreamFeatures] {
        Dictionary(pipeline.streams.map { ($0.name, StreamFeatures($0, in: pipeline)) }) { first, _ in first }
    }

    /// Why a feature is off as far as the pipeline tells, as sentences; none where it is on.
    package func reasons(against feature: StreamFeature) -> [String] { obstacles[feature]?.map(\.reason) ?? [] }

    /// Whether the stream has a feature, where the store knows no other source of its tables.
    package func has(_ feature: StreamFeature) -> Bool {
        obstacles[feature]?.allSatisfy(\.isOfStore) ?? false
    }
}
