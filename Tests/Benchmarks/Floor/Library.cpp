// The floor of the library: what reading, finding and inserting rows costs with nothing but SQLite. It keeps what the
// library keeps: a copy of every text.
//
//   sluice-library-floor fetch STORE           keeps all rows
//   sluice-library-floor each STORE            makes each row and lets it go
//   sluice-library-floor find STORE            looks up two hundred thousand keys, far from each other
//   sluice-library-floor insert COUNT STORE    inserts made-up rows, in one transaction
#include "Database.hpp"
#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

using std::optional;
using std::string;
using std::string_view;

namespace {
const char *const columns = "id, number, title, state, locked, comments, user_id, milestone_id, created_at, updated_at, "
                            "closed_at, body";

struct Issue {
    int64_t id, number, comments, userID;
    optional<int64_t> milestoneID;
    bool isLocked;
    string title, state, createdAt, updatedAt;
    optional<string> closedAt, body;
};

optional<string> text(Statement &row, int column) {
    if (row.isNull(column)) return {};
    return string(row.text(column));
}

Issue issue(Statement &row) {
    return {row.integer(0),
            row.integer(1),
            row.integer(5),
            row.integer(6),
            row.isNull(7) ? optional<int64_t>() : row.integer(7),
            row.integer(4) != 0,
            string(row.text(2)),
            string(row.text(3)),
            string(row.text(8)),
            string(row.text(9)),
            text(row, 10),
            text(row, 11)};
}

void fetch(Database &database) {
    Statement rows(database, (string("SELECT ") + columns + " FROM issues ORDER BY id").c_str());
    std::vector<Issue> all;
    while (rows.step()) all.push_back(issue(rows));
    printf("%zu\n", all.size());
}

void each(Database &database) {
    Statement rows(database, (string("SELECT ") + columns + " FROM issues ORDER BY id").c_str());
    size_t length = 0;
    while (rows.step()) length += issue(rows).title.size();
    printf("%zu\n", length);
}

void find(Database &database) {
    std::vector<int64_t> keys;
    Statement ids(database, "SELECT id FROM issues ORDER BY id");
    while (ids.step()) keys.push_back(ids.integer(0));
    Statement row(database, (string("SELECT ") + columns + " FROM issues WHERE id = ?1").c_str());
    int64_t comments = 0;
    for (size_t index = 0; index < std::min<size_t>(200'000, keys.size() * 2); index++) {
        row.bind(1, keys[index * 1'000'003 % keys.size()]);
        if (row.step()) comments += issue(row).comments;
        row.reset();
    }
    printf("%lld\n", static_cast<long long>(comments));
}

void insert(Database &database, int64_t count) {
    database.execute("CREATE TABLE issues (id INTEGER PRIMARY KEY, number INTEGER, title TEXT, state TEXT, "
                     "locked INTEGER, comments INTEGER, user_id INTEGER, milestone_id INTEGER, created_at TEXT, "
                     "updated_at TEXT, closed_at TEXT, body TEXT) STRICT; BEGIN IMMEDIATE");
    {
        Statement row(database, "INSERT INTO issues VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)");
        for (int64_t number = 1; number <= count; number++) {
            string title = "Issue " + std::to_string(number);
            string body = "What happens, what should happen instead, and how to make it happen again: "
                        + std::to_string(number);
            row.bind(1, number);
            row.bind(2, number);
            row.bind(3, title);
            row.bind(4, string_view("open"));
            row.bind(5, int64_t(number % 3 == 0));
            row.bind(6, number % 7);
            row.bind(7, number % 1000);
            row.bindNull(8);
            row.bind(9, string_view("2024-05-17T08:00:00Z"));
            row.bind(10, string_view("2024-05-18T08:00:00Z"));
            row.bindNull(11);
            row.bind(12, body);
            row.run();
        }
    }
    database.execute("COMMIT");
    printf("%lld\n", static_cast<long long>(count));
}
} // namespace

int main(int count, char **arguments) try {
    string_view command = count > 1 ? arguments[1] : "";
    if (command == "insert" && count == 4) {
        Database database(arguments[3]);
        insert(database, std::atoll(arguments[2]));
        return 0;
    }
    if (count != 3) command = "";
    if (command != "fetch" && command != "each" && command != "find") {
        fputs("usage: sluice-library-floor fetch|each|find STORE | insert COUNT STORE\n", stderr);
        return 64;
    }
    Database database(arguments[2]);
    if (command == "fetch") fetch(database);
    if (command == "each") each(database);
    if (command == "find") find(database);
    return 0;
} catch (const std::exception &error) {
    fail("the work stopped", error.what());
}
