// Messages between server and page: binary from the server, small JSON texts to it.

import { decodeFrame, type Frame } from "./frame.ts";
import { checkScene, checkTopology, type LiveState, type Notice, type Scene, type TextFile, type Topology } from "./scene.ts";

export type Message =
  | { kind: "scene"; scene: Scene }
  | { kind: "topology"; topology: Topology }
  | { kind: "frame"; frame: Frame }
  | { kind: "notice"; notice: Notice }
  | { kind: "growth"; frames: number; complete: boolean }
  | { kind: "file"; file: TextFile }
  | { kind: "state"; state: LiveState }
  | { kind: "unknown"; number: number };

/** What the page can ask of the server. */
export type Command =
  | { do: "want"; fields: number }
  | { do: "frame"; index: number }
  | { do: "ready" | "pause" | "resume" | "step" | "reset" | "release" | "save" }
  | { do: "grab"; point: number; to: [number, number, number] }
  | { do: "pin" | "unpin"; point: number }
  | { do: "set"; key: string; value: number };

/** Reads one binary message. Numbers of a later version give `unknown`; broken messages throw. */
export function decodeMessage(buffer: ArrayBuffer): Message {
  if (buffer.byteLength < 4) throw new Error("A message without a kind.");
  const head = new DataView(buffer);
  const number = head.getUint32(0, true);
  switch (number) {
    case 1:
      return { kind: "scene", scene: checkScene(decodeJson(buffer, 0).value as Partial<Scene>) };
    case 2:
      return { kind: "topology", topology: decodeTopology(buffer, 0).topology };
    case 3:
      return { kind: "frame", frame: decodeFrame(buffer) };
    case 4:
      return { kind: "notice", notice: decodeJson(buffer, 0).value as Notice };
    case 5:
      return { kind: "growth", frames: head.getUint32(4, true), complete: head.getUint32(8, true) !== 0 };
    case 6:
      return { kind: "file", file: decodeJson(buffer, 0).value as TextFile };
    case 7:
      return { kind: "state", state: decodeJson(buffer, 0).value as LiveState };
    default:
      return { kind: "unknown", number };
  }
}

/** The JSON of a message `kind, bytes, text` that begins at `at`, and where it ends. */
export function decodeJson(buffer: ArrayBuffer, at: number): { value: unknown; end: number } {
  const bytes = new DataView(buffer).getUint32(at + 4, true);
  if (at + 8 + bytes > buffer.byteLength) throw new Error("A text message is shorter than it promises.");
  const text = new TextDecoder().decode(new Uint8Array(buffer, at + 8, bytes));
  return { value: JSON.parse(text), end: at + 8 + bytes };
}

/** The topology message that begins at `at` (a multiple of four), and where it ends. */
export function decodeTopology(buffer: ArrayBuffer, at: number): { topology: Topology; end: number } {
  const head = new DataView(buffer, at);
  const points = head.getUint32(4, true);
  const triangles = head.getUint32(8, true);
  const tets = head.getUint32(12, true);
  const edges = head.getUint32(16, true);
  let end = at + 20;
  const take = (numbers: number): number => {
    const start = end;
    end += 4 * numbers;
    if (end > buffer.byteLength) throw new Error("The mesh message is shorter than it promises.");
    return start;
  };
  // The order of these lines is the order of the message.
  const topology = {
    points,
    triangles: new Uint32Array(buffer, take(3 * triangles), 3 * triangles),
    tets: new Uint32Array(buffer, take(4 * tets), 4 * tets),
    edges: new Uint32Array(buffer, take(2 * edges), 2 * edges),
    rest: new Float32Array(buffer, take(3 * points), 3 * points),
  };
  return { topology: checkTopology(topology), end };
}
