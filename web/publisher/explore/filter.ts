/** One filter: how it compares, and inputs that fit the values. */

import { h, replace } from "../../kit/dom.ts";
import type { Filter, Operator } from "../malloy/draft.ts";

const OPERATORS: Record<Filter["kind"], [Operator, string][]> = {
  string: [
    ["is", "is"],
    ["is not", "is not"],
    ["contains", "contains"],
    ["starts", "starts with"],
    ["ends", "ends with"],
    ["null", "is missing"],
    ["not null", "is there"],
  ],
  number: [
    ["is", "="],
    ["is not", "≠"],
    [">", ">"],
    [">=", "≥"],
    ["<", "<"],
    ["<=", "≤"],
    ["null", "is missing"],
    ["not null", "is there"],
  ],
  boolean: [
    ["true", "is true"],
    ["false", "is false"],
    ["null", "is missing"],
    ["not null", "is there"],
  ],
  date: times(),
  time: times(),
  other: [
    ["null", "is missing"],
    ["not null", "is there"],
  ],
};

function times(): [Operator, string][] {
  return [
    ["during", "is in"],
    ["after", "from"],
    ["before", "before"],
    ["null", "is missing"],
    ["not null", "is there"],
  ];
}

/** A filter to begin with. It filters nothing until it has a value. */
export function firstFilter(path: string[], kind: Filter["kind"], measure: boolean): Filter {
  const operator: Operator =
    kind === "number" && measure ? ">" : (OPERATORS[kind][0]?.[0] ?? "null");
  return { path, kind, measure, operator, values: needsValue(operator) ? [""] : [] };
}

export function needsValue(operator: Operator): boolean {
  return !["null", "not null", "true", "false"].includes(operator);
}

/** Whether there is something to compare with. */
export function isWhole({ operator, values, kind }: Filter): boolean {
  if (!needsValue(operator)) return true;
  const [first = ""] = values;
  if (kind === "number")
    return values.every((value) => value.trim() !== "" && !Number.isNaN(Number(value)));
  return kind === "string" ? values.some((value) => value !== "") : first !== "";
}

/** The row that edits a filter. `suggest` gives values that are there. */
export function filterRow(
  filter: Filter,
  changed: (filter: Filter) => void,
  removed: () => void,
  suggest: (filter: Filter) => Promise<string[]>,
): HTMLElement {
  const name = filter.path.join(".");
  const values = h("span", { className: "filter-values" });
  const select = h("select", { className: "small-input", "aria-label": `How ${name} compares` });
  for (const [operator, words] of OPERATORS[filter.kind]) {
    select.append(h("option", { value: operator, selected: operator === filter.operator }, words));
  }
  let now = filter;
  const change = (next: Partial<Filter>) => {
    now = { ...now, ...next };
    changed(now);
  };
  const fill = () => replace(values, ...inputs(now, name, change, suggest));
  select.addEventListener("change", () => {
    const operator = select.value as Operator;
    const kept = needsValue(operator) ? (now.values.length > 0 ? now.values : [""]) : [];
    change({ operator, values: kept });
    fill();
  });
  const remove = h("button", { className: "chip-x", type: "button" }, "×");
  remove.setAttribute("aria-label", `Remove the filter on ${name}`);
  remove.addEventListener("click", removed);
  fill();
  return h(
    "div",
    { className: "filter-row", "data-whole": String(isWhole(filter)) },
    h("span", { className: "filter-name" }, name),
    select,
    values,
    remove,
  );
}

function inputs(
  filter: Filter,
  name: string,
  change: (next: Partial<Filter>) => void,
  suggest: (filter: Filter) => Promise<string[]>,
): HTMLElement[] {
  const { operator, kind, values } = filter;
  if (!needsValue(operator)) return [];
  const [first = "", second = ""] = values;
  const field = (value: string, label: string, type: string, set: (value: string) => void) => {
    const input = h("input", { className: "small-input", type, value, "aria-label": label });
    if (type === "number") input.step = "any";
    input.addEventListener("change", () => set(input.value));
    return input;
  };
  if (kind === "date" || kind === "time") {
    const hint = kind === "date" ? "2024, 2024-Q1, 2024-03-09" : "2024, 2024-03-09 12:00";
    const one = field(first, `${name}, from`, "text", (value) =>
      change({ values: [value, ...values.slice(1)] }),
    );
    one.placeholder = hint;
    if (operator !== "during") return [one];
    const two = field(second, `${name}, to`, "text", (value) => {
      change({ values: value === "" ? [one.value] : [one.value, value] });
    });
    two.placeholder = "until (not needed)";
    return [one, two];
  }
  if (kind === "number") {
    return [field(first, `${name}, value`, "number", (value) => change({ values: [value] }))];
  }
  const many = operator === "is" || operator === "is not";
  const input = field(
    values.join(", "),
    `${name}, ${many ? "values" : "value"}`,
    "text",
    (value) => {
      change({ values: many ? listed(value) : [value] });
    },
  );
  if (many) offer(input, filter, suggest);
  return [input];
}

/** Values between commas; quotes keep a comma inside. */
export function listed(text: string): string[] {
  const found = text.match(/\s*"[^"]*"\s*|[^,]+/g) ?? [];
  const values = found.map((each) => each.trim().replace(/^"(.*)"$/, "$1")).filter(Boolean);
  return values.length > 0 ? values : [""];
}

/** Offers values that are in the data, asked for when the person comes to the field. */
function offer(
  input: HTMLInputElement,
  filter: Filter,
  suggest: (filter: Filter) => Promise<string[]>,
): void {
  input.placeholder = "one, or several with commas";
  const list = h("datalist", {
    id: `values-${filter.path.join("-")}-${Math.random().toString(36).slice(2)}`,
  });
  input.setAttribute("list", list.id);
  let asked = false;
  input.addEventListener("focus", async () => {
    if (asked) return;
    asked = true;
    input.after(list);
    const values = await suggest(filter).catch(() => []);
    replace(list, ...values.map((value) => h("option", { value })));
  });
}
