/// What a stream's records were kept under before something was renamed; nil is what was not.
package struct FormerNames: Sendable, Hashable {
    /// The pipeline's name.
    package var pipeline: String?
    /// The stream's name.
    package var stream: String?
    /// The entity's name.
    package var entity: String?
    /// The table.
    package var table: String?

    /// Makes names, none of which was another one.
    package init() {}
}

extension RecordSchema {
    /// Whether anything of it may have had another name.
    package var hasFormerNames: Bool { formerly != FormerNames() || fields.contains { !$0.formerNames.isEmpty } }

    /// Every source that this one may have been called, those with the most new names first; itself is not among them.
    package var formerSources: [RecordMapping] {
        let entities = [entity, formerly.entity].compactMap { $0 }
        let streams = [stream, formerly.stream].compactMap { $0 }
        let pipelines = [pipeline, formerly.pipeline].compactMap { $0 }
        let all = pipelines.flatMap { pipeline in
            streams.flatMap { stream in
                entities.map { RecordMapping(pipeline: pipeline, stream: stream, entity: $0) }
            }
        }
        return all.filter { $0 != source }
    }
}
