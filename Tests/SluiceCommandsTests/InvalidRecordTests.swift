import Testing

/// What is told of records that cannot be taken.
@Suite struct InvalidRecordTests {
    /// A plan puts nothing into the quarantine, so nothing is there to be listed.
    @Test func aPlanThatLeavesSomeOutSaysHowToListThem() throws {
        let shop = try Workshop()
        try shop.writePipeline()
        try shop.write(#"[{"id":"a"},{"id":"b"},{"id":"c"}]"#, to: "books.json")
        let more = "… and 2 more invalid records; "
        let plan = shop.sluice("plan", shop.pipeline, "--changes", "1").output
        #expect(plan.contains(more + "list more with `--changes N` or `--changes all`"), "\(plan)")
        #expect(!plan.contains("quarantine list"), "\(plan)")
        let run = shop.sluice("run", shop.pipeline, "--changes", "1").output
        #expect(run.contains(more + "see `sluice quarantine list"), "\(run)")
    }

    /// What an object within a record lacks is named by its place in the record.
    @Test func aFieldOfAnObjectWithinIsNamedByItsPlace() throws {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: shop
            source: {base_url: "file:."}
            entities:
              Concert: {table: concerts, primary_key: id, fields: {id: int, artist: {ref: Artist}}}
              Artist:
                table: artists
                primary_key: slug
                fields: {slug: string, name: {type: string, required: true}}
            streams: [{name: concerts, entity: Concert, path: concerts.json}]
            """, to: "shop.yaml")
        try shop.write(#"[{"id":1,"artist":{"slug":"wanda"}}]"#, to: "concerts.json")
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(plan.contains("/artist/name") && plan.contains("The required field `name`"), "\(plan)")
    }
}
