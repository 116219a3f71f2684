import Bookshelf
import Sluice

@main enum ShelfProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let store = try Store(arguments.first ?? "books.db", models: Book.self)
        if arguments.dropFirst().first == "watch" {
            for try await unread in store.values(Book.where { !$0.isRead }.order(by: \.title)) {
                print(unread.map(\.title))
            }
        }
        let shelf = Shelf(store: store)
        while let line = readLine() {
            do {
                for answer in try await shelf.perform(line) { print(answer) }
            } catch {
                print(error)
            }
        }
        await store.close()
    }
}
