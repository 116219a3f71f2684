/// A pipeline `p` of records of `t` with fields that come and go, beside records of `g` to which they may refer.
extension TableScene {
    /// Writes the pipeline.
    ///
    /// - Parameters:
    ///   - fields: The fields of `T` behind `id`, and what else it has, each behind a comma.
    ///   - key: What identifies its records.
    ///   - child: The fields of `L`, which stand within it; nil for none.
    /// - Throws: An error of the file system.
    func writePipeline(_ fields: String, key: String = "id", child: String? = nil) throws {
        let child = child.map { "  L: {table: l, fields: {\($0)}}" } ?? ""
        try write(
            "p.yaml",
            """
            version: 1
            name: p
            source: {base_url: "file:."}
            entities:
              G: {table: g, primary_key: [id], fields: {id: int}}
              T: {table: t, primary_key: [\(key)], fields: {id: int\(fields)}}
            \(child)
            streams:
              - {name: g, entity: G, path: g.json}
              - name: t
                entity: T
                path: t.json
                schema_contract: {fields: ignore}
                delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            """)
    }
}
