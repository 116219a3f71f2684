import SluicePostgres
import Testing

@Suite("The address of a PostgreSQL database")
struct AddressTests {
    @Test(arguments: [
        (
            "postgres://bob@db.example.com:5433/shop?sslmode=verify-full",
            "user=bob host=db.example.com port=5433 dbname=shop"
        ),
        ("postgresql://bob:tops3cret@db/shop", "user=bob host=db dbname=shop"),
        ("host=db user=bob password='tops3cret' dbname=shop", "user=bob host=db dbname=shop"),
        ("postgres:///shop?host=/tmp/x&user=bob&password=tops3cret", "user=bob host=/tmp/x dbname=shop"),
        ("postgres://bob:p%40tops3cret@db/shop", "user=bob host=db dbname=shop"),
        ("service=shop", "service=shop"), ("", ""),
    ])
    func showsAllButThePassword(_ text: String, _ shown: String) throws {
        let address = try PostgresAddress(text)
        #expect("\(address)" == shown)
        #expect(String(reflecting: address) == shown)
        var dumped = ""
        dump(address, to: &dumped)
        #expect(!dumped.contains("tops3cret"))
    }

    /// Passwords that end early, and texts that libpq cannot read: it quotes them in its own words.
    @Test(arguments: [
        "postgres://bob:tops3cret/more@db/shop", "postgres://bob:some@tops3cret@db/shop",
        "postgres://bob:tops3cret/x?y@db/shop", "postgres://bob:%zztops3cret@db/shop",
        "postgres://bob@db/shop?password=tops3cret=x", "postgres://bob@db/shop?tops3cret",
        "postgres://bob@[tops3cret", "postgres://bob@db/shop?nothing=tops3cret", "host=db password=a tops3cret",
        "host=db password='tops3cret", "host=db password=a tops3cret=b", "port=tops3cret",
        "postgres://db:tops3cret", "postgres://bob:tops3cret%00x@db", "host=db\0password=tops3cret",
    ])
    func noErrorShowsAPartOfIt(_ text: String) throws {
        let error = try #require(throws: PostgresError.self) {
            _ = try PostgresConnection(PostgresAddress(text))
        }
        #expect(error.code == .cannotConnect)
        #expect(!"\(error)".contains("tops3cret"), "\(error)")
        #expect(!String(reflecting: error).contains("tops3cret"))
    }

    @Test func whereNobodyListensIsToldWithAddressAndRemedy() throws {
        let address = try PostgresAddress("postgres://bob:tops3cret@127.0.0.1:1/shop?connect_timeout=5")
        let error = try #require(throws: PostgresError.self) { _ = try PostgresConnection(address) }
        #expect(error.code == .cannotConnect && error.isConnectionLost && !error.isRetriable)
        #expect("\(error)".contains("127.0.0.1") && "\(error)".contains("port 1 failed"), "\(error)")
        #expect("\(error)".contains("Check host, port"))
        #expect(!"\(error)".contains("tops3cret"))
    }

    @Test func aHostThatIsThePasswordIsVeiled() throws {
        let address = try PostgresAddress("host=tops3cret.invalid password=tops3cret port=1")
        let error = try #require(throws: PostgresError.self) { _ = try PostgresConnection(address) }
        #expect(!"\(error)".contains("tops3cret") && "\(error)".contains("***.invalid"), "\(error)")
    }
}
