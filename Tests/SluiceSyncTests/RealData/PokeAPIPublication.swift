import SluiceModel

extension Publication {
    /// An interface as files: a folder for each kind, a document for each record, and references that are URLs.
    static let pokeAPI = Publication(
        name: "pokeapi", folder: "pokeapi",
        pipeline: """
            version: 1
            name: pokeapi
            source: {base_url: "file:BASE/api/v2"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              Listed:
                table: listed
                primary_key: [kind, id]
                fields:
                  kind: {expr: '.url | split("/")[3]'}
                  id: {expr: '.url | split("/")[-2] | tonumber', type: int}
                  name: string
                  url: string
              Berry:
                table: berry
                primary_key: id
                fields:
                  id: int
                  name: string
                  firmness_id: {type: int, expr: '.firmness.url | if . then split("/")[-2] | tonumber else . end'}
                  size: int
                  potencies: {from: "flavors[*].potency", type: json}
                  whole: {from: $, type: json}
              Chain:
                table: evolution_chain
                primary_key: id
                fields:
                  id: int
                  length: {type: int, expr: 'def long: 1 + ([.evolves_to[] | long] | max // 0); .chain | long'}
                  species: {from: "chain..species.name", type: json}
                  whole: {from: $, type: json}
              Nature:
                table: nature
                primary_key: id
                fields:
                  id: int
                  raised: {from: increased_stat.name}
                  raised_id: {type: int, expr: '.increased_stat.url // "" | split("/")[-2] | values | tonumber'}
                  lowered: {from: decreased_stat.name}
                  english: {from: "names[?@.language.name == 'en'].name", type: json}
                  whole: {from: $, type: json}
              Species:
                table: pokemon_species
                primary_key: id
                fields:
                  id: int
                  order: int
                  base_happiness: int
                  legendary: {from: is_legendary, type: bool}
                  ancestor: {from: evolves_from_species.name}
                  generation: {from: generation.name, type: int, map: {generation-i: 1, generation-ii: 2}}
                  egg_groups: {type: json, expr: '[.egg_groups[].url | split("/")[-2] | tonumber]'}
                  entries: {type: int, expr: .flavor_text_entries | length}
                  whole: {from: $, type: json}
              Type:
                table: type
                primary_key: id
                fields:
                  id: int
                  name: string
                  strong_against: {from: "damage_relations.double_damage_to[*].name", type: json}
                  damage_class: {from: move_damage_class.name, type: enum, values: [physical, special]}
                  whole: {from: $, type: json}
              Ability: &plain
                table: ability
                primary_key: id
                fields: {id: int, name: string, names: json, whole: {from: $, type: json}}
              BerryFlavor: {<<: *plain, table: berry_flavor}
              EggGroup: {<<: *plain, table: egg_group}
              Trigger: {<<: *plain, table: evolution_trigger}
              Generation: {<<: *plain, table: generation}
              Pokemon: {<<: *plain, table: pokemon}
              Region: {<<: *plain, table: region}
              VersionGroup: {<<: *plain, table: version_group}
            streams:
              - {name: listed, entity: Listed, path: "*/index.json", records: "$.results[*]"}
              - {name: berry, entity: Berry, path: "berry/*/index.json"}
              - {name: evolution_chain, entity: Chain, path: "evolution-chain/*/index.json"}
              - {name: nature, entity: Nature, path: "nature/*/index.json"}
              - {name: pokemon_species, entity: Species, path: "pokemon-species/*/index.json"}
              - {name: type, entity: Type, path: "type/*/index.json"}
              - {name: ability, entity: Ability, path: "ability/*/index.json"}
              - {name: berry_flavor, entity: BerryFlavor, path: "berry-flavor/*/index.json"}
              - {name: egg_group, entity: EggGroup, path: "egg-group/*/index.json"}
              - {name: evolution_trigger, entity: Trigger, path: "evolution-trigger/*/index.json"}
              - {name: generation, entity: Generation, path: "generation/*/index.json"}
              - {name: pokemon, entity: Pokemon, path: "pokemon/*/index.json"}
              - {name: region, entity: Region, path: "region/*/index.json"}
              - {name: version_group, entity: VersionGroup, path: "version-group/*/index.json"}
            """,
        collections: [
            Collection(
                name: "listed", key: ["kind", "id"],
                columns: [
                    Column("kind") { $0["url"]?.pathPart(2) }, Column("id", .int) { $0["url"]?.pathPart(3) },
                    Column("name"), Column("url"),
                ],
                published: [729, 732, 743]
            ) { version in
                try version.stems("api/v2").filter { version.isThere("api/v2/\($0)/index.json") }
                    .flatMap { try version.tree("api/v2/\($0)/index.json")["results"]?.elements ?? [] }
            },
            resource(
                "berry",
                [
                    Column("name"), Column("firmness_id", .int, read: reference("firmness")), Column("size", .int),
                    Column("potencies", .json) { $0.list("flavors").mapped { $0["potency"] } },
                ], [64, .init(64, steps: [0, 0, 0, 64]), .init(68, steps: [4, 0, 0, 64])]),
            resource(
                "evolution-chain",
                [
                    Column("length", .int) { $0["chain"].map { .number("\(length(of: $0))") } },
                    Column("species", .json) { $0["chain"].map { .array(species(of: $0)) } },
                ], [60, .init(60, steps: [0, 0, 0, 60]), .init(60, steps: [0, 0, 59, 1])]),
            resource(
                "nature",
                [
                    Column("raised", at: "increased_stat.name"),
                    Column("raised_id", .int) { $0.at("increased_stat.url")?.pathPart(3) },
                    Column("lowered", at: "decreased_stat.name"),
                    Column("english", .json) {
                        .array(
                            $0.list("names").filter { $0.at("language.name") == .string("en") }.compactMap {
                                $0["name"]
                            })
                    },
                ], [25, .init(25, steps: [0, 0, 0, 25]), .init(25, steps: [0, 0, 25, 0])]),
            resource(
                "pokemon-species",
                [
                    Column("order", .int), Column("base_happiness", .int),
                    Column("legendary", .bool, at: "is_legendary"),
                    Column("ancestor", at: "evolves_from_species.name"),
                    Column("generation", .int) { species in
                        let numbers = ["generation-i": "1", "generation-ii": "2"]
                        return species.at("generation.name")?.text.map { .number(numbers[$0] ?? $0) }
                    },
                    Column("egg_groups", .json) { $0.list("egg_groups").mapped { $0["url"]?.pathPart(3) } },
                    Column("entries", .int) { .number("\($0.list("flavor_text_entries").count)") },
                ], [8, .init(8, steps: [0, 0, 8, 0]), .init(8, steps: [0, 0, 8, 0])]),
            resource(
                "type",
                [
                    Column("name"),
                    Column("strong_against", .json) {
                        .array(($0.at("damage_relations.double_damage_to")?.elements ?? []).compactMap { $0["name"] })
                    },
                    Column(
                        "damage_class", .enumeration, at: "move_damage_class.name", values: ["physical", "special"]),
                ], [20, .init(21, steps: [1, 0, 20, 0]), .init(21, steps: [0, 0, 21, 0])]),
            plain("ability", [8, .init(8, steps: [0, 0, 8, 0]), .init(8, steps: [0, 0, 8, 0])]),
            plain("berry-flavor", [5, .init(5, steps: [0, 0, 0, 5]), .init(5, steps: [0, 0, 5, 0])]),
            plain("egg-group", [15, .init(15, steps: [0, 0, 5, 10]), .init(15, steps: [0, 0, 15, 0])]),
            plain("evolution-trigger", [13, .init(13, steps: [0, 0, 1, 12]), .init(16, steps: [3, 0, 12, 1])]),
            plain("generation", [9, .init(9, steps: [0, 0, 3, 6]), .init(9, steps: [0, 0, 9, 0])]),
            plain("pokemon", [1, .init(1, steps: [0, 0, 1, 0]), .init(1, steps: [0, 0, 1, 0])]),
            plain("region", [10, .init(10, steps: [0, 0, 8, 2]), .init(11, steps: [1, 0, 10, 0])]),
            plain("version-group", [27, .init(29, steps: [2, 0, 27, 0]), .init(32, steps: [3, 0, 6, 23])]),
        ])

