/** Addresses inside the page: what is shown, as the part of the address behind `#`. A path reads as it does in the API. */

export type Place =
  | { view: "home"; project?: string | undefined }
  | { view: "package"; project: string; name: string }
  | {
      view: "model";
      project: string;
      name: string;
      path: string;
      /** `source`, `source/view` or `/query`: what is to be seen first. */
      item?: string | undefined;
      /** The file itself, at a line where one is named. */
      text?: boolean | undefined;
      line?: number | undefined;
    }
  | { view: "notebook"; project: string; name: string; path: string; cell?: number | undefined }
  | {
      view: "explore";
      project: string;
      name: string;
      path: string;
      /** The query, or the source to begin with. */
      query?: string | undefined;
      source?: string | undefined;
      givens?: Record<string, string> | undefined;
    }
  | { view: "connections"; project?: string | undefined; connection?: string | undefined }
  | { view: "history" }
  | { view: "api" };

/** Pages that belong to no package; no project has this name. */
const OWN = "-";

export function placeOf(hash: string): Place {
  const cut = hash.indexOf("?");
  const path = cut < 0 ? hash : hash.slice(0, cut);
  const asked = new URLSearchParams(cut < 0 ? "" : hash.slice(cut + 1));
  const [project, name, ...rest] = path
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode)
    .filter(Boolean);
  if (project === undefined) return { view: "home" };
  if (project === OWN) return ownPlace(name, rest);
  if (name === undefined) return { view: "home", project };
  const file = rest.join("/");
  if (file === "") return { view: "package", project, name };
  if (file.endsWith(".malloynb")) {
    const cell = numberOf(asked.get("cell"));
    return { view: "notebook", project, name, path: file, cell };
  }
  if (asked.has("explore") || asked.has("q")) {
    const givens = [...asked].flatMap(([key, value]) =>
      key.startsWith("given.") ? [[key.slice(6), value] as const] : [],
    );
    return {
      view: "explore",
      project,
      name,
      path: file,
      query: asked.get("q") ?? undefined,
      source: asked.get("explore") || undefined,
      givens: givens.length > 0 ? Object.fromEntries(givens) : undefined,
    };
  }
  const line = numberOf(asked.get("line"));
  const text = asked.has("text") || line !== undefined;
  return {
    view: "model",
    project,
    name,
    path: file,
    item: asked.get("at") ?? undefined,
    text,
    line,
  };
}

function ownPlace(name: string | undefined, [project, connection]: string[]): Place {
  if (name === "connections") return { view: name, project, connection };
  if (name === "history" || name === "api") return { view: name };
  return { view: "home" };
}

export function hashOf(place: Place): string {
  switch (place.view) {
    case "home":
      return join(place.project ? [place.project] : []);
    case "connections":
      return join([OWN, place.view, place.project ?? "", place.connection ?? ""].filter(Boolean));
    case "history":
    case "api":
      return join([OWN, place.view]);
    case "package":
      return join([place.project, place.name]);
    default:
      return join([place.project, place.name, ...place.path.split("/")]) + queryOf(place);
  }
}

function join(parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function queryOf(place: Extract<Place, { path: string }>): string {
  if (place.view === "notebook") return place.cell === undefined ? "" : `?cell=${place.cell}`;
  const asked = new URLSearchParams();
  if (place.view === "model") {
    if (place.item) asked.set("at", place.item);
    if (place.line) asked.set("line", String(place.line));
    else if (place.text) return "?text";
  } else {
    if (place.source || !place.query) asked.set("explore", place.source ?? "");
    if (place.query) asked.set("q", place.query);
    for (const [name, value] of Object.entries(place.givens ?? {}))
      asked.set(`given.${name}`, value);
  }
  const text = asked.toString();
  return text === "" ? "" : `?${text}`;
}

/** Whether two addresses show the same document, so that it need not be read anew. */
export function isSameDocument(a: Place, b: Place): boolean {
  const key = (place: Place) => {
    if (place.view === "home" || place.view === "connections") return place.view;
    if (place.view === "history" || place.view === "api") return place.view;
    const path = "path" in place ? place.path : "";
    return [place.view, place.project, place.name, path].join("\n");
  };
  return key(a) === key(b);
}

function numberOf(text: string | null): number | undefined {
  const number = Number(text);
  return text !== null && Number.isInteger(number) && number >= 0 ? number : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
