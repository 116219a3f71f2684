extension RelatedPublication {
    /// An interface of documents that lead to each other by name or by URL, in circles and from children.
    static let creatures = RelatedPublication(
        name: "pokeapi",
        pipeline: """
            version: 1
            name: creatures
            source: {base_url: "file:BASE/api/v2"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Species:
                table: species
                primary_key: name
                fields:
                  name: string
                  ancestor: {ref: Species, from: evolves_from_species}
                  generation: {ref: Generation, upsert: false}
                  chain: {ref: Chain, from: evolution_chain, upsert: false}
                  groups: {refs: EggGroup, from: "egg_groups[*]", upsert: false, via: species_groups}
                children:
                  names: {entity: SpeciesName, key: language}
              SpeciesName: {table: species_names, fields: {language: {from: language.name}, text: {from: name}}}
              EggGroup: {table: egg_groups, primary_key: url, fields: {url: string, name: string}}
              Chain: {table: chains, primary_key: url, fields: {url: string, item: {ref: Item, from: baby_trigger_item}}}
              Item: {table: items, primary_key: url, fields: {url: string, name: string}}
              Type:
                table: types
                primary_key: url
                fields:
                  url: string
                  name: string
                  class: {ref: DamageClass, from: move_damage_class}
                  generation: {ref: Generation, upsert: false}
                  doubles: {refs: Type, from: "damage_relations.double_damage_to[*]", via: doubles}
                  halves: {refs: Type, from: "damage_relations.half_damage_to[*]", via: halves}
                children: {past: {entity: Past, from: "past_damage_relations[*]", ordered: true}}
              Past:
                table: past
                fields:
                  generation: {ref: Generation, upsert: false}
                  doubles: {refs: Type, from: "damage_relations.double_damage_to[*]", via: past_doubles}
              DamageClass: {table: damage_classes, primary_key: name, fields: {name: string, url: string}}
              Generation:
                table: generations
                primary_key: name
                fields: {name: string, id: int, region: {ref: Region, from: main_region, upsert: false}}
              Region:
                table: regions
                primary_key: name
                fields: {name: string, id: int, generation: {ref: Generation, from: main_generation, upsert: false}}
              VersionGroup:
                table: version_groups
                primary_key: name
                fields:
                  name: string
                  generation: {ref: Generation, upsert: false}
                  regions: {refs: Region, upsert: false, via: version_regions}
            streams:
              - {name: species, entity: Species, path: "pokemon-species/*/index.json"}
              - {name: types, entity: Type, path: "type/*/index.json", records: {jq: '.url = "/api/v2/type/\\(.id)/"'}}
              - name: egg_groups
                entity: EggGroup
                path: "egg-group/*/index.json"
                records: {jq: '.url = "/api/v2/egg-group/\\(.id)/"'}
              - name: chains
                entity: Chain
                path: "evolution-chain/*/index.json"
                records: {jq: '.url = "/api/v2/evolution-chain/\\(.id)/"'}
              - {name: version_groups, entity: VersionGroup, path: "version-group/*/index.json"}
              - {name: regions, entity: Region, path: "region/*/index.json"}
              - {name: generations, entity: Generation, path: "generation/*/index.json"}
            """,
        tables: [
            Table(
                origin: .stream("species"), key: 1,
                stored: """
                    SELECT name, coalesce(ancestor_name, (SELECT json_extract(target_key, '$[0]') FROM _sluice_pending
                    WHERE "table" = 'species' AND key = json_array(name) AND field = 'ancestor')), generation_name,
                    chain_url, (SELECT group_concat(x) FROM (SELECT egg_group_url AS x FROM species_groups
                    WHERE species_name = name ORDER BY 1)) FROM species
                    """,
                published: """
                    SELECT body->>'name', body->>'$.evolves_from_species.name', body->>'$.generation.name',
                    body->>'$.evolution_chain.url', (SELECT group_concat(url) FROM (SELECT value->>'url' AS url
                    FROM json_each(body, '$.egg_groups') ORDER BY 1)) FROM \(documents("pokemon-species"))
                    """),
            Table(
                origin: .children("SpeciesName", of: "species"), key: 2,
                stored: "SELECT species_name, language, text FROM species_names",
                published: """
                    SELECT body->>'name', n.value->>'$.language.name', n.value->>'name' FROM published,
                    json_each(body, '$.names') AS n WHERE stem = 'api/v2/pokemon-species'
                    """),
            Table(
                origin: .stream("types"), key: 1,
                stored: """
                    SELECT url, name, class_name, generation_name, \(links("doubles")), \(links("halves")) FROM types
                    """,
                published: """
                    SELECT '/api/v2/type/' || (body->>'id') || '/', body->>'name', body->>'$.move_damage_class.name',
                    body->>'$.generation.name', \(urls("$.damage_relations.double_damage_to")),
                    \(urls("$.damage_relations.half_damage_to")) FROM \(documents("type"))
                    """),
            Table(
                origin: .children("Past", of: "types"), key: 2,
                stored: """
                    SELECT type_url, position, generation_name, (SELECT group_concat(x) FROM (SELECT d.type_url
                    AS x FROM past_doubles AS d WHERE d.past_type_url = past.type_url
                    AND d.past_position = past.position ORDER BY 1)) FROM past
                    """,
                published: """
                    SELECT '/api/v2/type/' || (body->>'id') || '/', p.key, p.value->>'$.generation.name',
                    (SELECT group_concat(url) FROM (SELECT value->>'url' AS url
                    FROM json_each(p.value, '$.damage_relations.double_damage_to') ORDER BY 1))
                    FROM published, json_each(body, '$.past_damage_relations') AS p WHERE stem = 'api/v2/type'
                    """),
            Table(
                origin: .embedded("DamageClass", in: "types"), key: 1, stored: "SELECT name, url FROM damage_classes",
                published: """
                    SELECT DISTINCT body->>'$.move_damage_class.name', body->>'$.move_damage_class.url'
                    FROM \(documents("type")) AND body->>'$.move_damage_class.name' IS NOT NULL
                    """),
            Table(
                origin: .stream("chains"), key: 1, stored: "SELECT url, item_url FROM chains",
                published: """
                    SELECT '/api/v2/evolution-chain/' || (body->>'id') || '/', body->>'$.baby_trigger_item.url'
                    FROM \(documents("evolution-chain"))
                    """),
            Table(
                origin: .stream("version_groups"), key: 1,
                stored: """
                    SELECT name, generation_name, (SELECT group_concat(x) FROM (SELECT region_name AS x
                    FROM version_regions WHERE version_group_name = name ORDER BY 1)) FROM version_groups
                    """,
                published: """
                    SELECT body->>'name', body->>'$.generation.name', (SELECT group_concat(name) FROM
                    (SELECT value->>'name' AS name FROM json_each(body, '$.regions') ORDER BY 1))
                    FROM \(documents("version-group"))
                    """),
            Table(
                origin: .stream("regions"), key: 1, stored: "SELECT name, id, generation_name FROM regions",
                published: """
                    SELECT body->>'name', body->>'id', body->>'$.main_generation.name' FROM \(documents("region"))
                    """),
            Table(
                origin: .stream("generations"), key: 1, stored: "SELECT name, id, region_name FROM generations",
                published: """
                    SELECT body->>'name', body->>'id', body->>'$.main_region.name' FROM \(documents("generation"))
                    """),
        ], waiting: ["ancestor": ("species", "name")])

    private static func documents(_ kind: String) -> String { "published WHERE stem = 'api/v2/\(kind)'" }

    private static func links(_ table: String) -> String {
        "(SELECT group_concat(x) FROM (SELECT \(table)_url AS x FROM \(table) WHERE type_url = url ORDER BY 1))"
    }

    private static func urls(_ path: String) -> String {
        "(SELECT group_concat(url) FROM (SELECT value->>'url' AS url FROM json_each(body, '\(path)') ORDER BY 1))"
    }
}