    /// The records of one kind, with their identifier, some columns and the whole.
    private static func resource(_ kind: String, _ columns: [Column], _ published: [Collection.Count]) -> Collection {
        Collection(
            name: kind.replacing("-", with: "_"), key: ["id"],
            columns: [Column("id", .int)] + columns + [Column("whole", .json) { $0 }], published: published
        ) { version in
            try version.stems("api/v2/\(kind)").filter { $0 != "index" }
                .map { try version.tree("api/v2/\(kind)/\($0)/index.json") }
        }
    }

    private static func plain(_ kind: String, _ published: [Collection.Count]) -> Collection {
        resource(kind, [Column("name"), Column("names", .json)], published)
    }

    /// The identifier in the URL of what a member refers to; null where it refers to nothing.
    private static func reference(_ name: String) -> @Sendable (Tree) -> Tree? {
        { $0.at("\(name).url")?.pathPart(3) ?? .null }
    }

    private static func length(of chain: Tree) -> Int { 1 + (chain.list("evolves_to").map(length).max() ?? 0) }

    private static func species(of chain: Tree) -> [Tree] {
        [chain.at("species.name")].compactMap { $0 } + chain.list("evolves_to").flatMap(species)
    }
}

extension Tree {
    /// The elements of a member; none where it is no array.
    func list(_ name: String) -> [Tree] { self[name]?.elements ?? [] }
}

extension [Tree] {
    /// A list of what each element has.
    fileprivate func mapped(_ value: (Tree) -> Tree?) -> Tree { .array(compactMap(value)) }
}
