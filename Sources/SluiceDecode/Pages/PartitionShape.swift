package import SluicePipeline

/// What tells the partitions of a stream apart, and what else its requests and records take from them.
package struct PartitionShape: Sendable, Hashable {
    /// The names of the parent's fields, those that tell partitions apart first.
    package let parentFields: [String]
    /// How many of them tell partitions apart.
    let parentKeyCount: Int
    /// The name of the parent's entity; empty where there is no parent.
    package let parentEntity: String
    /// The lists of `for_each`.
    package let lists: [StreamDefinition.ItemList]

    /// Nil where the stream asks once.
    package init?(_ stream: StreamDefinition, in pipeline: PipelineDefinition) {
        guard stream.isPartitioned else { return nil }
        var fields = stream.parent?.key ?? []
        parentKeyCount = fields.count
        var used = stream.requestTexts.flatMap(\.parts).compactMap(\.variable).filter { $0.name == .parent }
            .compactMap(\.member)
        for field in pipeline.entity(named: stream.entity)?.fields ?? [] {
            guard case .template(let template) = field.origin else { continue }
            for case .parent(let name) in template.parts { used.append(name) }
        }
        for name in used where stream.parent != nil && !fields.contains(name) { fields.append(name) }
        parentFields = fields
        parentEntity =
            stream.parent.flatMap { parent in pipeline.streams.first { $0.name == parent.stream } }?.entity ?? ""
        lists = stream.items
    }

    /// The shape of the records of a stream whose lists may have more.
    ///
    /// - Parameters:
    ///   - request: What is asked for the rest of a list.
    ///   - stream: The stream.
    ///   - entity: What its records are.
    package init(rest request: StreamDefinition, of stream: StreamDefinition, _ entity: EntityDefinition) {
        var fields = entity.primaryKey
        parentKeyCount = fields.count
        for variable in request.requestTexts.flatMap(\.parts).compactMap(\.variable) where variable.name == .parent {
            guard let name = variable.member, !fields.contains(name) else { continue }
            fields.append(name)
        }
        parentFields = fields
        parentEntity = entity.name
        lists = stream.items
    }

    /// Where a variable's value stands among those of a partition; nil where no partition has one.
    package func position(of variable: TemplateVariable) -> Int? {
        switch variable.name {
        case .parent: parentFields.firstIndex { $0 == variable.member }
        case .item: lists.firstIndex { $0.name == variable.member }.map { parentFields.count + $0 }
        default: nil
        }
    }

    /// The positions of the values that tell partitions apart.
    package var keyPositions: [Int] { Array(0..<parentKeyCount) + lists.indices.map { parentFields.count + $0 } }

    /// Every combination of the texts of `for_each`, the last list the fastest; one empty one where there is no list.
    package var combinations: [[String]] {
        lists.reduce([[]]) { combinations, list in
            combinations.flatMap { start in list.values.map { start + [$0] } }
        }
    }
}

extension StreamDefinition {
    /// Whether it asks for one thing after the other.
    package var isPartitioned: Bool { parent != nil || !items.isEmpty }

    /// The texts of its requests.
    var requestTexts: [ConfigurationText] {
        [path].compactMap { $0 } + parameters.map(\.value) + headers.map(\.value) + (body?.texts ?? [])
    }
}
