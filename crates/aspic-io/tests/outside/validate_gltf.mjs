// The Khronos validator finds no errors and no warnings in glTF files: validate_gltf.mjs FILE...
// It needs the package `gltf-validator`.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createRequire } from "node:module";

const validator = createRequire(resolve(process.cwd(), "package.json"))("gltf-validator");

for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(path)), {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(resolve(dirname(path), decodeURIComponent(uri)))),
  });
  const { numErrors, numWarnings, numInfos, numHints } = report.issues;
  console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  for (const issue of report.issues.messages.slice(0, 10)) {
    console.log(`  ${issue.code} ${issue.pointer ?? ""} ${issue.message}`);
  }
  if (numErrors + numWarnings > 0) process.exitCode = 1;
}
