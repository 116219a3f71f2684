// The floor on PostgreSQL: what the flat job costs with nothing but simdjson and libpq. It keeps the same table and a
// base of a 64-bit hash and twelve 32-bit digests per record. In batches it looks up the base, inserts new records by
// binary COPY, and updates changed ones by one statement for the rows and one for the base. Beside it stands what
// people write by hand: no base, all records to a staging table, and from there an upsert.
//
//   sluice-postgres-floor sync FILE URL      merges the records of FILE, one per line, into the database
//   sluice-postgres-floor dry FILE URL       the same comparison without a write
//   sluice-postgres-floor upsert FILE URL    the same rows by a staging table and INSERT … ON CONFLICT DO UPDATE
//   sluice-postgres-floor check URL          the number of rows and a checksum that does not depend on their order
//   sluice-postgres-floor execute URL SQL…   statements one by one, each as a transaction of its own
#include "Issue.hpp"
#include "Postgres.hpp"
#include <exception>
#include <memory_resource>
#include <unordered_map>
#include <vector>

namespace {
/// Reads what the generator writes: `2026-11-02T10:00:00Z`.
Time readTime(string_view text) {
    if (!text.data()) return {};
    auto number = [&](size_t start, size_t count) {
        int value = 0;
        for (size_t i = start; i < start + count; i++) value = value * 10 + (text[i] - '0');
        return value;
    };
    int year = number(0, 4), month = number(5, 2), day = number(8, 2);
    year -= month <= 2;
    int era = year / 400, yearOfEra = year % 400;
    int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    constexpr int64_t daysUntil2000 = 730425;
    int64_t days = era * int64_t(146097) + dayOfEra - daysUntil2000;
    int64_t seconds = ((days * 24 + number(11, 2)) * 60 + number(14, 2)) * 60 + number(17, 2);
    return {seconds * 1000000, false};
}

using ::digest;
uint32_t digest(Time time) { return time.isNull ? 0 : digest(time.microseconds); }

/// One record of a batch, with its times as the database has them.
struct Record {
    Issue issue;
    Time createdAt, updatedAt, closedAt;
    Digests digests;
    uint64_t hash;
};

/// Reads the times of a record and digests its fields. Its text stays where it is.
Record makeRecord(const Issue &issue) {
    Record record = {issue, readTime(issue.createdAt), readTime(issue.updatedAt), readTime(issue.closedAt), {}, 0};
    record.digests = {{digest(issue.id), digest(issue.number), digest(issue.title), digest(issue.state),
                       digest(static_cast<int64_t>(issue.isLocked)), digest(issue.comments), digest(issue.userID),
                       issue.hasMilestone ? digest(issue.milestoneID) : 0, digest(record.createdAt),
                       digest(record.updatedAt), digest(record.closedAt), digest(issue.body)}};
    record.hash = record.digests.hash();
    return record;
}

void append(const Record &record, CopyRows &rows) {
    const Issue &issue = record.issue;
    rows.beginRow(12);
    rows.integer(issue.id);
    rows.integer(issue.number);
    rows.text(issue.title);
    rows.text(issue.state);
    rows.flag(issue.isLocked);
    rows.integer(issue.comments);
    rows.integer(issue.userID);
    issue.hasMilestone ? rows.integer(issue.milestoneID) : rows.null();
    rows.time(record.createdAt);
    rows.time(record.updatedAt);
    rows.time(record.closedAt);
    rows.text(issue.body);
}

constexpr auto createTable = "CREATE TABLE IF NOT EXISTS issues (id bigint PRIMARY KEY, number bigint, title text, "
                             "state text, locked boolean, comments bigint, user_id bigint, milestone_id bigint, "
                             "created_at timestamptz, updated_at timestamptz, closed_at timestamptz, body text)";

struct Counts {
    size_t unchanged = 0, changed = 0, inserted = 0, deleted = 0, conflicts = 0;
};

class Sync {
public:
    Sync(Connection &connection, bool writes) : connection(connection), writes(writes) {
        batch.reserve(batchSize);
        connection.execute(createTable);
        connection.execute("CREATE TABLE IF NOT EXISTS _base (id bigint PRIMARY KEY, hash bigint, fields bytea);"
                           "CREATE TEMP TABLE seen (id bigint) ON COMMIT DROP");
        connection.prepare("readBase", "SELECT id, hash, fields FROM _base WHERE id = ANY($1::bigint[])");
        connection.prepare("readRows",
                           writes ? "SELECT * FROM issues WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"
                                  : "SELECT * FROM issues WHERE id = ANY($1::bigint[])");
        connection.prepare("updateRows",
                           "UPDATE issues t SET number=u.b, title=u.c, state=u.d, locked=u.e, comments=u.f, "
                           "user_id=u.g, milestone_id=u.h, created_at=u.i, updated_at=u.j, closed_at=u.k, body=u.l "
                           "FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::boolean[], "
                           "$6::bigint[], $7::bigint[], $8::bigint[], $9::timestamptz[], $10::timestamptz[], "
                           "$11::timestamptz[], $12::text[]) u(a,b,c,d,e,f,g,h,i,j,k,l) WHERE t.id = u.a");
        connection.prepare("updateBase", "UPDATE _base t SET hash=u.b, fields=u.c FROM "
                                         "unnest($1::bigint[], $2::bigint[], $3::bytea[]) u(a,b,c) WHERE t.id = u.a");
        baseIsEmpty = connection.query("SELECT 1 FROM _base LIMIT 1").count() == 0;
    }

