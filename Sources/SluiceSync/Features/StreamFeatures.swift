package import SluicePipeline
import Synchronization

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
        self.init(stream, in: pipeline, TableSharing(of: pipeline))
    }

    private init(_ stream: StreamDefinition, in pipeline: PipelineDefinition, _ sharing: TableSharing) {
        guard let facts = StreamFacts(stream, in: pipeline, sharing) else {
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
        let sharing = TableSharing(of: pipeline)
        return Dictionary(pipeline.streams.map { ($0.name, StreamFeatures($0, in: pipeline, sharing)) }) { first, _ in
            first
        }
    }

    /// Why a feature is off as far as the pipeline tells, as sentences; none where it is on.
    package func reasons(against feature: StreamFeature) -> [String] { obstacles[feature]?.map(\.reason) ?? [] }

    /// Whether the stream has a feature, where the store knows no other source of its tables.
    package func has(_ feature: StreamFeature) -> Bool {
        obstacles[feature]?.allSatisfy(\.isOfStore) ?? false
    }
}

/// The features of all streams of a pipeline, found out when somebody asks for one of them.
final class PipelineFeatures: Sendable {
    private let pipeline: PipelineDefinition
    private let known = Mutex<[String: StreamFeatures]?>(nil)

    init(of pipeline: PipelineDefinition) { self.pipeline = pipeline }

    /// Whether a stream has a feature, where the store knows no other source of its tables.
    func has(_ feature: StreamFeature, _ stream: String) -> Bool {
        known.withLock { known in
            let features = known ?? StreamFeatures.all(of: pipeline)
            known = features
            return features[stream]?.has(feature) ?? false
        }
    }
}
