// Records that lead to each other, and what becomes of them when one is deleted.
import Checking
import Sluice

@PersistentModel
struct Shop {
    let id: Int
    var name: String
    @Relationship(inverse: "shop", deleteRule: .cascade) var employees: Refs<Employee>
}

@PersistentModel
struct Employee {
    let id: Int
    var name: String
    @Relationship(inverse: "employees", deleteRule: .nullify) var shop: Ref<Shop>?
    @Relationship(inverse: "reports", deleteRule: .nullify) var boss: Ref<Employee>?
    @Relationship(inverse: "boss", deleteRule: .deny) var reports: Refs<Employee>
}

@PersistentModel
struct EagerShop {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var employees: [EagerEmployee]
}

@PersistentModel
struct EagerEmployee {
    let id: Int
    @Relationship(inverse: .none, deleteRule: .nullify) var shop: EagerShop?
}

struct TakenBack: Error {}
@main enum CycleProgram {
    static func main() async throws {
        let store = try Store.temporary(Shop.self)
        try await store.write { tx in
            var shop = Shop(id: 1, name: "Carpets", employees: [])
            var ann = Employee(id: 1, name: "Ann", shop: Ref(1), boss: Ref(2), reports: [])
            var bob = Employee(id: 2, name: "Bob", shop: Ref(1), boss: Ref(1), reports: [])
            try tx.save(&shop)
            try tx.save(&ann)
            try tx.save(&bob)
        }

        try await store.write { tx in
            var shop = try tx.find(Shop.self, 1)
            let colleagues = try shop.employees.load(in: tx).first?.shop?.load(in: tx)?.employees.count(in: tx)
            check(colleagues == 2, "a cycle is followed as far as one asks")

            var ann = try tx.find(Employee.self, 1)
            do {
                try tx.delete(&ann)
                check(false, "who has reports is not deleted")
            } catch let error as SluiceError {
                check(error.code == .denied, "who has reports is not deleted")
            }
            check(try tx.count(Employee.all) == 2, "and nothing was written")

            do {
                try tx.part {
                    let isDeleted = try tx.delete(&shop)
                    check(isDeleted, "a shop goes with all who work there")
                    check(try tx.count(Employee.all) == 0, "since nobody would be left to report to")
                    throw TakenBack()
                }
            } catch is TakenBack {}
        }

        let shops = try await store.fetch(Shop.all.including(\.employees))
        check(shops[0].employees.values?.map(\.name) == ["Ann", "Bob"], "the part was taken back alone")
        do throws(SluiceError) {
            _ = try Schema(EagerShop.self)
            check(false, "a circle of records by value is refused")
        } catch {
            let circle = "EagerShop.employees → EagerEmployee.shop → EagerShop"
            check(error.problems.first?.hasPrefix(circle) == true, "a circle of records by value is refused")
        }
    }
}
