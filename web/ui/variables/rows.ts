/** The variables as the debug page shows them: pure, from the server's list to a tree of lines. */

export interface Listed {
  id: number;
  parentId: number;
  type?: string;
  path?: string;
  value?: unknown;
  properties?: Record<string, string>;
  error?: unknown;
  changeCount?: number;
}

export interface Line extends Listed {
  children: Line[];
}

/** Longer values are cut; the whole is a tooltip. */
export const LONGEST = 100;
/** Shown in places of their own, or too long to be of use here. */
const ELSEWHERE = new Set(["path", "type", "viewdefs"]);

/** What has no parent in the list is at the top. */
export function treeOf(listed: readonly Listed[]): Line[] {
  const lines = new Map(listed.map((one) => [one.id, { ...one, children: [] as Line[] }]));
  const roots: Line[] = [];
  for (const line of lines.values()) {
    const parent = lines.get(line.parentId);
    if (parent && parent !== line) parent.children.push(line);
    else roots.push(line);
  }
  return roots;
}

export function valueText(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}

export function cut(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
}

export function otherProperties({ properties = {} }: Listed): [name: string, value: string][] {
  return Object.entries(properties).filter(([name, value]) => value && !ELSEWHERE.has(name));
}

export function errorText(error: unknown): string {
  if (!error) return "";
  if (typeof error === "string") return error;
  const { code, description, message } = error as Record<string, unknown>;
  return [code, description ?? message].filter(Boolean).join(": ") || JSON.stringify(error);
}
