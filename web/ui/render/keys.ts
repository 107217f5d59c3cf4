/** Keys as `ui-event-keypress-…` names them. */

export interface Key {
  /** In lower case, as it is told to the server. */
  name: string;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  meta: boolean;
}

/** What a browser calls the keys that are no characters. */
const NAMES: Record<string, string> = {
  enter: "Enter",
  escape: "Escape",
  tab: "Tab",
  space: " ",
  left: "ArrowLeft",
  right: "ArrowRight",
  up: "ArrowUp",
  down: "ArrowDown",
  backspace: "Backspace",
  delete: "Delete",
  home: "Home",
  end: "End",
  pageup: "PageUp",
  pagedown: "PageDown",
};
const MODIFIERS = ["ctrl", "shift", "alt", "meta"];
/** What these do in a field is worth more than that nothing else happens. */
const EDITING = /^([a-z0-9]|space|left|right|up|down|backspace|delete|home|end|pageup|pagedown)$/;

/** `ctrl-shift-k`, modifiers in any order; `undefined` when there is no such key. */
export function parseKey(text: string): Key | undefined {
  const parts = text.toLowerCase().split("-");
  const name = parts.pop() ?? "";
  const isKnown = name in NAMES || /^([a-z0-9]|f([1-9]|1[0-2]))$/.test(name);
  if (!isKnown || parts.some((part) => !MODIFIERS.includes(part))) return undefined;
  const [ctrl, shift, alt, meta] = MODIFIERS.map((modifier) => parts.includes(modifier));
  return { name, ctrl: !!ctrl, shift: !!shift, alt: !!alt, meta: !!meta };
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

export function isMeant(event: Pressed, wanted: Key): boolean {
  if (event.ctrlKey !== wanted.ctrl || event.shiftKey !== wanted.shift) return false;
  if (event.altKey !== wanted.alt || event.metaKey !== wanted.meta) return false;
  const named = NAMES[wanted.name];
  if (named !== undefined) return event.key === named;
  if (event.key.toLowerCase() === wanted.name) return true;
  // With a modifier a key may give another character than the one on it.
  const isModified = wanted.shift || wanted.alt || wanted.ctrl || wanted.meta;
  const code = /\d/.test(wanted.name) ? `Digit${wanted.name}` : `Key${wanted.name.toUpperCase()}`;
  return isModified && wanted.name.length === 1 && event.code === code;
}

/** Whether the element under the key needs it itself, for typing or for moving on. */
export function takesKey(event: KeyboardEvent, { name, ctrl, alt, meta }: Key): boolean {
  if (ctrl || alt || meta) return false;
  if (name === "tab") return true;
  return EDITING.test(name) && isTyping(event.composedPath()[0]);
}

function isTyping(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|button|submit)$/.test(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}
