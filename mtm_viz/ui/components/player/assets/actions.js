// What buttons and keys do to a player, by name.

import { SPEEDS, placeAt } from "./clock.js";

export const ACTIONS = {
  toggle: ({ clock }) => (clock.playing ? clock.pause() : clock.play()),
  frameBack: (player) => step(player, -1),
  frameForward: (player) => step(player, 1),
  segmentBack: (player) => stepSegment(player, -1),
  segmentForward: (player) => stepSegment(player, 1),
  home: (player) => player.seek(0),
  end: (player) => player.seek(1),
  loop: ({ clock, controls }) => controls.showLoop((clock.loop = !clock.loop)),
  speed: ({ clock }, speed) => (clock.speed = speed),
  slower: (player) => shiftSpeed(player, -1),
  faster: (player) => shiftSpeed(player, 1),
  show: (player, layer, on) => player.show(layer, on ?? !player.shown.has(layer)),
  measure: (player, m) => player.toggleMeasure(m),
  projector: (player) => player.setProjector(!player.projector),
  full: ({ root }) => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
  link: (player) => player.copyLink(),
};

function step(player, frames) {
  const { clock } = player;
  const { display } = player.run;
  clock.pause();
  const f = frames > 0 ? placeAt(display, clock.at + 1e-12).f + 1 : display.findLastIndex((d) => d < clock.at - 1e-12);
  player.seek(display[Math.min(Math.max(f, 0), display.length - 1)]);
}

function stepSegment(player, direction) {
  const { starts, clock } = player;
  clock.pause();
  const next = direction > 0 ? starts.find((s) => s > clock.at + 1e-9) : starts.findLast((s) => s < clock.at - 1e-9);
  player.seek(next ?? (direction > 0 ? 1 : 0));
}

function shiftSpeed({ clock, controls }, by) {
  clock.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(clock.speed) + by))];
  controls.showSpeed(clock.speed);
}
