// Builds each page into a folder of its own: `node build.js <out>`.
//
// A page is built alone, with relative URLs, so that its folder can be served under any path or at the
// root of a port of its own. A new page is a folder with an `index.html`, named in `pages`.

import { resolve } from "node:path";
import { build } from "vite";
import { common, entry, icons, licences } from "./build-ui.js";

const pages = ["home", "universe", "campaign", "spox", "ui", "ui-home", "publisher"];
// A page that is more than its `index.html`.
const documents = { ui: ["index.html", "variables.html"] };
const more = {
  ui: [icons(), entry("ui.js"), licences("licences.html", "@shoelace-style/shoelace")],
};
const here = import.meta.dirname;
const out = resolve(process.argv[2] ?? "dist");

// The script draws most of the page and knows the chosen theme, so nothing is painted before it has run.
const paintOnce = {
  name: "paint-once",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
  },
};

try {
  for (const page of pages) await buildPage(page);
} catch (error) {
  // The message has the file and the line; the stack is Vite's own.
  console.error(error.message);
  process.exitCode = 1;
}

function buildPage(page) {
  return build({
    configFile: false,
    root: resolve(here, page),
    base: "./",
    publicDir: false,
    logLevel: "warn",
    plugins: [paintOnce, ...(more[page] ?? [])],
    worker: { format: "es" },
    build: {
      outDir: resolve(out, page),
      emptyOutDir: true,
      target: ["chrome123", "firefox120", "safari17.5"],
      // Every asset is a file: the pages' content security policy has no room for `data:`.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      ...(documents[page] && {
        rolldownOptions: {
          input: documents[page].map((name) => resolve(here, page, name)),
          output: { codeSplitting: { groups: [common] } },
        },
      }),
      // The library that draws in 3D is a file of its own, loaded after the page that needs it.
      chunkSizeWarningLimit: 700,
    },
  });
}
