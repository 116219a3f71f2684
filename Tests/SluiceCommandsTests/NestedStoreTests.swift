import Testing

/// What a store says of records that stand within others or refer to them.
@Suite struct NestedStoreTests {
    private func tracker() throws -> Workshop {
        let shop = try Workshop()
        try shop.write(
            """
            version: 1
            name: tracker
            source: {base_url: "file:."}
            entities:
              User: {table: users, primary_key: [id], fields: {id: int}}
              Label: {table: labels, primary_key: [id], fields: {id: int, name: string}}
              Issue:
                table: issues
                primary_key: [id]
                fields:
                  id: int
                  author: {ref: User, from: author, upsert: false}
                  labels: {refs: Label, from: "labels[*]"}
                children:
                  comments: {entity: Comment, from: "comments[*]", key: [id]}
              Comment: {fields: {id: int, text: string}}
            streams:
              - {name: issues, entity: Issue, path: issues.json, delete_missing: {mode: hard, max_delete: 100%}}
              - {name: users, entity: User, path: users.json}
            """, to: "shop.yaml")
        try shop.write(#"[{"id":7}]"#, to: "users.json")
        try shop.write(
            #"""
            [{"id":1,"author":42,"labels":[{"id":5,"name":"x"}],"comments":[{"id":1,"text":"a"},{"id":2,"text":"b"}]},
             {"id":2,"author":7,"labels":[9],"comments":[]}]
            """#, to: "issues.json")
        let run = shop.sluice("run", shop.pipeline)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        return shop
    }

    @Test func runsAreCountedByEntity() throws {
        let shop = try tracker()
        try shop.write(
            #"""
            [{"id":1,"author":42,"labels":[{"id":5,"name":"y"}],"comments":[{"id":2,"text":"c"},{"id":3,"text":"d"}]},
             {"id":2,"author":7,"labels":[9],"comments":[]}]
            """#, to: "issues.json")
        _ = shop.sluice("run", shop.pipeline, "-q")
        let lines = shop.sluice("history").output.split(separator: "\n")
        #expect(
            lines.first?.hasSuffix(
                "  3 unchanged; Comment: 1 inserted, 1 updated, 1 deleted; Label: 1 updated") == true, "\(lines)")
        #expect(lines.last?.hasSuffix("  3 inserted; Comment: 2 inserted; Label: 1 inserted") == true, "\(lines)")
        #expect(
            shop.sluice("status").output.contains(
                """

                         3 unchanged
                         Comment: 1 inserted, 1 updated, 1 deleted
                         Label: 1 updated

                """))
        let json = shop.sluice("history", "--format", "json").output
        let counts = #""entities":{"Comment":{"insert":2,"update":0,"delete":0,"#
        #expect(json.contains(counts), "\(json)")
        #expect(shop.sluice("status", "--format", "json").output.contains(#""entities":{"Comment":{"insert":1,"#))
        // A run that changes nothing writes nothing of it.
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(shop.sluice("status").output.contains("\n         3 unchanged\n         took "))
    }

    /// What waits within records is counted by runs that change nothing too.
    @Test func aConflictWithinIsCountedWhileItIsOpen() throws {
        let shop = try tracker()
        try shop.sql("UPDATE comment SET text = 'mine' WHERE id = 1")
        try shop.write(
            #"""
            [{"id":1,"author":42,"labels":[{"id":5,"name":"x"}],"comments":[{"id":1,"text":"z"},{"id":2,"text":"b"}]},
             {"id":2,"author":7,"labels":[9],"comments":[]}]
            """#, to: "issues.json")
        for round in 1...2 {
            _ = shop.sluice("run", shop.pipeline, "-q")
            let line = shop.sluice("history", "--limit", "1").output
            #expect(line.contains("  3 unchanged; Comment: 1 in conflict, 1 unchanged\n"), "\(round): \(line)")
            let status = shop.sluice("status").output
            #expect(
                status.contains("\n         3 unchanged\n         Comment: 1 in conflict, 1 unchanged\n"), "\(status)")
        }
        _ = shop.sluice("conflicts", "resolve", "1", "--take", "local")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(!shop.sluice("history", "--limit", "1").output.contains("Comment"))
    }

    @Test func theTextOfARunTellsWhichLinksChange() throws {
        let shop = try tracker()
        try shop.write(
            #"[{"id":1,"author":42,"labels":[{"id":6,"name":"z"}]},{"id":2,"author":7,"labels":[9]}]"#,
            to: "issues.json")
        let plan = shop.sluice("plan", shop.pipeline).output
        #expect(plan.contains("~ Issue 1\n    labels  + 6\n            - 5\n"), "\(plan)")
    }

    @Test func whatIsNotThereYetIsShownAsWaiting() throws {
        let shop = try tracker()
        let text = shop.sluice("inspect", "record", "Issue", "1").output
        #expect(text.contains("    author  42   waits for 42 of users, not linked yet; run 1, 2"), "\(text)")
        #expect(text.contains("    labels  [5]  run 1, 2"), "\(text)")
        let other = shop.sluice("inspect", "record", "Issue", "2").output
        #expect(other.contains("    author  7    run 1, 2"), "\(other)")
        #expect(other.contains("    labels  [9]  waits for 9 of labels, not linked yet; run 1, 2"), "\(other)")
        let json = shop.sluice("inspect", "record", "Issue", "1", "--format", "json").output
        #expect(
            json.contains(
                #"{"field":"author","value":42,"base":42,"edited":false,"run":1,"waits_for":[[42]],"waits_for_table":"users"}"#
            ), "\(json)")
        try shop.sql("INSERT INTO users VALUES (42)")
        _ = shop.sluice("run", shop.pipeline, "-q")
        #expect(!shop.sluice("inspect", "record", "Issue", "1").output.contains("waits for"))
    }
}
