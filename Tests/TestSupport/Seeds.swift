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
}
