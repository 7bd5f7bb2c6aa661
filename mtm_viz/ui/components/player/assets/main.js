// The Streamlit v2 component: called on every rerun with fresh data, it finds its player again and hands the news on.

import { decodePayload } from "./payload.js";
import { Player } from "./player.js";

const HERE = new URL(".", import.meta.url);
const players = new WeakMap();
let plotly = null;

// Once a page: Plotly's bundle is a classic script that leaves its name on window.
function loadPlotly() {
  plotly ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("plotly-gl3d.min.js", HERE);
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("plotly-gl3d.min.js could not be loaded."));
    document.head.append(script);
  });
  return plotly;
}

// Media files are served beside /_stcore, whatever path the app is mounted under.
function mediaUrl(path) {
  return new URL(import.meta.url.split("/_stcore/")[0] + path);
}

export default function mount({ data, parentElement }) {
  let kept = players.get(parentElement);
  if (!kept) {
    const root = document.createElement("section");
    parentElement.append(root);
    kept = { root, player: null, payload: null };
    players.set(parentElement, kept);
  }
  show(kept, data).catch((error) => {
    kept.root.textContent = `The player could not start: ${error.message}`;
    console.error(error);
  });
  return () => {
    kept.player?.dispose();
    kept.root.remove();
    players.delete(parentElement);
  };
}

async function show(kept, data) {
  kept.root.style.setProperty("--mtm-height", `${data.height}px`);
  if (!kept.player) {
    kept.starting ??= loadPlotly().then((loaded) => (kept.player = new Player(kept.root, { style: data.style, plotly: loaded })));
    await kept.starting;
  }
  kept.player.retheme();
  if (kept.payload === data.payload) return;
  kept.payload = data.payload;
  const answer = await fetch(mediaUrl(data.payload));
  if (!answer.ok) throw new Error(`its data is gone (${answer.status}); reload the page.`);
  const run = await decodePayload(new Uint8Array(await answer.arrayBuffer()));
  // A newer rerun may have overtaken this download.
  if (kept.payload === data.payload) await kept.player.setRun(run);
}
