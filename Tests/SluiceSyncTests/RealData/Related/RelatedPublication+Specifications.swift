extension RelatedPublication {
    /// Series that name their current member, chains in both directions, and groups that many share.
    static let specifications = RelatedPublication(
        name: "browser-specs",
        pipeline: """
            version: 1
            name: specifications
            source: {base_url: "file:BASE"}
            entities:
              Specification:
                table: specifications
                primary_key: shortname
                fields:
                  shortname: string
                  title: string
                  series: {ref: Series}
                  next: {ref: Specification, from: seriesNext, on_missing: set_null}
                  previous: {ref: Specification, from: seriesPrevious, on_missing: set_null}
                  origin: {ref: Specification, from: forkOf, on_missing: set_null}
                  successors: {refs: Specification, from: "obsoletedBy[*]", via: successors, on_missing: set_null}
                  groups: {refs: Group, via: owners}
              Series:
                table: series
                primary_key: shortname
                fields: {shortname: string, title: string, current: {ref: Specification, from: currentSpecification}}
              Group: {table: groups, primary_key: url, fields: {url: url, name: string}}
            streams:
              - name: specifications
                entity: Specification
                path: index.json
                delete_missing: {mode: hard, max_delete: 100%}
            """,
        tables: [
            Table(
                origin: .stream("specifications"), key: 1,
                stored: """
                    SELECT shortname, title, series_shortname, next_shortname, previous_shortname, origin_shortname,
                    (SELECT group_concat(x) FROM (SELECT successors_shortname AS x FROM successors
                    WHERE specification_shortname = shortname ORDER BY 1)),
                    (SELECT group_concat(x) FROM (SELECT group_url AS x FROM owners
                    WHERE specification_shortname = shortname ORDER BY 1)) FROM specifications
                    """,
                published: """
                    SELECT s.value->>'shortname', s.value->>'title', s.value->>'$.series.shortname',
                    s.value->>'seriesNext', s.value->>'seriesPrevious', s.value->>'forkOf',
                    (SELECT group_concat(value) FROM (SELECT value FROM json_each(s.value, '$.obsoletedBy') ORDER BY 1)),
                    (SELECT group_concat(url) FROM (SELECT value->>'url' AS url FROM json_each(s.value, '$.groups')
                    ORDER BY 1)) FROM published, json_each(body) AS s
                    """),
            Table(
                origin: .embedded("Series", in: "specifications"), key: 1,
                stored: """
                    SELECT shortname, title, coalesce(current_shortname, (SELECT json_extract(target_key, '$[0]')
                    FROM _sluice_pending WHERE "table" = 'series' AND key = json_array(shortname))) FROM series
                    """,
                published: """
                    SELECT name, title, current FROM (SELECT s.value->>'$.series.shortname' AS name,
                    s.value->>'$.series.title' AS title, s.value->>'$.series.currentSpecification' AS current,
                    min(s.key) FROM published, json_each(body) AS s GROUP BY 1)
                    """),
            Table(
                origin: .embedded("Group", in: "specifications"), key: 1, stored: "SELECT url, name FROM groups",
                published: """
                    SELECT url, name FROM (SELECT g.value->>'url' AS url, g.value->>'name' AS name,
                    min(s.key * 1000 + g.key) FROM published, json_each(body) AS s,
                    json_each(s.value, '$.groups') AS g GROUP BY 1)
                    """),
        ], waiting: ["current": ("specifications", "shortname")])
}
