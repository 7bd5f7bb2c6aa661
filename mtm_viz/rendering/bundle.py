"""The player's ES modules as one classic script, for pages that open from disk (where browsers refuse `import`).

The modules keep to a small dialect (named imports and exports at the start of a line), so that this needs no tool:
each becomes a function that is given what it imports and returns what it exports. Anything else is refused here.
"""

from __future__ import annotations

import re
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "ui" / "components" / "player" / "assets"

IMPORT = re.compile(r'^import\s+(\*\s+as\s+\w+|\{[^}]*\})\s+from\s+"\./([\w-]+\.js)";[ \t]*$', re.MULTILINE)
DECLARED = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const|let)\s+(\w+))", re.MULTILINE)
LISTED = re.compile(r"^export\s+\{([^}]*)\};[ \t]*$", re.MULTILINE)


def bundle(entry: str, name: str, assets: Path = ASSETS) -> str:
    """One script that defines the global `name`: the exports of module `entry` and all it imports, each once."""
    order: list[str] = []
    bodies: dict[str, str] = {}
    _visit(entry, assets, order, bodies, ())
    inside = "".join(bodies[module] for module in order)
    return f"const {name} = (() => {{\nconst modules = {{}};\n{inside}return modules[{entry!r}];\n}})();\n"


def _visit(module: str, assets: Path, order: list[str], bodies: dict[str, str], above: tuple[str, ...]) -> None:
    if module in bodies:
        return
    if module in above:
        raise ValueError(f"the player's modules import each other in a circle: {' -> '.join((*above, module))}")
    source = (assets / module).read_text(encoding="utf-8")
    for _, wanted in IMPORT.findall(source):
        _visit(wanted, assets, order, bodies, (*above, module))
    bodies[module] = _wrapped(module, source)
    order.append(module)


def _wrapped(module: str, source: str) -> str:
    exported = DECLARED.findall(source) + [
        name.strip() for listed in LISTED.findall(source) for name in listed.split(",")
    ]
    source = IMPORT.sub(_as_constant, source)
    source = LISTED.sub("", DECLARED.sub("", source))
    for line in source.splitlines():
        if re.match(r"(import|export)\b", line):
            raise ValueError(f"{module}: the bundler does not know this line: {line}")
    said = ", ".join(name for name in exported if name)
    return f"modules[{module!r}] = (() => {{\n{source}\nreturn {{ {said} }};\n}})();\n"


def _as_constant(match: re.Match[str]) -> str:
    names, module = match.groups()
    if names.startswith("*"):
        return f"const {names.split()[-1]} = modules[{module!r}];"
    renamed = re.sub(r"\bas\b", ":", names)
    return f"const {renamed} = modules[{module!r}];"
