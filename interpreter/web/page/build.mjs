// Bundles the modules of this folder into `../built`, with the licences of what is bundled.
//
//     npm ci && npm run build
//
// What is built is kept in the repository, so that nobody needs Node to install, play or export.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const built = join(here, "..", "built");
mkdirSync(built, { recursive: true });

const common = { bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "none" };
const used = new Set();
for (const entry of ["page", "worker", "gallery", "editor"]) {
  const source = join(here, `${entry}.js`);
  if (!existsSync(source)) continue;
  const result = await build({
    ...common,
    entryPoints: [source],
    outfile: join(built, `${entry}.js`),
    absWorkingDir: here,
    metafile: true,
  });
  for (const input of Object.keys(result.metafile.inputs)) {
    const found = input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) used.add(found[1]);
  }
}
if (existsSync(join(here, "page.css"))) copyFileSync(join(here, "page.css"), join(built, "page.css"));

const parts = ["What is bundled into the pages, and its licences.\n"];
for (const name of [...used].sort()) {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : about.license;
  parts.push(`\n${"-".repeat(78)}\n${name} ${about.version} (${about.license})\n\n${text}\n`);
}
writeFileSync(join(built, "LICENCES.txt"), parts.join(""));
