import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// The program fills the template by replacing this token, quotes included: it must occur exactly once.
const token = '"BRISTLE_DATA"';

// What a report may do, whatever stands in its data: run the script of this build and nothing else, load nothing from anywhere.
function contentPolicy(page: string): string {
  const hashes = [...page.matchAll(/<script(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (script) => `'sha256-${createHash("sha256").update(script[1]).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function finishTemplate(): Plugin {
  return {
    name: "finish-template",
    apply: "build",
    closeBundle() {
      const file = resolve(__dirname, "dist/report.html");
      const page = readFileSync(file, "utf8");
      const charset = '<meta charset="utf-8">';
      if (!page.includes(charset)) throw new Error(`dist/report.html has no ${charset} to put the content policy behind`);
      const policy = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page)}">`;
      const text = page.replace(charset, () => `${charset}\n${policy}`);
      writeFileSync(file, text);
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
  plugins: [viteSingleFile(), finishTemplate()],
});
