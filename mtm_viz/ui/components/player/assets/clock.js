// Display time from 0 to 1: play, pause, speed, loop. No drawing, no DOM: `advance` is told the seconds that passed.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Clock {
  constructor(seconds) {
    this.seconds = seconds;
    this.at = 0;
    this.playing = false;
    this.speed = 1;
    this.loop = true;
    this.holding = 0;
  }

  play() {
    if (this.at >= 1) this.at = 0;
    this.holding = 0;
    this.playing = true;
  }

  pause() {
    this.playing = false;
  }

  seek(at) {
    this.at = Math.min(1, Math.max(0, Number.isFinite(at) ? at : 0));
    this.holding = 0;
  }

  // A film that loops rests a moment on its last frame: the result is what people came for.
  advance(passed) {
    if (!this.playing) return false;
    if (this.at >= 1) {
      this.holding += passed;
      if (!this.loop) this.playing = false;
      else if (this.holding > 1.6) this.seek(0);
      return true;
    }
    // After a hidden tab or a stall, go on from where we were instead of leaping.
    this.at = Math.min(1, this.at + (Math.min(passed, 0.25) * this.speed) / this.seconds);
    return true;
  }
}

export function filmSeconds(segments, sizes) {
  return Math.min(sizes.longest, sizes.shortest + sizes.per_segment * segments);
}

// The last frame at or before `at`, by bisection in the nondecreasing display times.
export function frameAt(display, at) {
  let low = 0;
  let high = display.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (display[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where `at` lies: interval f (between frames f and f+1) and the part of it that has passed.
export function placeAt(display, at) {
  const last = display.length - 1;
  if (last === 0) return { f: 0, part: 0 };
  const f = Math.min(frameAt(display, at), last - 1);
  const length = display[f + 1] - display[f];
  const part = length > 0 ? Math.min(1, Math.max(0, (at - display[f]) / length)) : 0;
  return { f, part };
}