    void merge(Issue issue) {
        for (string_view *text : {&issue.title, &issue.state, &issue.body}) *text = owned(*text);
        batch.push_back(makeRecord(issue));
        if (batch.size() == batchSize) flush();
    }

    void flush() {
        if (batch.empty()) return;
        std::unordered_map<int64_t, Base> bases = readBases();
        CopyRows rows, baseRows;
        changed.clear();
        for (const Record &record : batch) {
            auto base = bases.find(record.issue.id);
            if (base == bases.end()) {
                counts.inserted++;
                if (!writes) continue;
                append(record, rows);
                baseRows.beginRow(3);
                baseRows.integer(record.issue.id);
                baseRows.integer(static_cast<int64_t>(record.hash));
                baseRows.raw(record.digests.fields, sizeof record.digests.fields);
            } else if (base->second.hash == record.hash) {
                counts.unchanged++;
            } else {
                counts.changed++;
                changed.push_back({&record, &base->second.digests});
            }
        }
        countConflicts();
        if (writes) {
            connection.copy("COPY issues FROM STDIN BINARY", rows);
            connection.copy("COPY _base FROM STDIN BINARY", baseRows);
            update();
        }
        batch.clear();
        texts.release();
    }

    /// Removes what the file no longer has.
    void removeMissing() {
        if (baseIsEmpty) return;
        connection.execute("ANALYZE seen");
        Result gone = connection.query(
            writes ? "WITH gone AS (DELETE FROM _base b WHERE NOT EXISTS (SELECT FROM seen s WHERE s.id = b.id) "
                     "RETURNING id), rows AS (DELETE FROM issues i USING gone WHERE i.id = gone.id) "
                     "SELECT count(*) FROM gone"
                   : "SELECT count(*) FROM _base b WHERE NOT EXISTS (SELECT FROM seen s WHERE s.id = b.id)");
        counts.deleted = strtoull(gone.text(0, 0).data(), nullptr, 10);
    }

    Counts counts;

private:
    struct Base {
        uint64_t hash;
        Digests digests;
    };
    struct Change {
        const Record *record;
        const Digests *base;
    };

