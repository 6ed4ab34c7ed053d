// Builds the tests, the mock server and the end-to-end tests for Node, into build/.

import { readdirSync } from "node:fs";
import { defineConfig } from "vite";

const scripts = ["tests", "e2e"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.(test|e2e|main)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

export default defineConfig({
  build: {
    ssr: true,
    outDir: "build",
    target: "node20",
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(scripts.map((path) => [path.replace(/\.ts$/, ""), path])),
      output: { entryFileNames: "[name].mjs", chunkFileNames: "parts/[name]-[hash].mjs" },
    },
  },
  logLevel: "warn",
});
