extension RelatedPublication {
    /// Neighbours in circles, languages that many share, and maps whose members are rows of their own.
    static let countries = RelatedPublication(
        name: "countries",
        pipeline: """
            version: 1
            name: countries
            source: {base_url: "file:BASE"}
            entities:
              Country:
                table: countries
                primary_key: cca3
                fields:
                  cca3: string
                  name: {from: name.common}
                  region: string
                  borders: {refs: Country, via: borders}
                  languages: {refs: Language, via: spoken}
                children:
                  currencies: {entity: Money, from: currencies, entries: code}
                  translations: {entity: Translation, from: translations, entries: language}
              Language: {table: languages, primary_key: code, fields: {code: {from: key}, name: {from: value}}}
              Money: {table: money, fields: {code: string, name: string, symbol: string}}
              Translation: {table: translations, fields: {language: string, common: string, official: string}}
            streams:
              - name: countries
                entity: Country
                path: countries.json
                records: {jq: '.[] | .languages |= to_entries'}
                delete_missing: {mode: hard, max_delete: 100%}
            """,
        tables: [
            Table(
                origin: .stream("countries"), key: 1,
                stored: """
                    SELECT cca3, name, region,
                    (SELECT group_concat(to_) FROM (SELECT borders_cca3 AS to_ FROM borders
                    WHERE country_cca3 = cca3 ORDER BY 1)),
                    (SELECT group_concat(to_) FROM (SELECT language_code AS to_ FROM spoken
                    WHERE country_cca3 = cca3 ORDER BY 1)) FROM countries
                    """,
                published: """
                    SELECT c.value->>'cca3', c.value->>'$.name.common', c.value->>'region',
                    (SELECT group_concat(value) FROM (SELECT value FROM json_each(c.value, '$.borders') ORDER BY 1)),
                    (SELECT group_concat(key) FROM (SELECT key FROM json_each(c.value, '$.languages') ORDER BY 1))
                    FROM published, json_each(body) AS c
                    """),
            Table(
                origin: .embedded("Language", in: "countries"), key: 1, stored: "SELECT code, name FROM languages",
                published: """
                    SELECT code, name FROM (SELECT l.key AS code, l.value AS name, min(c.key)
                    FROM published, json_each(body) AS c, json_each(c.value, '$.languages') AS l GROUP BY l.key)
                    """),
            Table(
                origin: .children("Money", of: "countries"), key: 2,
                stored: "SELECT country_cca3, code, name, symbol FROM money",
                published: """
                    SELECT cca3, code, name, symbol FROM (SELECT c.value->>'cca3' AS cca3, m.key AS code,
                    m.value->>'name' AS name, m.value->>'symbol' AS symbol FROM published, json_each(body) AS c,
                    json_each(c.value, '$.currencies') AS m)
                    """),
            Table(
                origin: .children("Translation", of: "countries"), key: 2,
                stored: "SELECT country_cca3, language, common, official FROM translations",
                published: """
                    SELECT c.value->>'cca3', t.key, t.value->>'common', t.value->>'official'
                    FROM published, json_each(body) AS c, json_each(c.value, '$.translations') AS t
                    """),
            Table(
                origin: .links, key: 2, stored: "SELECT country_cca3, borders_cca3 FROM borders",
                published: """
                    SELECT c.value->>'cca3', b.value FROM published, json_each(body) AS c,
                    json_each(c.value, '$.borders') AS b
                    """),
        ])
}
