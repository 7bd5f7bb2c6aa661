// The same player in a page of its own: everything it needs is in the page, nothing is asked of the network.

import { decodePayload } from "./payload.js";
import { Player } from "./player.js";

export async function showAlone(root, { style, payload, plotly }) {
  const bytes = Uint8Array.from(atob(payload), (c) => c.charCodeAt(0));
  const player = new Player(root, { style, plotly });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => player.retheme());
  await player.setRun(await decodePayload(bytes));
  return player;
}
