import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// The program fills the template by replacing this token, quotes included: it must occur exactly once.
const token = '"BRISTLE_DATA"';

function checkTemplate(): Plugin {
  return {
    name: "check-template",
    apply: "build",
    closeBundle() {
      const text = readFileSync(resolve(__dirname, "dist/report.html"), "utf8");
      const count = text.split(token).length - 1;
      if (count !== 1) throw new Error(`dist/report.html must contain ${token} exactly once, found ${count}`);
      if (/<(script|link|img)[^>]+(src|href)="(?!data:)/.test(text)) throw new Error("dist/report.html refers to another file");
    },
  };
}

export default defineConfig({
  server: { host: "127.0.0.1" }, // tests start a server: no name needs to be resolved for it
  build: {
    target: "es2020",
    rollupOptions: { input: resolve(__dirname, "report.html") },
  },
  plugins: [viteSingleFile(), checkTemplate()],
});
