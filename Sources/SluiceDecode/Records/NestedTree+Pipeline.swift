package import SluiceJSON
internal import SluiceModel
package import SluicePipeline

extension NestedTree {
    /// Finds what stands within the records of a stream.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - stream: The stream.
    ///   - entity: The stream's entity.
    /// - Throws: ``SyncError`` where a default or a mapped value does not fit its field.
    package init?(
        pipeline: PipelineDefinition, stream: StreamDefinition, entity: EntityDefinition
    ) throws {
        var builder = Builder(pipeline: pipeline, stream: stream)
        try builder.visit(entity, part: nil)
        if builder.parts.isEmpty { return nil }
        self.init(parts: builder.parts, branches: builder.branches)
    }

    /// The entities whose records a stream fills besides its own, by name.
    package static func entities(of stream: StreamDefinition, in pipeline: PipelineDefinition) -> Set<String> {
        var found: Set<String> = []
        func visit(_ name: String) {
            guard let entity = pipeline.entity(named: name) else { return }
            let targets = entity.references.filter { $0.upsert != false }.map(\.target)
            for below in targets + entity.children.map(\.entity) where below != stream.entity {
                if found.insert(below).inserted { visit(below) }
            }
        }
        visit(stream.entity)
        return found
    }

    private struct Builder {
        let pipeline: PipelineDefinition
        let stream: StreamDefinition
        var parts: [Part] = []
        var branches: [[Branch]] = [[]]
        private var known: [String: Int] = [:]
        /// For each part the place of its records within those of the stream; nil where these may stand in several.
        private var places: [[JSONPath.Step]?] = []

        init(pipeline: PipelineDefinition, stream: StreamDefinition) {
            self.pipeline = pipeline
            self.stream = stream
        }

        mutating func visit(_ entity: EntityDefinition, part: Int?) throws {
            for reference in entity.references where reference.upsert != false {
                // A stream's own records are not taken from within others of them, whose last word they are not.
                guard reference.target != stream.entity, let target = pipeline.entity(named: reference.target),
                    target.parent == nil
                else { continue }
                let index = try known[target.name] ?? add(target, child: nil, owner: nil)
                branches[(part ?? -1) + 1].append(
                    Branch(
                        part: index, path: reference.path, hasEntries: false,
                        field: entity.fields.firstIndex { $0.name == reference.fields.first }))
            }
            for child in entity.children {
                guard known[child.entity] == nil, let target = pipeline.entity(named: child.entity) else { continue }
                let path = part == nil ? stream.place(of: child) : child.path
                let above = part == nil ? [] : part.flatMap { places[$0] }
                let steps =
                    path.isPlain ? above.map { $0 + path.steps + (child.entries == nil ? [] : [.wildcard]) } : nil
                let index = try add(target, child: child, owner: part, at: steps)
                let list = part == nil ? stream.nested.firstIndex { $0.entity == child.entity } : nil
                branches[(part ?? -1) + 1].append(
                    Branch(
                        part: index, path: path,
                        hasEntries: child.entries != nil, field: nil, list: list,
                        asksForMore: list.map { stream.nested[$0].more != nil } ?? false))
            }
        }

        /// Adds a part, and what stands within its records. Where `place` is nil, nobody watches their keys.
        private mutating func add(
            _ entity: EntityDefinition, child: ChildDefinition?, owner: Int?, at place: [JSONPath.Step]? = nil
        ) throws -> Int {
            let source = stream
            var stream = stream
            // How a stream writes is said of its own records and of what belongs to them.
            if child == nil { stream.writeMode = .merge }
            let isOrdered = child?.isOrdered ?? false
            let isPositional = isOrdered || child != nil && owner.map { parts[$0].isPositional } ?? false
            var schema = RecordSchema(pipeline: pipeline, stream: stream, entity: entity)
            // Who is the element of a place says all of it.
            if isPositional { for field in schema.fields.indices { schema.fields[field].defaultFillsGap = false } }
            let plan = try DecodePlan(
                entity: entity, schema: schema, entriesKey: child?.entries, types: stream.schemaContract.types,
                isPositional: isPositional, within: place.map { (source, $0) })
            let index = parts.count
            places.append(place)
            parts.append(
                Part(
                    plan: plan, isChild: child != nil, owner: owner,
                    outlivesOwner: child?.onParentDelete == .keep, isOrdered: isOrdered))
            branches.append([])
            known[entity.name] = index
            try visit(entity, part: index)
            return index
        }
    }
}

extension StreamDefinition {
    /// The path to the records of a child within the stream's own ones.
    package func place(of child: ChildDefinition) -> JSONPath {
        nested.first { $0.entity == child.entity }?.place ?? child.path
    }
}
