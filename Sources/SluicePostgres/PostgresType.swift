/// A type of PostgreSQL by its number, which is the same on every server. See: postgresql.org/docs/current/datatype-oid.html
package struct PostgresType: Sendable, Hashable, RawRepresentable {
    /// The number.
    package let rawValue: UInt32

    /// Makes a type of a number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A type that the server finds out from where the value stands.
    package static let inferred = PostgresType(rawValue: 0)
    /// `boolean`.
    package static let bool = PostgresType(rawValue: 16)
    /// `bytea`.
    package static let bytea = PostgresType(rawValue: 17)
    /// `bigint`.
    package static let int8 = PostgresType(rawValue: 20)
    /// `text`.
    package static let text = PostgresType(rawValue: 25)
    /// `double precision`.
    package static let float8 = PostgresType(rawValue: 701)
    /// `date`.
    package static let date = PostgresType(rawValue: 1082)
    /// `timestamp with time zone`.
    package static let timestamptz = PostgresType(rawValue: 1184)
    /// `numeric`.
    package static let numeric = PostgresType(rawValue: 1700)
    /// `uuid`.
    package static let uuid = PostgresType(rawValue: 2950)
    /// `jsonb`.
    package static let jsonb = PostgresType(rawValue: 3802)

    // Types that are read, as one of those above, and never sent.
    static let name = PostgresType(rawValue: 19)
    static let int2 = PostgresType(rawValue: 21)
    static let int4 = PostgresType(rawValue: 23)
    static let oid = PostgresType(rawValue: 26)
    static let json = PostgresType(rawValue: 114)
    static let float4 = PostgresType(rawValue: 700)
    static let unknown = PostgresType(rawValue: 705)
    static let bpchar = PostgresType(rawValue: 1042)
    static let varchar = PostgresType(rawValue: 1043)

    /// The type of arrays whose elements are of a type that is sent; nil for other types.
    var array: PostgresType? {
        switch self {
        case .bool: PostgresType(rawValue: 1000)
        case .bytea: PostgresType(rawValue: 1001)
        case .int8: PostgresType(rawValue: 1016)
        case .text: PostgresType(rawValue: 1009)
        case .float8: PostgresType(rawValue: 1022)
        case .date: PostgresType(rawValue: 1182)
        case .timestamptz: PostgresType(rawValue: 1185)
        case .numeric: PostgresType(rawValue: 1231)
        case .uuid: PostgresType(rawValue: 2951)
        case .jsonb: PostgresType(rawValue: 3807)
        default: nil
        }
    }
}
