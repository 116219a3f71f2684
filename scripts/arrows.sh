#!/bin/sh
# Checks that the folders of a target use only what stands below them, in the order of scripts/arrows.txt: a folder that
# names a type of a higher one fails, but for the exceptions of that list; an exception that is no longer needed fails too.
set -eu
cd "$(dirname "$0")/.."

find Sources -name '*.swift' | LC_ALL=C sort | awk '
    # The target of a path, and the folder within it: `.` for files beside the folders.
    function place(path, parts, count) {
        count = split(path, parts, "/")
        target = parts[2]
        folder = count > 3 ? parts[3] : "."
    }
    # A line of code without its comment and its plain texts.
    function code(line) {
        if (line ~ /"""/) { isText = !isText; return "" }
        if (isText) return ""
        gsub(/"([^"\\]|\\[^(])*"/, "\"\"", line)
        sub(/\/\/.*/, "", line)
        return line
    }
    function complain(text) { print text > "/dev/stderr"; failed = 1 }

    FILENAME != "-" {
        sub(/[ \t]*#.*/, "")
        if ($0 == "") next
        if ($1 ~ /:$/) {
            sub(/:$/, "", $1)
            for (i = 2; i <= NF; i++) { rank[$1, $i] = i; isChecked[$1] = 1 }
        } else if ($1 == "allow") {
            allowed[$2, $3, $5, $6] = 1
        } else complain("scripts/arrows.txt: cannot read the line: " $0)
        next
    }
    { files[++count] = $0 }
    END {
        for (i = 1; i <= count; i++) {
            place(files[i])
            if (!(target in isChecked)) continue
            if (!((target, folder) in rank)) complain("scripts/arrows.txt: the folder " folder " of " target " is not in the order")
            while ((getline line < files[i]) > 0) {
                if (line !~ /^(@|public |package |internal |final |indirect |nonisolated |struct |enum |class |actor |protocol |typealias )/) continue
                line = code(line)
                if (match(line, /(struct|enum|class|actor|protocol|typealias) [A-Z][A-Za-z0-9]*/)) {
                    split(substr(line, RSTART, RLENGTH), words, " ")
                    home[target, words[2]] = folder
                }
            }
            close(files[i])
        }
        for (i = 1; i <= count; i++) {
            place(files[i])
            if (!(target in isChecked)) continue
            isText = 0
            while ((getline line < files[i]) > 0) {
                line = code(line)
                while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
                    name = substr(line, RSTART, RLENGTH)
                    line = substr(line, RSTART + RLENGTH)
                    if (!((target, name) in home)) continue
                    other = home[target, name]
                    if (rank[target, other] >= rank[target, folder]) continue
                    if ((target, folder, other, name) in allowed) { used[target, folder, other, name] = 1; continue }
                    if ((files[i], name) in told) continue
                    told[files[i], name] = 1
                    complain(files[i] ": names " name ", which is in the folder " other " above " folder)
                }
            }
            close(files[i])
        }
        for (exception in allowed) if (!(exception in used)) {
            split(exception, words, SUBSEP)
            complain("scripts/arrows.txt: nothing needs the exception: allow " words[1] " " words[2] " -> " words[3] " " words[4])
        }
        exit failed
    }' scripts/arrows.txt -
