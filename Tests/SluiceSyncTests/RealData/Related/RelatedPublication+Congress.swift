extension RelatedPublication {
    /// Children of children, some of them told by their position, and a join table that is a stream.
    static let congress = RelatedPublication(
        name: "congress",
        pipeline: """
            version: 1
            name: congress
            source: {base_url: "file:BASE"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Membership:
                table: memberships
                primary_key: [seat, member]
                fields:
                  seat: string
                  member: {ref: Legislator, from: bioguide, on_dangling: fail}
                  committee: {ref: Committee, on_dangling: fail}
                  rank: int
                  title: {on_missing: set_null}
              Legislator:
                table: legislators
                primary_key: bioguide
                fields: {bioguide: {from: id.bioguide}, name: {from: name.official_full}}
                children:
                  terms: {entity: Term, key: [start, type]}
                  roles: {entity: Role, from: "leadership_roles[*]", ordered: true}
              Term:
                table: terms
                fields: {start: date, type: string, end: date, party: string}
                children: {affiliations: {entity: Affiliation, from: "party_affiliations[*]", ordered: true}}
              Affiliation: {table: affiliations, fields: {start: date, party: string}}
              Role: {table: roles, fields: {title: string, start: date, end: {type: date, on_missing: set_null}}}
              Committee:
                table: committees
                primary_key: thomas_id
                fields: {thomas_id: string, name: string}
                children: {parts: {entity: Subcommittee, from: "subcommittees[*]", key: thomas_id}}
              Subcommittee: {table: subcommittees, fields: {thomas_id: string, name: string}}
            streams:
              - name: memberships
                entity: Membership
                path: committee-membership-current.json
                records: {jq: 'to_entries[] | .key as $seat | .value[] | .seat = $seat | .committee = $seat[:4]'}
              - {name: legislators, entity: Legislator, path: legislators-current.json}
              - {name: committees, entity: Committee, path: committees-current.json}
            """,
        tables: [
            Table(
                origin: .stream("memberships"), key: 2,
                stored: "SELECT seat, member_bioguide, committee_thomas_id, rank, title FROM memberships",
                published: """
                    SELECT c.key, m.value->>'bioguide', substr(c.key, 1, 4), m.value->>'rank', m.value->>'title'
                    FROM published, json_each(body) AS c, json_each(c.value) AS m
                    WHERE file = 'committee-membership-current.json'
                    """),
            Table(
                origin: .stream("legislators"), key: 1, stored: "SELECT bioguide, name FROM legislators",
                published: "SELECT l.value->>'$.id.bioguide', l.value->>'$.name.official_full' FROM \(legislators)"),
            Table(
                origin: .children("Term", of: "legislators"), key: 3,
                stored: "SELECT legislator_bioguide, start, type, \"end\", party FROM terms",
                published: """
                    SELECT l.value->>'$.id.bioguide', t.value->>'start', t.value->>'type', t.value->>'end',
                    t.value->>'party' FROM \(legislators), json_each(l.value, '$.terms') AS t
                    """),
            Table(
                origin: .children("Affiliation", of: "legislators"), key: 4,
                stored:
                    "SELECT term_legislator_bioguide, term_start, term_type, position, start, party FROM affiliations",
                published: """
                    SELECT l.value->>'$.id.bioguide', t.value->>'start', t.value->>'type', a.key, a.value->>'start',
                    a.value->>'party' FROM \(legislators), json_each(l.value, '$.terms') AS t,
                    json_each(t.value, '$.party_affiliations') AS a
                    """),
            Table(
                origin: .children("Role", of: "legislators"), key: 2,
                stored: "SELECT legislator_bioguide, position, title, start, \"end\" FROM roles",
                published: """
                    SELECT l.value->>'$.id.bioguide', r.key, r.value->>'title', r.value->>'start', r.value->>'end'
                    FROM \(legislators), json_each(l.value, '$.leadership_roles') AS r
                    """),
            Table(
                origin: .stream("committees"), key: 1, stored: "SELECT thomas_id, name FROM committees",
                published: "SELECT c.value->>'thomas_id', c.value->>'name' FROM \(committees)"),
            Table(
                origin: .children("Subcommittee", of: "committees"), key: 2,
                stored: "SELECT committee_thomas_id, thomas_id, name FROM subcommittees",
                published: """
                    SELECT c.value->>'thomas_id', s.value->>'thomas_id', s.value->>'name'
                    FROM \(committees), json_each(c.value, '$.subcommittees') AS s
                    """),
        ])

    private static let legislators =
        "(SELECT body FROM published WHERE file = 'legislators-current.json'), json_each(body) AS l"
    private static let committees =
        "(SELECT body FROM published WHERE file = 'committees-current.json'), json_each(body) AS c"
}
