import SluiceDiagnostics
import SluiceJSON
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import SluiceSchedule
import Testing

@Suite struct ValidPipelineTests {
    private func load(_ name: String) throws -> PipelineDefinition {
        let path = "\(Fixtures.root)/fixtures/pipelines/valid/\(name).yaml"
        let environment = ["API_HOST": "api.example.com"]
        let (definition, problems) = PipelineLoader.load(path: path, environment: environment, mode: .run)
        #expect(Fixtures.render(problems) == "")
        return try #require(definition)
    }

    @Test(arguments: Fixtures.names(in: "valid"))
    func validPipelineHasNoProblems(name: String) throws {
        _ = try load(name)
    }

    @Test func minimalPipelineTakesTheDefaults() throws {
        let pipeline = try load("minimal")
        #expect(pipeline.name == "books")
        #expect(pipeline.description == nil)
        #expect(pipeline.store == nil)
        let source = pipeline.source
        guard case .http(let url) = source.base, case .none = source.authentication else {
            Issue.record("expected an open HTTP source")
            return
        }
        #expect(url.revealed == "https://api.example.com")
        #expect(source.timeout == .init())
        #expect(source.retry == .init())
        #expect(source.allowedHosts.isEmpty)
        #expect(source.maximumResponseBytes == 67_108_864)
        #expect(source.maximumRecordBytes == 16_777_216)
        let entity = try #require(pipeline.entity(named: "Book"))
        #expect(entity.table == "book")
        #expect(entity.primaryKey == ["id"])
        #expect(entity.fields.map(\.isRequired) == [true])
        let stream = try #require(pipeline.streams.first)
        #expect(stream.path == nil)
        #expect(stream.format == .json)
        #expect(stream.records == nil)
        #expect(stream.paginator == .none)
        #expect(stream.deleteMissing == DeleteRule(mode: .ignore, maximum: .percent(10), minimumRecords: 1))
    }

