internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

extension EntityFamilies {
    /// The families of a pipeline's entities as the store knows them.
    ///
    /// - Throws: `StoreError`.
    init(of pipeline: String, in store: any RecordStore) throws {
        let reader = HistoryReader(store: store)
        let mappings = try store.mappings(pipeline: pipeline, entity: nil)
        var parents: [String: String] = [:]
        for mapping in mappings {
            for child in try store.children(of: mapping) { parents[child.entity] = mapping.entity }
        }
        var members: [Member] = []
        for mapping in mappings {
            guard let schema = try reader.table(mapping)?.schema, !members.contains(where: { $0.name == schema.entity })
            else { continue }
            members.append(
                Member(
                    schema.entity, table: schema.table, key: schema.keyFields.map { schema.fields[$0].name },
                    parent: parents[schema.entity]))
        }
        self.init(members)
    }
}
