/// What the generated records are made of.
enum Vocabulary {
    static let words = """
        shelf label printer stops after a reprint basket total rounds wrongly when voucher and discount meet search \
        ignores accents in author names import of supplier list ends halfway stock count negative returned parcel \
        reader offline order mail arrives twice cover image missing on small screens page never loads slow query \
        under evening traffic barcode scanner sends extra digit price change keeps old currency gift wrap option \
        lost between steps reservation expires early time zone of branch unclear invoice number skips catalogue export
        """.split(separator: " ").map(String.init)

    static let accents = ["café", "Łódź", "東京", "→", "«cité»", "parcel 📦", "Ærø", "straße", "Ωmega"]

    static let escapes = [
        "first line\nsecond line", "the \"blue\" shelf", "D:\\exports\\may", "column\tcolumn", "run `price = 1`\r\n",
    ]

    static let associations = ["OWNER", "STAFF", "CUSTOMER", "SUPPLIER"]

    static let labels: [Label] = ["area", "kind", "rank", "phase", "team", "shop", "wants", "first", "sort", "effort"]
        .flatMap { group in
            [
                "till", "web", "stock", "mail", "print", "search", "order", "price", "stamp", "bug", "idea", "low",
                "high",
                "some", "tiny", "small", "fair", "large", "text", "photo",
            ].map { "\(group):\($0)" }
        }
        .enumerated().map { Label(id: 310_000_000 + $0.offset * 19, name: $0.element, color: color($0.offset)) }

    static let milestones: [Milestone] = (0..<100).map { index in
        Milestone(
            id: 2_004_000 + index * 37, number: index + 1, title: "v\(index / 10).\(index % 10).0",
            state: index > 55 ? "open" : "closed", dueOn: Timestamp(1_600_000_000 + index * 2_592_000).text)
    }

    private static func color(_ index: Int) -> String {
        let digits = String((index &* 40_503_101) & 0xFF_FFFF, radix: 16)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// A label that many records share.
struct Label {
    let id: Int
    let name: String
    let color: String
}

/// A milestone that many records share.
struct Milestone {
    let id: Int
    let number: Int
    let title: String
    let state: String
    let dueOn: String
}
