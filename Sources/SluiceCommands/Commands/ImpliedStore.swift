internal import SluiceStore
internal import SluiceStores

/// Which store a command means that names neither files nor a store: the one that `sluice run` fills with the same words. That is
/// the store of the pipelines in the usual folder, but where the environment names one, which is said for these commands.
struct ImpliedStore: Equatable {
    /// Whether the pipelines of the usual folder say it; else the environment, or the usual file.
    let isOfFolder: Bool
    /// The stores that might be meant as well.
    let others: [StoreAddress]

    /// What the environment and the usual folder imply.
    ///
    /// - Parameters:
    ///   - environment: The environment.
    ///   - folder: What the pipelines of the usual folder fill; none where there are none.
    /// - Throws: Where the environment names no store that is known.
    init(environment: [String: String], folder: [StoreAddress]) throws {
        let isNamed = environment["SLUICE_STORE"]?.isEmpty == false
        let standard = StoreAddress.standard
        self.init(
            variable: isNamed ? try .choose(option: nil, environment: environment) : nil,
            standard: standard.backend.exists ? standard : nil, folder: folder)
    }

    /// - Parameters:
    ///   - variable: The store that the environment names.
    ///   - standard: The usual file, where it is there.
    ///   - folder: What the pipelines of the usual folder fill; none where there are none.
    init(variable: StoreAddress?, standard: StoreAddress?, folder: [StoreAddress]) {
        if let variable {
            isOfFolder = false
            others = folder.filter { $0.normalized != variable.normalized }
        } else if let standard, folder.allSatisfy({ $0.normalized == standard.normalized }) {
            (isOfFolder, others) = (false, [])
        } else {
            isOfFolder = !folder.isEmpty
            others =
                standard.map { usual in folder.contains { $0.normalized == usual.normalized } ? [] : [usual] } ?? []
        }
    }
}
