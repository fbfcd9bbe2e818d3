import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { digest } from "./tools/sources.mjs";

// One script, one style sheet, relative paths: a saved review contains both in one HTML file.
export default defineConfig({
  plugins: [
    preact({ prefreshEnabled: false, devToolsEnabled: false }),
    {
      name: "sources",
      transformIndexHtml: () => [{ tag: "meta", attrs: { name: "sources", content: digest() }, injectTo: "head" }],
    },
  ],
  base: "./",
  build: {
    outDir: "../src/janshi/web/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: "assets/app.js",
        assetFileNames: "assets/app[extname]",
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:18100", "/ws": { target: "ws://127.0.0.1:18100", ws: true } } },
});
