/// The pipeline over a server that is hard to read from.
enum HostileSource {
    /// - Parameters:
    ///   - url: The server.
    ///   - source: Further keys of the source, or nothing.
    ///   - stream: Further lines of the stream.
    ///   - deletes: How much of the store may be deleted.
    /// - Returns: The file's text, which needs the variable `KEY`.
    static func pipeline(_ url: String, source: String, stream: String, deletes: String) -> String {
        let more = source.isEmpty ? "" : ", " + source
        return """
            version: 1
            name: books
            store: sqlite:shop.db
            source:
              {base_url: "\(url)", headers: {X-Key: "${env:KEY}"}, retry: {max_attempts: 2, base: 1ms}\(more)}
            entities:
              Book:
                table: books
                primary_key: [id]
                fields: {id: int, title: string, price: decimal}
            streams:
              - name: books
                entity: Book
                path: /books
                delete_missing: {mode: hard, max_delete: \(deletes)}
                \(stream)
            """
    }
}
