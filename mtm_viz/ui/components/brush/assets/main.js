// The Streamlit v2 component: called on every rerun, it finds its pad again. Atoms travel both ways as float64.

import { pack, rows, unpack } from "./atoms.js";
import { Pad } from "./pad.js";

const mounted = new WeakMap();

// Messages are numbered in the order in which they were sent: Streamlit may bring an old one again after a newer one.
let last = 0;
const nextNumber = () => (last = Math.max(last + 1, Date.now()));

export default function mount({ data, parentElement, setTriggerValue }) {
  let kept = mounted.get(parentElement);
  if (!kept) {
    kept = new Mounted(parentElement, data);
    mounted.set(parentElement, kept);
  }
  kept.send = setTriggerValue;
  kept.show(data);
  return () => {
    kept.remove();
    mounted.delete(parentElement);
  };
}

class Mounted {
  constructor(parent, data) {
    this.root = document.createElement("div");
    this.root.className = "b-root";
    parent.append(this.root);
    this.pad = new Pad(this.root, { atoms: atomsOf(data), most: data.most, report: (desk, what) => this.report(desk, what) });
    this.subject = data.subject;
    this.source = data.source;
    this.pad.desk.face(this.pad.desk.atoms.points);
  }

  // Only what came from elsewhere replaces the drawing: the page's answer to a stroke never does.
  show(data) {
    const { desk } = this.pad;
    desk.most = data.most;
    if (data.subject !== this.subject || data.source !== this.source) {
      desk.adopt(atomsOf(data), data.subject !== this.subject);
      if (data.subject !== this.subject) desk.face(desk.atoms.points);
      this.subject = data.subject;
      this.source = data.source;
    }
    const ghosts = data.ghosts.map(({ points, colour, hollow }) => ({ points: unpack(points), colour, hollow }));
    this.pad.show({ ...data, ghosts });
  }

  report(desk, what) {
    const { points, weights } = desk.atoms;
    this.send("stroke", { number: nextNumber(), subject: this.subject, points: pack(points.flat()), weights: pack(weights), what });
  }

  remove() {
    this.pad.remove();
    this.root.remove();
  }
}

const atomsOf = (data) => ({ points: rows(unpack(data.points)), weights: [...unpack(data.weights)] });
