// A stand-in for the server of aspic: a film that wobbles, a film that grows, or springs to pull at.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { frameMessage, growthMessage, jsonMessage, topologyMessage } from "./encode.ts";
import { boxMesh } from "./mesh.ts";
import { Springs } from "./springs.ts";
import { LEDGER, WOBBLE, wobbleFrame, wobbleScene } from "./wobble.ts";

const TOKEN = "mock";

export type MockMode = "film" | "growing" | "live";

export interface Mock {
  address: string;
  close(): Promise<void>;
}

interface Request {
  do: string;
  fields?: number;
  index?: number;
  point?: number;
  to?: [number, number, number];
  key?: string;
  value?: number;
}

/** Serves the built page and a socket beside it. */
export async function startMock(mode: MockMode, page = "dist/index.html", port = 0): Promise<Mock> {
  const server = createServer((request, response) => {
    const found = request.url === `/${TOKEN}/`;
    response.writeHead(found ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(found ? readFileSync(page) : "not here");
  });
  const sockets = new WebSocketServer({ server, path: `/${TOKEN}/socket` });
  sockets.on("connection", (socket) => (mode === "live" ? serveLive(socket) : serveFilm(socket, mode === "growing")));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: chosen } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const client of sockets.clients) client.terminate();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${chosen}/${TOKEN}/`, close };
}

/** A growing film starts with ten frames and gets one every 100 ms until sixty. */
function serveFilm(socket: WebSocket, growing: boolean): void {
  let frames = growing ? 10 : 150;
  let wanted = 0;
  socket.send(jsonMessage(1, wobbleScene(frames, !growing)));
  socket.send(topologyMessage(WOBBLE));
  const timer = growing
    ? setInterval(() => {
        frames++;
        socket.send(growthMessage(frames, frames >= 60));
        if (frames >= 60) clearInterval(timer);
      }, 100)
    : undefined;
  socket.on("close", () => clearInterval(timer));
  socket.on("message", (data) => {
    const request = JSON.parse(String(data)) as Request;
    if (request.do === "want") wanted = request.fields ?? 0;
    if (request.do !== "frame") return;
    const index = request.index ?? 0;
    if (index < frames) socket.send(frameMessage(wobbleFrame(index, wanted)));
    else socket.send(jsonMessage(4, { level: "warning", text: `There is no frame ${index} yet.` }));
  });
}

const BLOCK = boxMesh([4, 4, 6], [0.1, 0.1, 0.15], [0, 0, 0.002]);
const HELD = Array.from({ length: 25 }, (_, p) => p);

function liveScene(springs: Springs): object {
  const points = BLOCK.points.length / 3;
  const triangles = BLOCK.triangles.length / 3;
  const tets = BLOCK.tets.length / 4;
  const parameter = (key: string, label: string, unit: string, group: string, value: number, min: number, max: number, scale: string) => ({
    key,
    label,
    unit,
    group,
    value,
    min,
    max,
    scale,
  });
  return {
    version: 1,
    mode: "live",
    title: "Springs",
    points,
    tets,
    triangles,
    bodies: [{ name: "block", kind: "solid", points: [0, points], tets: [0, tets], triangles: [0, triangles] }],
    planes: [{ name: "floor", point: [0, 0, 0], normal: [0, 0, 1] }],
    constraints: [{ name: "plate", points: HELD }],
    frames: 0,
    complete: false,
    frame_interval: 1 / 60,
    duration: 0,
    ledger: LEDGER,
    fields: 9,
    parameters: [
      parameter("gravity.z", "Gravity", "m/s²", "World", springs.gravity, -20, 20, "linear"),
      parameter("materials.block.stiffness", "Stiffness", "N/m", "Block", springs.stiffness, 10, 600, "log"),
      parameter("materials.block.damping", "Damping", "1/s", "Block", springs.damping, 0.1, 30, "log"),
    ],
  };
}

class LiveRun {
  private readonly springs = new Springs(BLOCK, HELD);
  private readonly timer: NodeJS.Timeout;
  private paused = false;
  private wanted = 0;
  private asked = false;
  private index = 0;
  private fresh = true;

  constructor(private readonly socket: WebSocket) {
    this.begin();
    this.timer = setInterval(() => this.tick(), 16);
    socket.on("close", () => clearInterval(this.timer));
    socket.on("message", (data) => this.handle(JSON.parse(String(data)) as Request));
  }

  private begin(): void {
    this.socket.send(jsonMessage(1, liveScene(this.springs)));
    this.socket.send(topologyMessage({ ...BLOCK, rest: BLOCK.points }));
    this.sendState();
  }

  private tick(): void {
    if (!this.paused) this.advance();
    if (this.asked && this.fresh) this.sendFrame();
  }

  private advance(): void {
    this.springs.advance(1 / 60);
    this.index++;
    this.fresh = true;
  }

  private sendFrame(): void {
    const { positions, velocities, contact, t, steps } = this.springs;
    const all = new Map([
      [1, velocities],
      [8, contact],
    ]);
    const fields = new Map([...all].filter(([bit]) => this.wanted & bit));
    const ledger = LEDGER.map((_, k) => (k === 0 ? t : 0));
    this.socket.send(
      frameMessage({ index: this.index, t, ledger, positions, fields, slower: 1.02, step: 5e-4, steps, flags: this.paused ? 1 : 0 }),
    );
    this.asked = this.fresh = false;
  }

  private sendState(): void {
    const grabbed = this.springs.grabbed?.point ?? null;
    this.socket.send(jsonMessage(7, { paused: this.paused, pins: [...this.springs.pins], grabbed, ignored: 0 }));
  }

  private handle(request: Request): void {
    const { springs } = this;
    const point = request.point ?? 0;
    switch (request.do) {
      case "want":
        this.wanted = request.fields ?? 0;
        this.fresh = true;
        return;
      case "ready":
        this.asked = true;
        return;
      case "pause":
      case "resume":
        this.paused = request.do === "pause";
        this.fresh = true;
        break;
      case "step":
        this.advance();
        break;
      case "reset":
        springs.reset();
        this.index = 0;
        this.fresh = true;
        return this.begin();
      case "grab":
        springs.grabbed = { point, to: request.to ?? [0, 0, 0] };
        return;
      case "release":
        springs.grabbed = null;
        return;
      case "pin":
        springs.pins.add(point);
        break;
      case "unpin":
        springs.pins.delete(point);
        break;
      case "set":
        this.set(request.key ?? "", request.value ?? 0);
        return;
      case "save":
        this.socket.send(jsonMessage(6, { name: "springs.toml", text: `gravity = [0, 0, ${springs.gravity}]\n` }));
        return;
    }
    this.sendState();
  }

  private set(key: string, value: number): void {
    if (key === "gravity.z") this.springs.gravity = value;
    if (key.endsWith("stiffness")) this.springs.stiffness = value;
    if (key.endsWith("damping")) this.springs.damping = value;
  }
}

function serveLive(socket: WebSocket): void {
  void new LiveRun(socket);
}
