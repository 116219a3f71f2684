extension RelatedPublication {
    /// Four levels, of which the lowest comes first, and states that nobody publishes.
    static let places = RelatedPublication(
        name: "geo-csc",
        pipeline: """
            version: 1
            name: places
            source: {base_url: "file:BASE"}
            defaults: {delete_missing: {mode: hard, max_delete: 100%}}
            entities:
              City:
                table: cities
                primary_key: id
                fields:
                  id: int
                  name: string
                  country: {ref: Country, from: country_id}
                  state: {ref: State, from: state_id}
                  parent: {ref: City, from: parent_id}
              State: {table: states, primary_key: id, fields: {id: int, name: string}}
              Country:
                table: countries
                primary_key: id
                fields:
                  id: int
                  name: string
                  region: {ref: Region, from: region_id}
                  subregion: {ref: Subregion, from: subregion_id}
                children: {timezones: {entity: Timezone, key: zone}}
              Timezone: {table: timezones, fields: {zone: {from: zoneName}, offset: {from: gmtOffset, type: int}}}
              Subregion:
                table: subregions
                primary_key: id
                fields: {id: int, name: string, region: {ref: Region, from: region_id}}
              Region: {table: regions, primary_key: id, fields: {id: int, name: string}}
            streams:
              - {name: cities, entity: City, path: cities/*.json}
              - {name: countries, entity: Country, path: countries.json}
              - {name: subregions, entity: Subregion, path: subregions.json}
              - {name: regions, entity: Region, path: regions.json}
            """,
        tables: [
            Table(
                origin: .stream("cities"), key: 1,
                stored: """
                    SELECT id, name, country_id, coalesce(state_id, (SELECT json_extract(target_key, '$[0]')
                    FROM _sluice_pending WHERE "table" = 'cities' AND key = json_array(id) AND field = 'state')),
                    parent_id FROM cities
                    """,
                published: """
                    SELECT c.value->>'id', c.value->>'name', c.value->>'country_id', c.value->>'state_id',
                    c.value->>'parent_id' FROM published, json_each(body) AS c
                    WHERE file LIKE 'cities/%' AND c.value->>'id' IS NOT NULL
                    """),
            Table(
                origin: .stream("countries"), key: 1,
                stored: "SELECT id, name, region_id, subregion_id FROM countries",
                published: """
                    SELECT c.value->>'id', c.value->>'name', c.value->>'region_id', c.value->>'subregion_id'
                    FROM published, json_each(body) AS c WHERE file = 'countries.json'
                    """),
            Table(
                origin: .children("Timezone", of: "countries"), key: 2,
                stored: "SELECT country_id, zone, offset FROM timezones",
                published: """
                    SELECT c.value->>'id', t.value->>'zoneName', t.value->>'gmtOffset'
                    FROM published, json_each(body) AS c, json_each(c.value, '$.timezones') AS t
                    WHERE file = 'countries.json'
                    """),
            Table(
                origin: .stream("subregions"), key: 1, stored: "SELECT id, name, region_id FROM subregions",
                published: """
                    SELECT c.value->>'id', c.value->>'name', c.value->>'region_id'
                    FROM published, json_each(body) AS c WHERE file = 'subregions.json'
                    """),
            Table(
                origin: .stream("regions"), key: 1, stored: "SELECT id, name FROM regions",
                published: """
                    SELECT c.value->>'id', c.value->>'name' FROM published, json_each(body) AS c
                    WHERE file = 'regions.json'
                    """),
        ], keyless: [0, 0, 5], waiting: ["state": ("states", "id")])
}
