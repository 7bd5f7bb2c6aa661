// Keys, only while the player has the focus and never while somebody types.

export function actionFor(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const { key } = event;
  if (/^[1-8]$/.test(key)) return ["measure", Number(key) - 1];
  const step = event.shiftKey ? "segment" : "frame";
  const actions = {
    " ": ["toggle"],
    ArrowLeft: [`${step}Back`],
    ArrowRight: [`${step}Forward`],
    Home: ["home"],
    End: ["end"],
    f: ["full"],
    p: ["projector"],
    l: ["loop"],
    t: ["show", "trails"],
    "-": ["slower"],
    "+": ["faster"],
    "=": ["faster"],
  };
  return actions[key] || actions[key.toLowerCase()] || null;
}

export function isTyping(target) {
  if (target.isContentEditable) return true;
  if (target.tagName === "TEXTAREA" || target.tagName === "SELECT") return true;
  return target.tagName === "INPUT" && !["checkbox", "radio", "button", "range"].includes(target.type);
}

// Space and Enter on a button or a checkbox are that control's own.
export function ownsKey(target, key) {
  return (key === " " || key === "Enter") && target.closest("button, summary, input, label, a") !== null;
}

export function listen(root, perform) {
  root.addEventListener("keydown", (event) => {
    if (isTyping(event.target) || ownsKey(event.target, event.key)) return;
    const action = actionFor(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    perform(...action);
  });
}
