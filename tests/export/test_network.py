from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from mtm_viz.errors import Cancelled, InputError
from mtm_viz.export import export
from mtm_viz.network import depth_study, discretise, layers_needed
from mtm_viz.rendering.options import Options
from mtm_viz.sphere import angle

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="no PyTorch here: pip install torch")
needs_safetensors = pytest.mark.skipif(
    find_spec("safetensors") is None, reason="no safetensors: pip install safetensors"
)


def test_depth_brings_every_measure_to_its_target(solved):
    shallow, deep = depth_study(solved, [len(solved.schedule), 40 * len(solved.schedule)])
    assert deep.layers > shallow.layers
    assert max(deep.w2) < 1e-2 < max(shallow.w2)


def test_the_error_falls_at_first_order_or_better(solved):
    found = depth_study(solved, [30 * len(solved.schedule), 120 * len(solved.schedule)])
    assert max(found[1].w2) < 0.45 * max(found[0].w2)


def test_the_layers_needed_for_an_accuracy_suffice_and_half_of_them_do_not(solved):
    best, tried = layers_needed(solved, 2e-2)
    assert best is not None and max(best.w2) <= 2e-2 + max(float(w[-1]) for w in solved.w2)
    assert [depth.layers for depth in tried] == sorted(depth.layers for depth in tried)
    assert layers_needed(solved, 1e-12, most=2 * len(solved.schedule))[0] is None


def test_a_depth_can_be_cancelled_and_nonsense_is_refused(solved):
    def stop(sentence, fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        layers_needed(solved, 1e-3, stop)
    with pytest.raises(InputError, match="positive number of radians"):
        layers_needed(solved, 0)
    with pytest.raises(InputError, match="at least 1"):
        discretise(solved, 0)


def test_tokens_stay_on_the_sphere_and_a_single_layer_is_two_steps(solved):
    network = discretise(solved, 200)
    moved = network(solved.trajectories[0][0], solved.weights[0])
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1, atol=1e-14)


@needs_safetensors
def test_the_file_is_safetensors(solved, tmp_path):
    from safetensors import safe_open

    path = tmp_path / "t.safetensors"
    notes = export(solved, path, Options(layers=300))
    network = discretise(solved, 300)
    assert notes == [f"the network has {len(network):,} layers", "beside it: t_transformer.py"]
    with safe_open(path, framework="numpy") as file:
        assert file.metadata()["layers"] == str(len(network))
        assert json.loads(file.metadata()["names"]) == list(solved.names)
        for name, array in (("attention.V", network.V), ("attention.B", network.B), ("mlp.W", network.W),
                            ("mlp.U", network.U), ("mlp.b", network.b), ("tokens.1", solved.trajectories[1][0])):  # fmt: skip
            np.testing.assert_array_equal(file.get_tensor(name), array)


def test_the_module_depends_on_torch_alone(solved, tmp_path):
    export(solved, tmp_path / "t.safetensors", Options(layers=100))
    source = (tmp_path / "t_transformer.py").read_text()
    assert set(re_imports(source)) == {"json", "struct", "sys", "torch"}
    assert "STEM" not in source
    compile(source, "t_transformer.py", "exec")


@needs_torch
def test_pytorch_maps_the_tokens_as_the_continuous_run_does(solved, tmp_path):
    export(solved, tmp_path / "t.safetensors", Options(layers=60 * len(solved.schedule)))
    network = discretise(solved, 60 * len(solved.schedule))
    expected = [network(x[0], w) for x, w in zip(solved.trajectories, solved.weights, strict=True)]
    np.save(tmp_path / "expected.npy", np.array(expected))
    script = """
import json, numpy as np, torch
from t_transformer import SphereTransformer, read_safetensors
tensors, metadata = read_safetensors("t.safetensors")
model = SphereTransformer.load("t.safetensors")
single = SphereTransformer.load("t.safetensors", dtype=torch.float32)
expected = np.load("expected.npy")
with torch.no_grad():
    batch = model(torch.stack([tensors["tokens.0"], tensors["tokens.1"]]), torch.stack([tensors["weights.0"], tensors["weights.1"]]))
    plain = single(tensors["tokens.0"])
    half = model(tensors["tokens.0"], layers=len(model) // 2)
print(json.dumps({
    "network": float(np.abs(batch.numpy() - expected).max()),
    "run": max(float((batch[i] - tensors[f"end.{i}"]).norm(dim=-1).max()) for i in range(2)),
    "single": float((plain.double() - batch[0]).norm(dim=-1).max()),
    "half": float((half - batch[0]).norm(dim=-1).max()),
    "trains": sum(p.requires_grad for p in model.parameters()),
}))
"""
    said = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": "", "OMP_NUM_THREADS": "1"},
    )
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert found["network"] < 1e-9, "the module computes what our layers compute"
    assert found["run"] < 2e-2, "and ends where the continuous run ends"
    assert found["single"] < 5e-2 and found["half"] > 0.1 and found["trains"] == 5


def test_the_gates_land_their_atoms(solved):
    network = discretise(solved, 60 * len(solved.schedule))
    for x, w in zip(solved.trajectories, solved.weights, strict=True):
        assert float(angle(network(x[0], w), x[-1]).max()) < 2e-2


def re_imports(source):
    import ast

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
