#!/usr/bin/python3
"""No circle of more than three object files inside a static library, as the linker sees it: who uses whose functions.

    circles.py BUILD        checks the libraries of a build folder
    circles.py --self-test  checks the search for circles on small graphs with and without one

Two or three files that call each other are one module in parts (a walk and what it walks into); more are a knot. Exit 77: the
objects hold no symbols that nm could read (link-time optimisation), so that nothing was checked.
"""
import glob
import os
import re
import subprocess
import sys

CIRCLE_MAX = 3


def circles(uses):
    """The strongly connected components of {name: names it uses} with more than one member, the largest first (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(uses[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for name in sorted(uses):
        if name not in index:
            visit(name)
    return sorted(found, key=len, reverse=True)


def uses_of(library):
    """{object: {object whose symbol it uses: such symbols}} inside one static library."""
    out = subprocess.run(["nm", "-A", library], capture_output=True, text=True, check=True).stdout
    defined, wanted = {}, {}
    for line in out.splitlines():
        m = re.fullmatch(r".*:([^:]+\.o):[0-9a-f ]*([A-Za-z]) (\S+)", line)
        if m is None:
            continue
        name, kind, symbol = m.groups()
        wanted.setdefault(name, set())
        if kind == "U":
            wanted[name].add(symbol)
        elif kind.isupper():
            defined[symbol] = name
    return {name: {defined[s]: {t for t in symbols if defined.get(t) == defined[s]} for s in symbols if defined.get(s, name) != name}
            for name, symbols in wanted.items()}


def shortest(uses, members, name):
    """The shortest way from `name` back to it, as text: what to look at first."""
    ways = [[name]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for other in sorted(uses[way[-1]]):
            if other == name:
                steps = zip(way, way[1:] + [name])
                return ", ".join(f"{a} uses {min(uses[a][b])} of {b}" if isinstance(uses[a], dict) else f"{a} -> {b}" for a, b in steps)
            if other in members and other not in seen:
                seen.add(other)
                ways.append(way + [other])
    return ""


def self_test():
    graphs = [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [2]),
        ({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"a"}, "e": {"a"}}, [4]),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c"}}, [3, 2]),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}, []),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"a"}}, [4]),
    ]
    missed = [f"{graph}: wanted circles of {wanted}, got {got}" for graph, wanted in graphs if (got := [len(c) for c in circles(graph)]) != wanted]
    way = shortest(graphs[2][0], {"a", "b", "c", "d"}, "a")
    if way != "a -> b, b -> c, c -> d, d -> a":
        missed.append(f"the way round: {way}")
    print("\n".join(missed) or f"{len(graphs)} graphs judged")
    return 1 if missed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = objects = 0
    libraries = sorted(glob.glob(os.path.join(sys.argv[1], "lib*.a")))
    for library in libraries:
        name = re.sub(r"^lib|\.a$", "", os.path.basename(library))
        uses = uses_of(library)
        objects += sum(1 for used in uses.values() if used)
        for circle in circles(uses):
            if len(circle) > CIRCLE_MAX:
                print(f"{name}: a circle of {len(circle)} objects, at most {CIRCLE_MAX}: {' '.join(o.removesuffix('.c.o') for o in circle)}")
                print(f"    for example: {shortest(uses, set(circle), circle[0])}")
            faults += len(circle) > CIRCLE_MAX
    print(f"{len(libraries)} libraries, {faults} circles too large")
    if objects == 0:
        return 77 if libraries else 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
