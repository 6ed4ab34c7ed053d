// Frames from a running server: decodes its messages, fetches films ahead, reconnects when the line is lost.

import { decodeMessage, type Command, type Message } from "../protocol/message.ts";
import type { Scene } from "../protocol/scene.ts";
import type { Frame } from "../protocol/frame.ts";
import { Fetcher } from "./fetcher.ts";
import type { Need, Source, SourceEvents } from "./source.ts";

/** Bytes of film frames to keep. */
const CACHE_BYTES = 512 * 1024 * 1024;
/** Wait before trying again: doubles from the first to the last [ms]. */
const RETRY_FIRST = 500;
const RETRY_LAST = 5000;

/** The socket beside a page's own address: /TOKEN/ → /TOKEN/socket. */
export function socketAddress(page: Location): string {
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${page.host}${page.pathname.replace(/[^/]*$/, "")}socket`;
}

export class SocketSource implements Source {
  private readonly fetcher: Fetcher;
  private readonly address: string;
  private events: SourceEvents | undefined;
  private socket: WebSocket | undefined;
  /** The scene that waits for its topology. */
  private scene: Scene | undefined;
  private lastTitle = "";
  /** Whether the connection has not told its scene yet. */
  private fresh = true;
  private wanted = -1;
  private asked = false;
  private wait = RETRY_FIRST;
  private timer = 0;

  constructor(address: string, budget = CACHE_BYTES) {
    this.address = address;
    this.fetcher = new Fetcher((index) => this.send({ do: "frame", index }), budget);
  }

  start(events: SourceEvents): void {
    this.events = events;
    this.connect();
  }

  at(index: number): Frame | undefined {
    return this.fetcher.cache.get(index);
  }

  has(index: number): boolean {
    return this.fetcher.cache.has(index);
  }

  missing(index: number): boolean {
    return this.fetcher.missing(index);
  }

  need(need: Need): void {
    if (!this.open) return;
    this.want(need.fields);
    this.fetcher.need(need);
  }

  ready(fields: number): void {
    if (!this.open) return;
    this.want(fields);
    if (this.asked) return;
    this.asked = true;
    this.send({ do: "ready" });
  }

  send(command: Command): void {
    if (this.open) this.socket?.send(JSON.stringify(command));
  }

  retry(): void {
    if (this.open) return;
    window.clearTimeout(this.timer);
    this.wait = RETRY_FIRST;
    this.connect();
  }

  private get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private want(fields: number): void {
    if (fields === this.wanted) return;
    this.wanted = fields;
    this.send({ do: "want", fields });
  }

  private connect(): void {
    this.events?.linkChanged("connecting");
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket?.close();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    socket.onmessage = (event) => this.receive(event.data as ArrayBuffer);
  }

  private opened(): void {
    this.wait = RETRY_FIRST;
    this.wanted = -1;
    this.asked = false;
    this.scene = undefined;
    this.fresh = true;
    this.fetcher.reset(false);
    this.events?.linkChanged("open");
  }

  private lost(): void {
    this.events?.linkChanged("lost");
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, RETRY_LAST);
  }

  private receive(data: ArrayBuffer): void {
    try {
      this.handle(decodeMessage(data));
    } catch (cause) {
      this.events?.notice({ level: "error", text: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  private handle(message: Message): void {
    switch (message.kind) {
      case "scene":
        this.scene = message.scene;
        break;
      case "topology":
        if (this.scene) this.begin(this.scene, message);
        break;
      case "frame":
        this.asked = false;
        if (this.scene?.mode === "film") this.fetcher.arrived(message.frame);
        this.events?.frameArrived(message.frame);
        break;
      case "notice":
        if (this.scene?.mode === "film" && message.notice.level !== "info") this.fetcher.refused();
        this.events?.notice(message.notice);
        break;
      case "growth":
        this.events?.growth(message.frames, message.complete);
        break;
      case "file":
        this.events?.file(message.file);
        break;
      case "state":
        this.events?.state(message.state);
        break;
    }
  }

  /** The cache stays when the same film is still there after a reconnection. A second scene on one line is another run. */
  private begin(scene: Scene, { topology }: Extract<Message, { kind: "topology" }>): void {
    const title = `${scene.title} ${scene.points} ${scene.frame_interval}`;
    const anew = !this.fresh || title !== this.lastTitle;
    this.fetcher.reset(anew);
    [this.lastTitle, this.fresh] = [title, false];
    this.wanted = -1;
    this.asked = false;
    this.events?.scene(scene, topology, anew);
  }
}