    /// The parser uses its buffer again for the next record.
    string_view owned(string_view text) {
        if (!text.data()) return {};
        auto copy = static_cast<char *>(texts.allocate(text.size() + 1, 1));
        memcpy(copy, text.data(), text.size());
        return {copy, text.size()};
    }

    std::unordered_map<int64_t, Base> readBases() {
        std::unordered_map<int64_t, Base> bases;
        if (baseIsEmpty) return bases;
        bases.reserve(batch.size());
        Array keys(Type::bigint);
        CopyRows seen;
        for (const Record &record : batch) {
            keys.integer(record.issue.id);
            seen.beginRow(1);
            seen.integer(record.issue.id);
        }
        Result result = connection.run("readBase", {&keys});
        for (int row = 0; row < result.count(); row++) {
            Base base = {static_cast<uint64_t>(result.integer(row, 1)), {}};
            memcpy(base.digests.fields, result.text(row, 2).data(), sizeof base.digests.fields);
            bases.emplace(result.integer(row, 0), base);
        }
        connection.copy("COPY seen FROM STDIN BINARY", seen);
        return bases;
    }

    void countConflicts() {
        if (changed.empty()) return;
        Array keys(Type::bigint);
        std::unordered_map<int64_t, Change> changes;
        for (const Change &change : changed) {
            keys.integer(change.record->issue.id);
            changes.emplace(change.record->issue.id, change);
        }
        Result result = connection.run("readRows", {&keys});
        for (int row = 0; row < result.count(); row++) {
            auto integer = [&](int column) {
                return result.isNull(row, column) ? 0 : digest(result.integer(row, column));
            };
            auto text = [&](int column) { return digest(result.text(row, column)); };
            auto flag = [&](int column) {
                return result.isNull(row, column) ? 0 : digest(static_cast<int64_t>(result.flag(row, column)));
            };
            Digests local = {{integer(0), integer(1), text(2), text(3), flag(4), integer(5), integer(6), integer(7),
                              integer(8), integer(9), integer(10), text(11)}};
            const Change &change = changes.at(result.integer(row, 0));
            const Digests &remote = change.record->digests, &base = *change.base;
            for (int i = 0; i < 12; i++)
                counts.conflicts += remote.fields[i] != base.fields[i] && local.fields[i] != base.fields[i]
                                 && remote.fields[i] != local.fields[i];
        }
    }

    void update() {
        if (changed.empty()) return;
        Array id(Type::bigint), number(Type::bigint), title(Type::text), state(Type::text), locked(Type::boolean),
            comments(Type::bigint), user(Type::bigint), milestone(Type::bigint), createdAt(Type::timestamptz),
            updatedAt(Type::timestamptz), closedAt(Type::timestamptz), body(Type::text), hash(Type::bigint),
            fields(Type::bytes);
        for (const Change &change : changed) {
            const Record &record = *change.record;
            const Issue &issue = record.issue;
            id.integer(issue.id);
            number.integer(issue.number);
            title.text(issue.title);
            state.text(issue.state);
            locked.flag(issue.isLocked);
            comments.integer(issue.comments);
            user.integer(issue.userID);
            issue.hasMilestone ? milestone.integer(issue.milestoneID) : milestone.null();
            createdAt.time(record.createdAt);
            updatedAt.time(record.updatedAt);
            closedAt.time(record.closedAt);
            body.text(issue.body);
            hash.integer(static_cast<int64_t>(record.hash));
            fields.raw(record.digests.fields, sizeof record.digests.fields);
        }
        connection.run("updateRows", {&id, &number, &title, &state, &locked, &comments, &user, &milestone, &createdAt,
                                      &updatedAt, &closedAt, &body});
        connection.run("updateBase", {&id, &hash, &fields});
    }

