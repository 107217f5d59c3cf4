/** The form that has a universe generated; what it offers is what the server says there is. */

import { explain } from "../../kit/api.ts";
import { h, replace } from "../../kit/dom.ts";
import {
  generate,
  getGenerator,
  type Generator,
  type Order,
  type Parameter,
} from "../state/generate.ts";

export function generateForm(created: (id: string) => void): HTMLElement {
  const place = h("div", { className: "generate" });
  let asked = false;
  const fill = async () => {
    if (asked) return;
    asked = true;
    try {
      replace(place, form(await getGenerator(), created));
    } catch (error) {
      asked = false;
      replace(place, h("p", { className: "error", role: "alert" }, explain(error)));
    }
  };
  // Asked for when it comes into view: most visits do not need it.
  new IntersectionObserver(
    (seen) => seen.some(({ isIntersecting }) => isIntersecting) && void fill(),
  ).observe(place);
  place.append(h("p", { className: "hint" }, "…"));
  return place;
}

function form(generator: Generator, created: (id: string) => void): HTMLElement {
  const name = h("input", { id: "gen-name", autocomplete: "off", placeholder: "Generated" });
  const seed = h("input", {
    id: "gen-seed",
    autocomplete: "off",
    placeholder: "any text or number",
  });
  const preset = h(
    "select",
    { id: "gen-preset" },
    ...generator.presets.map(({ name: value, title }) => h("option", { value }, title)),
  );
  const about = h("p", { className: "hint" });
  const topologies = generator.topologies.map((one) => (typeof one === "string" ? one : one.name));
  const topology = h(
    "select",
    { id: "gen-topology" },
    h("option", { value: "" }, "as the preset says"),
    ...topologies.map((value) => h("option", { value }, value)),
  );
  const knobs = generator.parameters.map(knob);
  const progress = h("progress", { hidden: true, max: 1 });
  const stage = h("p", { className: "hint", role: "status" });
  const problem = h("p", { className: "error", role: "alert" });
  const button = h("button", { className: "button primary" }, "Generate");
  const choose = () => {
    const chosen = generator.presets.find((one) => one.name === preset.value);
    about.textContent = chosen?.about ?? "";
    knobs.forEach((own) => own.start(chosen?.parameters[own.name]));
  };
  if (generator.presets.some((one) => one.name === "solarLike")) preset.value = "solarLike";
  preset.addEventListener("change", choose);
  choose();
  const made = h(
    "form",
    { noValidate: true },
    labelled("Preset", preset, about),
    labelled("Name", name),
    labelled("Seed", seed),
    labelled("Topology", topology),
    h(
      "details",
      {},
      h("summary", {}, "Parameters"),
      h("div", { className: "fields" }, ...knobs.map(({ element }) => element)),
    ),
    progress,
    stage,
    problem,
    button,
  );
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const parameters = Object.fromEntries(
      knobs.filter((own) => own.touched()).map((own) => [own.name, own.read()]),
    );
    const order: Order = { preset: preset.value, parameters };
    if (name.value.trim() !== "") order.name = name.value.trim();
    if (seed.value.trim() !== "") order.seed = seed.value.trim();
    if (topology.value !== "") order.topology = topology.value;
    problem.textContent = stage.textContent = "";
    button.disabled = true;
    progress.hidden = false;
    progress.removeAttribute("value");
    const step = ({ stage: at, done, of }: { stage: string; done: number; of: number }) => {
      stage.textContent = at;
      progress.max = Math.max(1, of);
      progress.value = done;
    };
    generate(order, step)
      .then(
        ({ id }) => created(id),
        (error: unknown) => (problem.textContent = explain(error)),
      )
      .finally(() => {
        button.disabled = false;
        progress.hidden = true;
        stage.textContent = "";
      });
  });
  return made;
}

interface Knob {
  name: string;
  element: HTMLElement;
  start(value: unknown): void;
  read(): unknown;
  touched(): boolean;
}

/** One parameter; only those the person changed are sent. */
function knob({ name, about, kind, min, max, options, default: usual }: Parameter): Knob {
  const id = `gen-${name}`;
  let touched = false;
  const input =
    options !== undefined
      ? h("select", { id }, ...options.map((value) => h("option", { value }, value)))
      : h("input", {
          id,
          ...(isFlag(kind, usual)
            ? { type: "checkbox" }
            : { type: "number", step: "any", min, max }),
        });
  input.addEventListener("input", () => (touched = true));
  const check = input instanceof HTMLInputElement && input.type === "checkbox" ? input : undefined;
  return {
    name,
    element: labelled(spaced(name), input, h("p", { className: "hint" }, about)),
    start: (value) => {
      touched = false;
      if (check) check.checked = Boolean(value ?? usual);
      else input.value = String(value ?? usual ?? "");
    },
    read: () => (check ? check.checked : options !== undefined ? input.value : Number(input.value)),
    touched: () => touched,
  };
}

function isFlag(kind: string, usual: unknown): boolean {
  return /^bool/.test(kind) || kind === "flag" || typeof usual === "boolean";
}

function labelled(label: string, input: HTMLElement, ...more: HTMLElement[]): HTMLElement {
  return h(
    "div",
    { className: "labelled" },
    h("label", { htmlFor: input.id }, label),
    input,
    ...more,
  );
}

/** `maxSystems` as people write it. */
function spaced(name: string): string {
  const text = name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
