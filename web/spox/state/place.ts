/** Addresses inside the page: what is shown, as the part of the address behind `#`. */

export type Place =
  | { view: "overview" }
  | {
      view: "spec";
      id: string;
      requirement?: string | undefined;
      /** The file itself, at a line where one is named. */
      source?: boolean | undefined;
      line?: number | undefined;
    }
  | {
      view: "change";
      id: string;
      /** Of one of its deltas. */
      requirement?: string | undefined;
      part?: string | undefined;
    };

export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [, view, id, requirement] = path.split("/").map(decode);
  const asked = new URLSearchParams(query);
  const named = requirement || undefined;
  if (view === "spec" && id) {
    const line = Number(asked.get("line")) || undefined;
    const source = asked.has("source") || line !== undefined;
    return { view, id, requirement: named, source, line };
  }
  if (view === "change" && id) {
    return { view, id, requirement: named, part: asked.get("part") ?? undefined };
  }
  return { view: "overview" };
}

export function hashOf(place: Place): string {
  if (place.view === "overview") return "#/";
  const path = ["#", place.view, encodeURIComponent(place.id)];
  if (place.requirement) path.push(encodeURIComponent(place.requirement));
  return path.join("/") + queryOf(place);
}

function queryOf(place: Exclude<Place, { view: "overview" }>): string {
  if (place.view === "change") {
    return place.part ? `?part=${encodeURIComponent(place.part)}` : "";
  }
  if (place.line) return `?line=${place.line}`;
  return place.source ? "?source" : "";
}

/** Whether two addresses show the same document, so that it need not be read anew. */
export function isSameDocument(a: Place, b: Place): boolean {
  if (a.view === "overview" || b.view === "overview") return a.view === b.view;
  return a.view === b.view && a.id === b.id;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
