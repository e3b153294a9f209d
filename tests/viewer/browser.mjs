// Headless Chromium for the tests of the report; playwright-core comes from viewer/node_modules.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(fileURLToPath(new URL("../../viewer/package.json", import.meta.url)));

/** With WebGL drawn by software, or without any. */
export async function launchBrowser({ webgl = true } = {}) {
  const { chromium } = require("playwright-core");
  return chromium.launch({
    executablePath: process.env.BRISTLE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", ...(webgl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-gpu", "--disable-3d-apis"]), "--disable-quic",
      "--disable-accelerated-2d-canvas", // plots drawn through WebGL in software take longer
      "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}
