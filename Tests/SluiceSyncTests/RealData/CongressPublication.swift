import SluiceModel

extension Publication {
    /// Four documents of a parliament: identifiers within an object, and lists within records and within a map.
    static let congress = Publication(
        name: "congress", folder: "congress",
        pipeline: """
            version: 1
            name: congress
            source: {base_url: "file:BASE"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Legislator:
                table: legislators
                primary_key: bioguide
                fields:
                  bioguide: {from: id.bioguide}
                  govtrack: {from: id.govtrack, type: int, required: true}
                  votesmart: {from: id.votesmart, type: int, on_missing: set_null}
                  fec: {from: id.fec, type: json, on_missing: set_null}
                  full_name: {from: name.official_full}
                  birthday: {from: bio.birthday, type: date}
                  gender: {from: bio.gender, type: enum, values: [female, male], map: {F: female, M: male}}
                  since: {from: "terms[0].start", type: date}
                  party: {from: "terms[-1].party"}
                  parties: {from: "terms[*].party", type: json}
                  senator: {expr: 'any(.terms[]; .type == "sen")', type: bool}
                  whole: {from: $, type: json}
              Term:
                table: terms
                primary_key: [bioguide, start, type]
                fields:
                  bioguide: string
                  start: date
                  type: {type: enum, values: [sen, rep]}
                  end: date
                  district: {type: int, on_missing: set_null}
                  whole: {from: $, type: json}
              Committee:
                table: committees
                primary_key: thomas_id
                fields:
                  thomas_id: string
                  name: {type: string, required: true}
                  type: {type: enum, values: [house, senate, joint]}
                  url: {type: url, on_missing: set_null}
                  subcommittee_ids: {from: "subcommittees[*].thomas_id", type: json, on_missing: set_null}
                  whole: {from: $, type: json}
              Subcommittee:
                table: subcommittees
                primary_key: [committee, thomas_id]
                fields: {committee: string, thomas_id: string, name: string, address: {on_missing: set_null}}
              Membership:
                table: memberships
                primary_key: [committee, bioguide]
                fields:
                  committee: string
                  bioguide: string
                  name: string
                  party: {type: enum, values: [majority, minority]}
                  rank: int
                  title: {on_missing: set_null}
                  chamber: {on_missing: set_null}
              Account:
                table: social
                primary_key: bioguide
                fields:
                  bioguide: {from: id.bioguide}
                  twitter: {from: social.twitter, on_missing: set_null}
                  instagram_id: {from: social.instagram_id, type: int, on_missing: set_null}
                  whole: {from: $, type: json}
            streams:
              - {name: legislators, entity: Legislator, path: legislators-current.json}
              - name: terms
                entity: Term
                path: legislators-current.json
                records: {jq: '.[] | .id.bioguide as $member | .terms[] | .bioguide = $member'}
              - {name: committees, entity: Committee, path: committees-current.json}
              - name: subcommittees
                entity: Subcommittee
                path: committees-current.json
                records: {jq: '.[] | .thomas_id as $parent | .subcommittees[]? | .committee = $parent'}
              - name: memberships
                entity: Membership
                path: committee-membership-current.json
                records: {jq: 'to_entries[] | .key as $committee | .value[] | .committee = $committee'}
              - {name: social, entity: Account, path: legislators-social-media.json}
            """,
        collections: [
            Collection(
                name: "legislators", key: ["bioguide"],
                columns: [
                    Column("bioguide", at: "id.bioguide"), Column("govtrack", .int, at: "id.govtrack"),
                    Column("votesmart", .int, at: "id.votesmart", clears: true),
                    Column("fec", .json, at: "id.fec", clears: true), Column("full_name", at: "name.official_full"),
                    Column("birthday", .date, at: "bio.birthday"),
                    Column("gender", .enumeration, values: ["female", "male"]) {
                        $0.at("bio.gender").map { $0 == .string("F") ? .string("female") : .string("male") }
                    },
                    Column("since", .date, at: "terms.0.start"),
                    Column("party") { $0["terms"]?.elements.last?["party"] },
                    Column("parties", .json) { .array(($0["terms"]?.elements ?? []).compactMap { $0["party"] }) },
                    Column("senator", .bool) {
                        .bool(($0["terms"]?.elements ?? []).contains { $0["type"] == .string("sen") })
                    },
                    Column("whole", .json) { $0 },
                ],
                published: [
                    536, .init(537, steps: [71, 70, 427, 39]), .init(537, steps: [10, 10, 192, 335]),
                ]
            ) { try $0.tree("legislators-current.json").elements },
            Collection(
                name: "terms", key: ["bioguide", "start", "type"],
                columns: [
                    Column("bioguide"), Column("start", .date), Column("type", .enumeration, values: ["rep", "sen"]),
                    Column("end", .date), Column("district", .int, clears: true), Column("whole", .json) { $0 },
                ],
                published: [
                    2718, .init(2840, steps: [479, 357, 18, 2343]), .init(2792, steps: [10, 58, 28, 2754]),
                ]
            ) { version in
                try version.tree("legislators-current.json").elements.flatMap { member in
                    (member["terms"]?.elements ?? []).map { $0.adding("bioguide", member.at("id.bioguide")) }
                }
            },
            Collection(
                name: "committees", key: ["thomas_id"],
                columns: [
                    Column("thomas_id"), Column("name"),
                    Column("type", .enumeration, values: ["joint", "house", "senate"]),
                    Column("url", .url, clears: true),
                    Column("subcommittee_ids", .json, clears: true) {
                        $0["subcommittees"].map { .array($0.elements.compactMap { $0["thomas_id"] }) }
                    },
                    Column("whole", .json) { $0 },
                ],
                published: [51, .init(51, steps: [0, 0, 19, 32]), .init(49, steps: [1, 3, 7, 41])]
            ) { try $0.tree("committees-current.json").elements },
            Collection(
                name: "subcommittees", key: ["committee", "thomas_id"],
                columns: [
                    Column("committee"), Column("thomas_id"), Column("name"), Column("address", clears: true),
                ],
                published: [179, 184, 181]
            ) { version in
                try version.tree("committees-current.json").elements.flatMap { committee in
                    (committee["subcommittees"]?.elements ?? []).map {
                        $0.adding("committee", committee["thomas_id"])
                    }
                }
            },
            Collection(
                name: "memberships", key: ["committee", "bioguide"],
                columns: [
                    Column("committee"), Column("bioguide"), Column("name"),
                    Column("party", .enumeration, values: ["minority", "majority"]), Column("rank", .int),
                    Column("title", clears: true), Column("chamber", clears: true),
                ],
                published: [
                    3870, .init(1885, steps: [583, 2568, 1095, 207]), .init(3879, steps: [2052, 58, 406, 1421]),
                ]
            ) { version in
                try version.tree("committee-membership-current.json").members.flatMap { committee in
                    committee.value.elements.map { $0.adding("committee", .string(committee.name)) }
                }
            },
            Collection(
                name: "social", key: ["bioguide"],
                columns: [
                    Column("bioguide", at: "id.bioguide"), Column("twitter", at: "social.twitter", clears: true),
                    Column("instagram_id", .int, at: "social.instagram_id", clears: true),
                    Column("whole", .json) { $0 },
                ],
                published: [483, .init(529, steps: [108, 62, 207, 214]), .init(519, steps: [0, 10, 2, 517])]
            ) { try $0.tree("legislators-social-media.json").elements },
        ])
}
