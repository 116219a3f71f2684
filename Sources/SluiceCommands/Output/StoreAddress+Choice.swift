internal import SluiceStores

extension StoreAddress {
    /// The store of a command that has no pipeline.
    ///
    /// - Throws: ``Failure`` where `$SLUICE_STORE` names none.
    static func choose(option: StoreAddress?, environment: [String: String]) throws -> StoreAddress {
        if let option { return option }
        guard let url = environment["SLUICE_STORE"], !url.isEmpty else { return .standard }
        guard let address = StoreAddress(url) else {
            throw Failure(.usage, "The variable `SLUICE_STORE` \(problem(with: url))")
        }
        return address
    }
}
