internal import SluiceDecode
internal import SluiceReview
internal import SluiceServeModel
internal import SluiceStore

/// What a pipeline knows of a record.
struct FoundLife {
    let pipeline: ServedPipeline
    let life: RecordLife
}

/// Looks records up.
struct RecordFinder {
    let site: WebSite

    /// What pipelines know of a record.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - key: The key as a person gives it, or as a JSON object.
    ///   - name: The only pipeline to ask, nil for all.
    /// - Returns: What each stream knows; nothing where none does.
    /// - Throws: ``Refusal`` where no pipeline has such an entity, or the key does not fit.
    func lives(entity: String, key: String, pipeline name: String?) throws -> [FoundLife] {
        let pipelines = try name.map { [try site.pipeline($0)] } ?? site.control.status().pipelines
        var found: [FoundLife] = []
        var problem: Refusal? = Refusal.notFound("No pipeline has an entity `\(entity)`.")
        for pipeline in pipelines {
            do {
                let lives = try site.stores.read(pipeline) {
                    try $0.spellKeys()
                    return try RecordInspector(store: $0).lives(entity: entity, key: key, pipelines: [pipeline.name])
                }
                found += (lives ?? []).map { FoundLife(pipeline: pipeline, life: $0) }
                if lives != nil { problem = nil }
            } catch KeyProblem.entity {
                continue
            } catch KeyProblem.key(let expected, let example) {
                let words = example.map { ", for example `\($0)`" } ?? ""
                problem = .badRequest("The key of \(entity) is given as \(expected)\(words); `\(key)` does not fit.")
            }
        }
        if found.isEmpty, let problem { throw problem }
        return found
    }
}
