import SluiceJSON
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import Testing

/// What references, children and nested requests become.
@Suite struct RelationTests {
    private func load(_ text: String) throws -> PipelineDefinition {
        let (definition, problems) = PipelineText.load(text, keys: .all)
        #expect(Fixtures.render(problems) == "")
        return try #require(definition)
    }

    private func origin(_ field: FieldDefinition?) -> String {
        switch field?.origin {
        case .path(let path): "path \(path.text)"
        case .reference(let path, let key): "reference \(path.text) \(key.text)"
        case .references(let path, let keys): "references \(path.text) \(keys.map(\.text).joined(separator: ","))"
        case .parentKey(let index): "parent \(index)"
        case .position: "position"
        case .template, .program, .content, nil: "other"
        }
    }

    @Test func aReferenceIsAFieldOfTheTargetsKey() throws {
        let text = PipelineText.make(
            field: "author: {ref: Person, from: user, on_dangling: stub, upsert: false, on_conflict: remote_wins}",
            more: "Person: {primary_key: ident, fields: {ident: {from: meta.id, column: nr, type: uuid}}}")
        let book = try #require(try load(text).entity(named: "Book"))
        let field = try #require(book.fields.last)
        #expect([field.name, field.column, field.reference] == ["author", "author_nr", "author"])
        #expect(field.type == .uuid)
        #expect(field.onConflict == .remoteWins)
        #expect(origin(field) == "reference user meta.id")
        let reference = try #require(book.references.first)
        #expect(reference.target == "Person" && reference.targetTable == "person")
        #expect(reference.count == .one && reference.upsert == false && reference.onDangling == .stub)
        #expect(reference.fields == ["author"] && reference.targetKey.map(\.name) == ["ident"])
        #expect(reference.link == nil)
    }

    @Test func aReferenceToAKeyOfSeveralFieldsIsAsManyFields() throws {
        let text = PipelineText.make(
            field: "shelf: {ref: Shelf}", entity: "unique: [[shelf]]",
            more: "Shelf: {primary_key: [room, nr], fields: {room: {column: room_name}, nr: int}}")
        let book = try #require(try load(text).entity(named: "Book"))
        #expect(book.fields.map(\.name) == ["id", "shelf_room", "shelf_nr"])
        #expect(book.fields.map(\.column) == ["id", "shelf_room_name", "shelf_nr"])
        #expect(book.fields.map(\.type) == [.int, .string, .int])
        #expect(book.fields.dropFirst().map { origin($0) } == ["reference shelf room", "reference shelf nr"])
        #expect(book.references.first?.fields == ["shelf_room", "shelf_nr"])
        #expect(book.unique == [["shelf_room", "shelf_nr"]])
    }

