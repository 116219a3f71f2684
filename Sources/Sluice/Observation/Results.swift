public import Observation

/// The records of a query for what shows them: they change as the store does, on the main actor.
///
/// ```swift
/// @MainActor final class Shelf {
///     let unread: Results<Book>
///     init(store: Store) { unread = Results(Book.where { !$0.isRead }.order(by: \.title), in: store) }
/// }
/// ```
///
/// It looks at the store for as long as somebody holds it. What reads ``values`` within `withObservationTracking` is told of
/// changes; see ``Store/values(_:)`` for which commits count.
@MainActor @Observable
public final class Results<M: PersistentModel> {
    /// The records; none before the first look.
    public private(set) var values: [M] = []
    /// Whether the store was looked at.
    public private(set) var isLoaded = false
    /// What ended the observation; nil while it goes on. ``values`` are then the last ones that could be read.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Begins to look at a store.
    ///
    /// - Parameters:
    ///   - query: The records.
    ///   - store: The store.
    public init(_ query: Query<M>, in store: Store) {
        let observed = store.values(query)
        task = Task { [weak self] in
            do {
                for try await values in observed {
                    guard let self else { return }
                    self.values = values
                    self.isLoaded = true
                }
            } catch {
                self?.error = error
            }
        }
    }

    isolated deinit { task?.cancel() }
}
