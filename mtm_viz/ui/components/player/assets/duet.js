// A | B: two players with one clock and one camera.

export function link(a, b) {
  b.clock = a.clock;
  b.follows = true;
  b.controls.root.style.visibility = "hidden"; // keeps its room, so that both spheres are of one size
  let turning = false;
  for (const [one, other] of [[a, b], [b, a]]) {
    one.stage.onLook = () => {
      if (turning || !other.stage.camera) return;
      const [mine, theirs] = [one.stage.camera.get(), other.stage.camera.get()];
      const apart = ["eye", "up", "center"].some((key) => ["x", "y", "z"].some((k) => Math.abs(mine[key][k] - theirs[key][k]) > 1e-6));
      if (!apart) return;
      turning = true;
      other.stage.camera.set(mine);
      turning = false;
    };
  }
}
