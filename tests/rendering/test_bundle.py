"""The modules of the player become one script; what the bundler does not know it refuses."""

import pytest

from mtm_viz.rendering.bundle import ASSETS, bundle


def test_the_player_is_bundled_whole():
    script = bundle("standalone.js", "mtmPlayer")
    assert script.startswith("const mtmPlayer = (() => {")
    used = {path.name for path in ASSETS.glob("*.js")} - {"main.js", "duet.js", "plotly-gl3d.min.js"}
    assert {name for name in used if f"modules[{name!r}] = " in script} == used
    assert not [line for line in script.splitlines() if line.startswith(("import ", "export "))]


def test_names_are_carried_across_modules(tmp_path):
    (tmp_path / "a.js").write_text(
        'import { two as deux } from "./b.js";\nimport * as b from "./b.js";\nexport const x = deux + b.two;\n'
    )
    (tmp_path / "b.js").write_text("const two = 2;\nexport { two };\n")
    script = bundle("a.js", "whole", tmp_path)
    assert script.index("modules['b.js']") < script.index("modules['a.js'] =")
    assert "const { two : deux } = modules['b.js'];" in script
    assert "return { x };" in script and "return { two };" in script


def test_circles_and_unknown_lines_are_refused(tmp_path):
    (tmp_path / "a.js").write_text('import { y } from "./b.js";\nexport const x = y;\n')
    (tmp_path / "b.js").write_text('import { x } from "./a.js";\nexport const y = x;\n')
    with pytest.raises(ValueError, match="circle"):
        bundle("a.js", "whole", tmp_path)
    (tmp_path / "c.js").write_text('import thing from "somewhere";\n')
    with pytest.raises(ValueError, match="does not know"):
        bundle("c.js", "whole", tmp_path)
