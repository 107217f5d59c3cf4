/**
 * Where this page is: which session, below which base.
 *
 * The server writes both into the document. Without that the first segment of the path is the session, as on a port of its own.
 */

export interface Place {
  session: string;
  /** Begins and ends with a slash. */
  base: string;
}

export function placeOf(document: Document, path: string): Place {
  const base = slashed(meta(document, "ui-base") ?? "/");
  const session = meta(document, "ui-session") ?? decodeURIComponent(path.split("/")[1] ?? "");
  return { session: session || "1", base };
}

function meta(document: Document, name: string): string | undefined {
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute("content");
  return content || undefined;
}

function slashed(base: string): string {
  return base.endsWith("/") ? base : `${base}/`;
}

/** Addresses of the session, seen from `origin`. */
export function addressesOf({ session, base }: Place, origin: string) {
  const id = encodeURIComponent(session);
  const socket = new URL(`${base}ws/${id}`, origin);
  socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:";
  return {
    socket: socket.href,
    page: new URL(`${base}${id}/`, origin).href,
    variables: new URL(`${base}${id}/variables.json`, origin).href,
  };
}
