// Work in IndexedDB: saved under the name the address carries, found again by it. The newest few are kept.

const MOST = 20;
const STORE = "work";
const saved = new WeakMap();

function open() {
  return new Promise((done, failed) => {
    const request = indexedDB.open("mtm-viz", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "name" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

const answered = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

async function save({ name, text }) {
  const database = await open();
  const store = database.transaction(STORE, "readwrite").objectStore(STORE);
  await answered(store.put({ name, text, when: Date.now() }));
  const all = await answered(store.getAll());
  all.sort((a, b) => b.when - a.when);
  await Promise.all(all.slice(MOST).map((old) => answered(store.delete(old.name))));
  database.close();
}

async function find(name) {
  const database = await open();
  const found = await answered(database.transaction(STORE).objectStore(STORE).get(name));
  database.close();
  return found?.text ?? null;
}

export default function mount({ data, parentElement, setTriggerValue }) {
  const done = saved.get(parentElement) ?? {};
  saved.set(parentElement, done);
  if (data.save && data.save.name !== done.saved) {
    done.saved = data.save.name;
    // A browser that forbids storing still has the file to save.
    save(data.save).catch((error) => console.warn("The work could not be kept in this browser:", error));
  }
  if (data.ask && data.ask !== done.asked) {
    done.asked = data.ask;
    find(data.ask)
      .catch(() => null)
      .then((text) => setTriggerValue("found", { name: data.ask, text }));
  }
}
