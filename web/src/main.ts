// The page's start: an exported film if there is one inside, else the server this page came from.

import "./style/base.css";
import "./style/controls.css";
import "./style/panels.css";
import "./style/floating.css";
import "./style/dock.css";
import "./style/narrow.css";
import { App } from "./app.ts";
import { FileSource } from "./source/file.ts";
import { SocketSource, socketAddress } from "./source/socket.ts";
import type { Source } from "./source/source.ts";
import { exposeForTests } from "./testing.ts";
import { emptyScreen } from "./ui/messages.ts";

function findSource(): Source | undefined {
  const film = document.getElementById("film");
  if (film) {
    const source = new FileSource(film.textContent ?? "");
    // The text is large, and no longer needed.
    film.remove();
    return source;
  }
  return location.protocol === "file:" ? undefined : new SocketSource(socketAddress(location));
}

function start(root: HTMLElement): void {
  const source = findSource();
  if (!source) {
    root.replaceChildren(
      emptyScreen(
        "No film in this page",
        "Start “aspic view SCENE” and open the address it prints, or export a run with “aspic export RUN --to html”.",
      ),
    );
    return;
  }
  try {
    exposeForTests(new App(source, root));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    root.replaceChildren(emptyScreen("This browser cannot draw the scene", `The viewer needs WebGL 2. ${reason}`));
  }
}

const root = document.getElementById("root");
if (root) start(root);
