// What the end-to-end tests run against: the mock server, the real command, or one address.
//
//   npm run e2e                          everything against the mock server
//   ASPIC=path/to/aspic npm run e2e      everything against the real command; it starts and stops servers itself
//   ASPIC_VIEW_URL=http://… npm run e2e  only what fits the scene at this address (ASPIC_VIEW_MODE=live|film|growing)
//   ASPIC_PAGE=dist/index.html           with the others: this page instead of the one inside the command

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exportedPage, filmBytes, topologyMessage } from "./encode.ts";
import { startMock, type MockMode } from "./mock.ts";
import { WOBBLE, wobbleFrame, wobbleScene } from "./wobble.ts";

export interface Target {
  url: string;
  stop(): Promise<void> | void;
}

const ASPIC = process.env["ASPIC"];
const ADDRESS = process.env["ASPIC_VIEW_URL"];

/** Jelly on a plate: soft enough to be pulled, damped enough to come to rest. */
const JELLY = `title = "Jelly for tests"
duration = "DURATION"
[output]
frame_rate = "30 fps"
[materials.jelly]
preset = "gelatin"
[bodies.cube]
material = "jelly"
shape = { box = { size = ["8 cm", "8 cm", "8 cm"], cells = [4, 4, 4] } }
[constraints.plate]
hold = { body = "cube", name = "bottom" }
`;

/** Why a test cannot run on the target chosen, or false. */
export function skipUnless(mode: MockMode | "page"): string | false {
  if (!ADDRESS) return false;
  const given = process.env["ASPIC_VIEW_MODE"] ?? "live";
  return given === mode ? false : `ASPIC_VIEW_URL is a ${given} scene (say which with ASPIC_VIEW_MODE=live|film|growing)`;
}

/** Why a test that knows the bodies of the mock cannot run, or false. */
export const skipUnlessMock: string | false = ADDRESS || ASPIC ? "it needs the bodies of the mock server" : false;

export async function openTarget(mode: MockMode): Promise<Target> {
  if (ADDRESS) return { url: ADDRESS, stop: () => {} };
  if (ASPIC) return openReal(ASPIC, mode);
  const mock = await startMock(mode);
  return { url: mock.address, stop: mock.close };
}

/** A page with a film inside, at a file:// address. */
export function exportPage(): Target {
  const folder = mkdtempSync(join(tmpdir(), "aspic-page-"));
  const path = join(folder, "film.html");
  if (ASPIC) {
    run(ASPIC, ["run", writeScene(folder, "1 s"), "--out", join(folder, "run"), "--quiet"]);
    run(ASPIC, ["export", join(folder, "run"), "--to", "html", "--out", path]);
  } else {
    const frames = Array.from({ length: 30 }, (_, i) => wobbleFrame(i, 31));
    const topology = topologyMessage(WOBBLE);
    const film = filmBytes(wobbleScene(30, true), topology, frames, 31);
    writeFileSync(path, exportedPage(readFileSync("dist/index.html", "utf8"), film));
  }
  return { url: pathToFileURL(path).href, stop: () => rmSync(folder, { recursive: true, force: true }) };
}

async function openReal(aspic: string, mode: MockMode): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "aspic-view-"));
  const started: ChildProcess[] = [];
  const scene = writeScene(folder, mode === "growing" ? "2000 s" : "2 s");
  const out = join(folder, "run");
  if (mode === "film") run(aspic, ["run", scene, "--out", out, "--quiet"]);
  if (mode === "growing") started.push(spawn(aspic, ["run", scene, "--out", out, "--quiet", "--threads", "1"], { stdio: "inherit" }));
  if (mode === "growing") await new Promise((resolve) => setTimeout(resolve, 1500));
  const server = spawn(aspic, ["view", mode === "live" ? scene : out, "--no-open", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(server);
  const stop = async () => {
    await Promise.all(started.map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: await firstAddress(server), stop };
}

/** Asks a program to end, and waits until it has. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

function writeScene(folder: string, duration: string): string {
  const path = join(folder, "jelly.toml");
  writeFileSync(path, JELLY.replace("DURATION", duration));
  return path;
}

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}

/** The server prints its address as the first line. */
function firstAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout?.on("data", (part: Buffer) => {
      text += part.toString();
      const address = /https?:\/\/\S+/.exec(text.split("\n")[0]);
      if (text.includes("\n") && address) resolve(address[0]);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code} before it told its address: ${text}`)));
  });
}