    @Test func severalReferencesAreOneFieldAndATable() throws {
        let text = PipelineText.make(
            field: "tags: {refs: BookTag, merge: add_only}\n      like: {refs: Book, from: 'like[*].it', via: alike}",
            entity: "table: volumes",
            more: "BookTag: {primary_key: [a, b], fields: {a: int, b: {from: c.b}}}")
        let book = try #require(try load(text).entity(named: "Book"))
        #expect(book.fields.map(\.isLink) == [false, true, true])
        let tags = book.fields[1]
        #expect(tags.type == .json && tags.comparison == .set && tags.keepsBase == .full)
        #expect(origin(tags) == "references tags[*] a,c.b")
        #expect(origin(book.fields[2]) == "references like[*].it id")
        #expect(book.references.map(\.count) == [.many, .many])
        #expect(book.references.map(\.merge) == [.addOnly, .set])
        #expect(
            book.references.map(\.link) == [
                LinkDefinition(
                    table: "volumes_tags", ownerColumns: ["book_id"], targetColumns: ["book_tag_a", "book_tag_b"]),
                LinkDefinition(table: "alike", ownerColumns: ["book_id"], targetColumns: ["like_id"]),
            ])
    }

    @Test func replacingMakesTheSourceTheOwner() throws {
        let book = try load(PipelineText.make(field: "like: {refs: Book, merge: replace}")).entities[0]
        #expect(book.fields[1].owner == .remote)
        #expect(book.references[0].merge == .replace)
    }

    @Test func aReferenceMayIdentifyARecord() throws {
        let text = PipelineText.make(
            field: "shelf: {ref: Shelf, on_dangling: fail}", key: "[id, shelf]",
            more: "Shelf: {primary_key: [room, nr], fields: {room: string, nr: int}}")
        let book = try #require(try load(text).entity(named: "Book"))
        #expect(book.primaryKey == ["id", "shelf_room", "shelf_nr"])
        #expect(book.fields.map(\.isRequired) == [true, true, true])
    }

    @Test func childrenBeginWithTheKeyOfTheirParents() throws {
        let text = """
            version: 1
            name: advisories
            source: {base_url: https://api.example.com}
            entities:
              Range: {fields: {fixed: string}}
              Advisory:
                primary_key: id
                fields: {id: {from: ghsa_id}}
                children:
                  affected: {entity: Affected, from: "affected[*]", ordered: true, on_parent_delete: keep}
                  names: {entity: AdvisoryName, entries: lang}
              Affected:
                fields: {package: string}
                children: {ranges: {entity: Range, ordered: true}}
              AdvisoryName: {table: names, fields: {lang: string, text: {from: $}}}
            streams: [{name: all, entity: Advisory}]
            """
        let pipeline = try load(text)
        let range = try #require(pipeline.entity(named: "Range"))
        #expect(range.primaryKey == ["affected_advisory_id", "affected_position", "position"])
        #expect(range.fields.map(\.column) == range.primaryKey + ["fixed"])
        #expect(range.fields.map { origin($0) } == ["parent 0", "parent 1", "position", "path fixed"])
        #expect(range.fields.map(\.type) == [.string, .int, .int, .string])
        #expect(range.parent == "Affected")
        let name = try #require(pipeline.entity(named: "AdvisoryName"))
        #expect(name.primaryKey == ["advisory_id", "lang"])
        #expect(name.fields.map { origin($0) } == ["parent 0", "path lang", "path $"])
        let children = try #require(pipeline.entity(named: "Advisory")).children
        #expect(children.map(\.entity) == ["Affected", "AdvisoryName"])
        #expect(children.map(\.path.text) == ["affected[*]", "names"])
        #expect(children.map(\.isOrdered) == [true, false])
        #expect(children.map(\.key) == [[], ["lang"]])
        #expect(children.map(\.entries) == [nil, "lang"])
        #expect(children.map(\.onParentDelete) == [.keep, .cascade])
    }

    @Test func aChildMayHaveItsKeyAsAnEntity() throws {
        let text = PipelineText.make(
            children: "parts: {entity: Piece}", more: "Piece: {primary_key: nr, fields: {nr: int, of: {ref: Book}}}")
        let pipeline = try load(text)
        #expect(pipeline.entity(named: "Piece")?.primaryKey == ["book_id", "nr"])
        #expect(pipeline.entity(named: "Piece")?.references.map(\.target) == ["Book"])
        #expect(pipeline.entity(named: "Book")?.children.first?.key == ["nr"])
    }

    @Test func parentsAndItems() throws {
        let text = """
            version: 1
            name: repos
            source: {base_url: https://api.example.com, params: {kind: "{{item.kind}}"}}
            entities:
              Repo: {primary_key: [owner, name], fields: {owner: string, name: string, k: {value: "{{ item.kind }}"}}}
              Issue:
                primary_key: id
                fields: {id: int, repo: {value: "{{ parent.owner }}/{{ parent.name }}"}, lines: json}
                children: {lines: {entity: Line, from: "lines.data[*]", key: id}}
              Line: {fields: {id: int}}
            streams:
              - name: issues
                entity: Issue
                path: "/{{ parent.owner }}/{{parent.name}}/issues"
                params: {kind: a}
                parent: {stream: repos, only: changed}
                nested: [{path: lines, records: "data[*]", entity: Line, more: {when: .more, path: "/l/{{ parent.id }}"}}]
              - {name: repos, entity: Repo, path: "/{{ item.region }}", for_each: {region: [eu, 5], kind: [a]}}
            """
        let pipeline = try load(text)
        let issues = pipeline.streams[0]
        #expect(issues.parent?.stream == "repos" && issues.parent?.only == .changed)
        #expect(issues.parent?.key == ["owner", "name"])
        #expect(
            issues.path?.parts.map(\.variable) == [
                nil, TemplateVariable(.parent, member: "owner"), nil, TemplateVariable(.parent, member: "name"), nil,
            ])
        #expect(
            pipeline.streams[1].items == [
                .init(name: "region", values: ["eu", "5"]), .init(name: "kind", values: ["a"]),
            ])
        #expect(pipeline.streams[1].parameters.first?.value.parts.first?.variable?.path == "item.kind")
        let list = try #require(issues.nested.first)
        #expect([list.path.text, list.records?.text, list.entity] == ["lines", "data[*]", "Line"])
        #expect(list.more?.condition == ".more")
        #expect(list.more?.request.path?.parts.last?.variable == TemplateVariable(.parent, member: "id"))
        guard case .template(let template)? = pipeline.entity(named: "Issue")?.fields[1].origin else {
            Issue.record("expected a template")
            return
        }
        #expect(template.parts == [.parent("owner"), .text("/"), .parent("name")])
    }

    @Test func oneListOfTexts() throws {
        let text = PipelineText.make(
            field: "s: {value: '{{ item }}'}", stream: "params: {s: '{{ item }}'}\n    for_each: [a, b]")
        let stream = try load(text).streams[0]
        #expect(stream.items == [.init(values: ["a", "b"])])
    }
}