    @Test func completeTopLevelAndSource() throws {
        let pipeline = try load("complete")
        #expect(pipeline.description == "Books for $5 from Riga")
        #expect(pipeline.store == "sqlite:\(Fixtures.root)/fixtures/pipelines/valid/data/shop-v2.db")
        #expect(!pipeline.storeIsSecret)
        #expect(pipeline.notifications.map(\.events) == [Set(NotificationDefinition.Event.allCases), [.failed]])
        #expect(pipeline.notifications.map(\.timeout) == [.seconds(10), .seconds(30)])
        guard case .webhook(let hook) = pipeline.notifications[0].channel,
            case .command(let words) = pipeline.notifications[1].channel
        else {
            Issue.record("expected a webhook and a command")
            return
        }
        #expect(hook.revealed == "https://hooks.example.com/shop-v2" && !hook.description.contains("hooks"))
        let program = "\(Fixtures.root)/fixtures/pipelines/valid/bin/page-me"
        #expect(words.map(\.revealed) == [program, "--name", "shop-v2", "7"])
        let source = pipeline.source
        guard case .http(let url) = source.base, case .bearer(let token) = source.authentication else {
            Issue.record("expected HTTP with a bearer token")
            return
        }
        #expect(url.revealed == "https://api.example.com:8443/v2")
        #expect(url.description == "https://***:8443/v2")
        #expect(token.revealed == "hunter2-is-secret")
        #expect(token.description == "***")
        #expect(source.timeout.connect == .seconds(5))
        #expect(source.timeout.idle == .milliseconds(500))
        #expect(source.timeout.total == .seconds(7200))
        #expect(source.maximumResponseBytes == 524_288)
        #expect(source.maximumRecordBytes == 10_000_000)
        #expect(
            source.allowedHosts == [
                .init(host: "cdn.example.com"), .init(host: "localhost", port: 8080),
                .init(host: "[::1]", port: 9000, sendsCredentials: true),
            ])
        #expect(source.retry.maximumAttempts == 3)
        #expect(source.retry.base == .milliseconds(250))
        #expect(source.retry.maximumDelay == .seconds(60))
        #expect(source.retry.maximumWait == .zero)
    }

    @Test func completeSchedule() throws {
        let schedule = try #require(load("complete").schedule).pipeline
        #expect(schedule.schedule.trigger == .cron(try CronExpression("*/15 6-20 * * MON-FRI")))
        #expect(schedule.schedule.zone.name == "Europe/Riga")
        #expect(schedule.schedule.jitter == Jitter(seconds: 30, name: "book-shop"))
        #expect(schedule.after == ["publishers", "shop-v2"])
        #expect(try load("files").schedule?.pipeline.schedule.trigger == .every(seconds: 5400))
        #expect(try load("minimal").schedule == nil)
    }

    @Test func completeEntity() throws {
        let pipeline = try load("complete")
        let book = try #require(pipeline.entity(named: "Book"))
        #expect(book.table == "books")
        #expect(book.unique == [["title", "published"], ["sku"]])
        #expect(try #require(pipeline.entity(named: "OrderLine")).table == "order_line")
        #expect(try #require(pipeline.entity(named: "OrderLine")).unique == [["sku", "order_id"]])
        let fields = Dictionary(uniqueKeysWithValues: book.fields.map { ($0.name, $0) })
        #expect(
            book.fields.map(\.name) == [
                "isbn", "title", "author", "published", "updated_at", "sku", "price", "currency", "pages", "state",
                "weird.name",
            ])
        let author = try #require(fields["author"])
        #expect(author.column == "author_name")
        #expect(author.onMissing == .setNull)
        #expect(author.onNull == .keep)
        #expect(author.path?.steps == [.name("author"), .name("name")])
        let published = try #require(fields["published"])
        #expect(published.type == .date)
        #expect(published.format == "%d.%m.%Y")
        #expect(published.defaultJSON == "\"01.01.1970\"")
        #expect(published.onMissing == .default)
        #expect(published.path?.steps == [.name("dates"), .name("published at")])
        #expect(fields["updated_at"]?.timezone == "+02:00")
        #expect(fields["sku"]?.onMissing == .fail)
        #expect(fields["sku"]?.onNull == .fail)
        #expect(fields["price"]?.defaultJSON == "\"12.50\"")
        #expect(fields["pages"]?.defaultJSON == "16")
        #expect(fields["currency"]?.defaultJSON == "\"EUR\"")
        #expect(fields["title"]?.isRequired == true)
        #expect(fields["title"]?.onMissing == .keep)
        let state = try #require(fields["state"])
        #expect(state.values == ["in print", "out of print"])
        #expect(
            state.map == ["1": .json("\"in print\""), "0": .json("\"out of print\""), "?": .null])
        #expect(fields["weird.name"]?.path?.steps == [.name("weird.name")])
        #expect(fields["weird.name"]?.type == .json)
    }

    @Test func streamsWinOverDefaultsAndSource() throws {
        let pipeline = try load("complete")
        let books = try #require(pipeline.streams.first)
        #expect(books.path?.revealed == "/books/shop-v2")
        #expect(books.parameters.map(\.name) == ["per_page", "sort", "state", "page"])
        #expect(books.parameters.map(\.value.revealed) == ["100", "desc", "on", "1"])
        #expect(books.headers.map(\.name) == ["X-Client", "x-shop"])
        #expect(books.headers.map(\.value.revealed) == ["sluice-north", "the stream's"])
        #expect(books.headers.map(\.value.description) == ["sluice-***", "the stream's"])
        #expect(books.records?.steps == [.name("data"), .name("items"), .wildcard])
        #expect(books.paginator == .headerLink(relation: "more"))
        #expect(books.deleteMissing == DeleteRule(mode: .hard, maximum: .percent(2.5), minimumRecords: 10))
        let lines = try #require(pipeline.streams.last)
        #expect(lines.format == .jsonl)
        #expect(lines.paginator == .none)
        #expect(lines.deleteMissing == DeleteRule(mode: .report))
    }

    @Test func fileSource() throws {
        let pipeline = try load("files")
        guard case .file(let path) = pipeline.source.base,
            case .apiKey(.query, let name, let value) = pipeline.source.authentication
        else {
            Issue.record("expected files and an API key")
            return
        }
        #expect(path == "\(Fixtures.root)/fixtures/pipelines/valid/../data")
        #expect(name == "key")
        #expect(value.description == "***")
        let entity = try #require(pipeline.entities.first)
        #expect(entity.table == "http_server")
        guard case .template(let template) = entity.fields[0].origin else {
            Issue.record("expected a template")
            return
        }
        #expect(template.parts == [.text("f-"), .fileStem])
        #expect(entity.fields[2].map == ["Y": .json("true"), "N": .json("false")])
        #expect(pipeline.streams[0].entries == "version")
        #expect(pipeline.streams[0].records?.steps == [.name("versions")])
    }
}

extension FieldDefinition {
    fileprivate var path: JSONPath? {
        if case .path(let path) = origin { return path }
        return nil
    }
}
