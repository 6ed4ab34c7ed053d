// Builds the page into one file: the script and the style are written into index.html, so that the
// server can embed it and an exported film works from a file:// address.

import { defineConfig, type Plugin } from "vite";

/** Replaces references to the bundled script and style by their text. */
function singleFile(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("index.html is missing from the bundle");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (name === "index.html") continue;
        const text = part.type === "chunk" ? part.code : String(part.source);
        const script = new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`);
        const style = new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
        // A function as replacement: "$" in the text must not be read as a pattern.
        if (part.type === "chunk") {
          html = html.replace(script, "");
          html = html.replace("</body>", () => `<script type="module">${text.replaceAll("</script", "<\\/script")}</script></body>`);
        } else {
          html = html.replace(style, () => `<style>${text}</style>`);
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
  plugins: [singleFile()],
});
