// What the build of the `ui` page needs beyond that of the others: icons, and a script of a fixed name.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const shoelace = join(import.meta.dirname, "node_modules/@shoelace-style/shoelace");

// What many components share is one file; left alone it would be thirty, each a request of its own.
export const common = {
  name: "components",
  test: /node_modules[\\/](@?lit|@shoelace-style|@floating-ui|composed)/,
  minShareCount: 5,
};

// Two thousand icons as files would be two thousand entries in the binary; one file would make the first
// icon cost all of them. So there is a sheet for each pair of letters that a name begins with.
export function icons() {
  const { version } = JSON.parse(readFileSync(join(shoelace, "package.json"), "utf8"));
  // Assets are kept by browsers for ever: what changes with the version has it in its name.
  const folder = `assets/icons-${version}`;
  return {
    name: "icons",
    config: () => ({ define: { ICONS: JSON.stringify(`icons-${version}/`) } }),
    generateBundle() {
      for (const [pair, symbols] of sheets(join(shoelace, "dist/assets/icons"))) {
        const source = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
        this.emitFile({ type: "asset", fileName: `${folder}/${pair}.svg`, source });
      }
    },
  };
}

function sheets(folder) {
  const sheets = new Map();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".svg"))
    .sort()) {
    const name = file.slice(0, -4);
    const [, attributes, shapes] = /<svg([^>]*)>([^]*)<\/svg>/.exec(
      readFileSync(join(folder, file), "utf8"),
    );
    const box = /viewBox="[^"]*"/.exec(attributes)?.[0] ?? 'viewBox="0 0 16 16"';
    const fill = /fill="[^"]*"/.exec(attributes)?.[0] ?? 'fill="currentColor"';
    const symbol = `<symbol id="${name}" ${box} ${fill}>${shapes.replace(/\s*\n\s*/g, "")}</symbol>`;
    const pair = name.slice(0, 2);
    sheets.set(pair, [...(sheets.get(pair) ?? []), symbol]);
  }
  return sheets;
}

// The page's script has a hash in its name. A project that brings its own `index.html` needs a name that stays.
export function entry(fileName) {
  return {
    name: "entry",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const html = String(bundle["index.html"].source);
        const [, script] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(html);
        const [, style] = /<link rel="stylesheet"[^>]* href="\.\/([^"]+)"/.exec(html);
        const source = `const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("./${style}", import.meta.url).href;
document.head.prepend(style);
import("./${script}");
`;
        this.emitFile({ type: "asset", fileName, source });
      },
    },
  };
}

// Terms of what is built in ask to be passed on: a page of them, from the packages themselves.
export function licences(fileName, ...packages) {
  return {
    name: "licences",
    generateBundle() {
      const found = new Map();
      for (const name of packages) collect(name, found);
      const parts = [...found]
        .sort()
        .map(([name, text]) => `<h2>${name}</h2>\n<pre>${text}</pre>\n`);
      const icons =
        "<p>The icons are Bootstrap Icons, by the Bootstrap authors, under the MIT licence.</p>\n";
      const source = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Licences</title>
<h1>What this page is made with</h1>
${icons}${parts.join("")}`;
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

function collect(name, found) {
  const folder = join(import.meta.dirname, "node_modules", name);
  const {
    version,
    license,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const title = `${name} ${version}`;
  if (found.has(title)) return;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8") : license;
  found.set(title, text.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  for (const other of Object.keys(dependencies)) collect(other, found);
}
