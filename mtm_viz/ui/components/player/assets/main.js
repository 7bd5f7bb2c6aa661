// The Streamlit v2 component: called on every rerun with fresh data, it finds its players again and hands the news on.

import { link } from "./duet.js";
import { decodePayload } from "./payload.js";
import { Player } from "./player.js";

const HERE = new URL(".", import.meta.url);
const mounted = new WeakMap();
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
  let kept = mounted.get(parentElement);
  if (!kept || kept.count !== data.payloads.length) {
    const inherit = kept?.players?.[0]?.keepsake ?? null;
    kept?.remove();
    kept = new Mounted(parentElement, data.payloads.length, inherit);
    mounted.set(parentElement, kept);
  }
  kept.show(data).catch((error) => kept.fail(error));
  return () => {
    kept.remove();
    mounted.delete(parentElement);
  };
}

class Mounted {
  constructor(parent, count, inherit) {
    Object.assign(this, { count, inherit });
    this.root = document.createElement("div");
    this.root.classList.toggle("mtm-duet", count > 1);
    this.titles = [];
    this.sections = Array.from({ length: count }, () => {
      const column = document.createElement("div");
      const title = document.createElement("h3");
      const section = document.createElement("section");
      column.append(title, section);
      this.root.append(column);
      this.titles.push(title);
      return section;
    });
    this.shown = [];
    parent.append(this.root);
  }

  async show(data) {
    this.root.style.setProperty("--mtm-height", `${data.height}px`);
    this.titles.forEach((title, k) => {
      title.textContent = data.titles[k] ?? "";
      title.hidden = !title.textContent;
    });
    // Data and Plotly travel at the same time.
    const arriving = data.payloads.map((address, k) => this.fetchIfNew(address, k));
    this.starting ??= this.start(data);
    const players = await this.starting;
    players.forEach((player) => player.retheme());
    const bring = async (player, k) => {
      const run = await arriving[k];
      // A newer rerun may have overtaken this download.
      if (run && this.shown[k] === data.payloads[k]) await player.setRun(run);
    };
    await Promise.all(players.map(bring));
  }

  async start({ style, hide }) {
    const loaded = await loadPlotly();
    // Removed meanwhile: nothing is built that nobody would take away.
    this.players = this.removed ? [] : this.sections.map((root) => new Player(root, { style, plotly: loaded, hide, inherit: this.inherit }));
    if (this.players.length > 1) link(...this.players);
    return this.players;
  }

  // The payload is fetched only when its address (it contains a hash of the content) changed.
  async fetchIfNew(address, k) {
    if (this.shown[k] === address) return null;
    this.shown[k] = address;
    const answer = await fetch(mediaUrl(address));
    if (!answer.ok) throw new Error(`its data is gone (${answer.status}); reload the page.`);
    return decodePayload(new Uint8Array(await answer.arrayBuffer()));
  }

  fail(error) {
    console.error(error);
    this.root.textContent = `The player could not start: ${error.message}`;
  }

  remove() {
    this.removed = true;
    this.players?.forEach((player) => player.dispose());
    this.root.remove();
  }
}