    static constexpr size_t batchSize = 2000;
    Connection &connection;
    bool writes;
    bool baseIsEmpty;
    std::vector<Record> batch;
    std::vector<Change> changed;
    std::pmr::monotonic_buffer_resource texts;
};

void sync(const char *file, const char *url, bool writes) {
    Connection connection(url);
    connection.execute("BEGIN");
    Sync sync(connection, writes);
    forEachRecord(file, [&](simdjson::ondemand::object object) { sync.merge(readIssue(object)); });
    sync.flush();
    sync.removeMissing();
    connection.execute(writes ? "COMMIT" : "ROLLBACK");
    const Counts &counts = sync.counts;
    printf("unchanged %zu, changed %zu, inserted %zu, deleted %zu, conflicts %zu\n", counts.unchanged, counts.changed,
           counts.inserted, counts.deleted, counts.conflicts);
}

void upsert(const char *file, const char *url) {
    constexpr size_t chunk = 1 << 20;
    Connection connection(url);
    connection.execute("BEGIN");
    connection.execute(createTable);
    connection.execute("CREATE TEMP TABLE staging (LIKE issues) ON COMMIT DROP");
    connection.beginCopy("COPY staging FROM STDIN BINARY");
    CopyRows rows;
    forEachRecord(file, [&](simdjson::ondemand::object object) {
        Issue issue = readIssue(object);
        // No digests here: nothing is compared.
        append({issue, readTime(issue.createdAt), readTime(issue.updatedAt), readTime(issue.closedAt), {}, 0}, rows);
        if (rows.size() >= chunk) connection.send(rows);
    });
    rows.end();
    connection.send(rows);
    connection.endCopy();
    connection.execute("INSERT INTO issues SELECT * FROM staging ON CONFLICT (id) DO UPDATE SET "
                       "number=excluded.number, title=excluded.title, state=excluded.state, locked=excluded.locked, "
                       "comments=excluded.comments, user_id=excluded.user_id, milestone_id=excluded.milestone_id, "
                       "created_at=excluded.created_at, updated_at=excluded.updated_at, "
                       "closed_at=excluded.closed_at, body=excluded.body");
    connection.execute("DELETE FROM issues i WHERE NOT EXISTS (SELECT FROM staging s WHERE s.id = i.id)");
    connection.execute("COMMIT");
}

/// The same for any store that has the table, as in the floor on SQLite.
void check(const char *url) {
    Connection connection(url);
    size_t count = 0;
    uint64_t sum = 0;
    connection.forEachRow("SELECT id, number, title, state, locked, comments, user_id, milestone_id, created_at, "
                          "updated_at, closed_at, body FROM issues",
                          [&](const Result &result) {
                              uint64_t row = 0;
                              for (int column = 0; column < 12; column++) {
                                  uint64_t value = result.isNull(0, column) ? 0 : hashing::hash(result.text(0, column));
                                  row = hashing::fold(row ^ hashing::seeds[column % 4],
                                                      value + static_cast<uint64_t>(column));
                              }
                              count++;
                              sum += row;
                          });
    printf("%zu %016llx\n", count, static_cast<unsigned long long>(sum));
}

void execute(const char *url, char **statements, int count) {
    Connection connection(url);
    for (int i = 0; i < count; i++) connection.execute(statements[i]);
}
} // namespace

int main(int count, char **arguments) try {
    string_view command = count > 1 ? arguments[1] : "";
    if (command == "sync" && count == 4)
        sync(arguments[2], arguments[3], true);
    else if (command == "dry" && count == 4)
        sync(arguments[2], arguments[3], false);
    else if (command == "upsert" && count == 4)
        upsert(arguments[2], arguments[3]);
    else if (command == "check" && count == 3)
        check(arguments[2]);
    else if (command == "execute" && count > 3)
        execute(arguments[2], arguments + 3, count - 3);
    else {
        fputs("usage: sluice-postgres-floor sync|dry|upsert FILE URL | check URL | execute URL SQL…\n", stderr);
        return 64;
    }
    return 0;
} catch (const std::exception &error) {
    fail("the work stopped", error.what());
}
