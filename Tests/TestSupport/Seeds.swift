import FoundationEssentials

/// The seeds of property tests: few in `make test`, more where somebody asks for them.
///
/// `SLUICE_SEED=n` runs one alone, that of a failure; `SLUICE_DEPTH=n` runs n times as many, as `make deep` does.
public enum Seeds {
    /// The first seeds, from 1 on.
    ///
    /// - Parameters:
    ///   - count: How many `make test` runs.
    ///   - found: Later ones that found something once.
    /// - Returns: The seeds.
    public static func first(_ count: UInt64, and found: [UInt64] = []) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SLUICE_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let depth = environment["SLUICE_DEPTH"].flatMap { UInt64($0) } ?? 1
        let last = count * max(1, min(depth, 1000))
        return Array(1...last) + found.filter { $0 > last }
    }

    /// Whether somebody asks for more than `make test` runs.
    public static var isDeep: Bool {
        (ProcessInfo.processInfo.environment["SLUICE_DEPTH"].flatMap { Int($0) } ?? 1) > 1
    }

    /// Some of many cases that are much alike: each so-and-so many-th in `make test`, and all of them where more seeds are asked for.
    ///
    /// - Parameters:
    ///   - cases: All cases.
    ///   - step: Of how many `make test` runs one.
    /// - Returns: The cases.
    public static func some<Case>(of cases: [Case], oneOf step: Int) -> [Case] {
        isDeep ? cases : stride(from: 0, to: cases.count, by: step).map { cases[$0] }
    }

    /// All cases in the first of some places, and some of them in each other one.
    ///
    /// - Parameters:
    ///   - cases: All cases.
    ///   - places: The places, such as kinds of stores.
    ///   - step: Of how many cases `make test` runs one in the other places.
    /// - Returns: The cases with their places.
    public static func pairs<Case, Place>(_ cases: [Case], in places: [Place], oneOf step: Int = 3) -> [(Case, Place)] {
        places.enumerated().flatMap { index, place in
            (index == 0 ? cases : some(of: cases, oneOf: step)).map { ($0, place) }
        }
    }

    /// The same with the place first.
    ///
    /// - Parameters:
    ///   - places: The places, such as kinds of stores.
    ///   - cases: All cases.
    ///   - step: Of how many cases `make test` runs one in the other places.
    /// - Returns: The places with their cases.
    public static func pairs<Case, Place>(in places: [Place], _ cases: [Case], oneOf step: Int = 3) -> [(Place, Case)] {
        pairs(cases, in: places, oneOf: step).map { ($1, $0) }
    }
}
