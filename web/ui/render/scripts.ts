/** Scripts in definitions: a clone of a template holds them dead, so each is written anew, once, when it is in the document. */

const ran = new WeakSet<Element>();

export function runScripts(nodes: ChildNode[]): void {
  for (const node of nodes) {
    if (!(node instanceof Element) || !node.isConnected) continue;
    const inside = node.localName === "script" ? [node] : [...node.querySelectorAll("script")];
    for (const script of inside) run(script);
  }
}

function run(script: Element): void {
  if (ran.has(script)) return;
  ran.add(script);
  const type = script.getAttribute("type") ?? "";
  if (type !== "" && !/javascript|module/.test(type)) return;
  const fresh = document.createElement("script");
  for (const { name, value } of script.attributes) fresh.setAttribute(name, value);
  fresh.textContent = script.textContent;
  ran.add(fresh);
  // The dead one stays in its place, since it is counted there; the live one is gone as soon as it has run.
  script.after(fresh);
  fresh.remove();
}
