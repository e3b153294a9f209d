// Tests of the browser report, as a reader uses it.
//
//   node tests/viewer/report_test.mjs                  builds sample documents from viewer/dist/report.html
//   node tests/viewer/report_test.mjs run/report.html  what must hold for any report

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launchBrowser } from "./browser.mjs";
import { testClearance } from "./clearance_test.mjs";
import { makeClearanceSample } from "./make_clearance_sample.mjs";
import { fillTemplate, makeSample, templatePath } from "./make_sample.mjs";
import { makeSceneSample } from "./make_scene_sample.mjs";
import { testScene, testWithoutWebGL } from "./scene_test.mjs";

let passed = 0, failed = 0;

function check(condition, sentence, detail = "") {
  if (condition) passed++;
  else failed++;
  console.log(`${condition ? "ok  " : "FAIL"}  ${sentence}${condition || detail === "" ? "" : `: ${detail}`}`);
}

const browser = await launchBrowser();
const folder = mkdtempSync(join(tmpdir(), "bristle-report-"));
try {
  if (process.argv[2]) await testReport(resolve(process.argv[2]), "report");
  else await testSamples();
} catch (error) {
  check(false, "the tests ran to their end", error.stack);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

// ---------------------------------------------------------------------------------------------------------------

async function testSamples() {
  const template = readFileSync(templatePath, "utf8");
  const write = (name, data) => {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, fillTemplate(template, data));
    return path;
  };
  check(template.split('"BRISTLE_DATA"').length === 2, "the template has exactly one data slot");

  const sample = makeSample();
  const path = write("sample", sample);
  await testReport(path, "sample");
  await testSampleInDetail(path, sample);

  await testReport(write("minimal", { format: 1, title: "Minimal", status: "finished", time: [], channels: [], places: [], events: [] }), "minimal");
  await testReport(
    write("empty", { ...sample, places: [], events: [], channels: [], energy: { kinetic: [], accounts: [] }, solver: { integrator: "rk4", counts: [], time: [], step: [], reasons: [] } }),
    "no channels, places, events",
  );
  await testReport(write("one", shortened(sample, 1)), "one sample");
  await testReport(write("nulls", withNulls(sample)), "missing values");
  await testStatus(write("failed", { ...sample, status: "failed", message: "t = 7.44 s: step rejected 12 times" }), "failed", "step rejected 12 times");
  await testStatus(write("interrupted", { ...shortened(sample, 900), status: "interrupted" }), "interrupted", "interrupted");
  await testStatus(write("untrusted", { ...sample, status: "untrusted", message: "the ledger does not close" }), "untrusted", "the ledger does not close");
  await testTemplate();
  await testPolicy(readFileSync(path, "utf8"));

  const moving = makeSceneSample();
  const scene = write("scene", moving);
  const helpers = { check, open, settle, cursorsAgree, canvasPixels };
  await testReport(scene, "scene");
  await testScene(scene, moving, helpers);
  await testWithoutWebGL(scene, helpers);
  await testReport(write("still", oneFrame(moving)), "scene of one frame");
  await testReport(write("gaps", withMissingPoses(moving)), "scene with missing poses");

  const worn = makeClearanceSample();
  const clearance = write("clearance", worn);
  await testReport(clearance, "clearance");
  await testClearance(clearance, worn, helpers);
  await testReport(write("worn still", oneFrame(worn)), "clearance of one frame");
  await testReport(write("worn gaps", { ...withMissingPoses(worn), channels: worn.channels.map((c) => ({ ...c, values: c.values.map((v, i) => (i % 50 < 9 ? null : v)) })) }), "clearance with missing values");
  check(template.length < 1.2e6, "the template is below 1.2 MB", `${template.length} characters`);
}

/** A script that got into the page in whatever way does not run, and nothing is loaded from anywhere. */
async function testPolicy(report) {
  const path = join(folder, "injected.html");
  const foreign = '<script>window.injected = "script"</script><img src="data:,none" onerror="window.injected = \'handler\'">';
  writeFileSync(path, report.replace('<div id="report">', () => `${foreign}<div id="report">`));
  const { page, errors } = await open(path);
  check((await page.evaluate(() => window.injected ?? "")) === "", "a foreign script does not run", await page.evaluate(() => window.injected));
  check(errors.some((e) => e.includes("Content Security Policy")), "the content policy refuses it", errors.join("; "));
  check((await page.textContent("h1")) !== "", "the report is shown all the same");
  await page.close();
}

/** What must hold for any report. */
async function testReport(path, name) {
  const { page, errors } = await open(path);
  const data = await page.evaluate(() => JSON.parse(document.getElementById("bristle-data").textContent));
  check(data?.format === 1, `${name}: carries data of format 1`);
  check((await page.textContent("h1")) === (data.title || "Untitled run"), `${name}: shows the title`);

  const canvases = await canvasPixels(page);
  const blank = canvases.filter((c) => c.colours < 3);
  const samples = data.time?.length ?? 0;
  if (samples > 0 && data.channels?.length > 0) check(canvases.length > 0, `${name}: has plots`);
  check(blank.length === 0, `${name}: all ${canvases.length} plots are drawn`, blank.map((c) => c.label).join("; "));

  if (samples > 1 && canvases.length > 0) {
    const middle = Math.floor(samples / 2);
    await page.evaluate((i) => window.bristle.setCursor(i), middle);
    check((await page.evaluate(() => window.bristle.cursor())) === middle, `${name}: the cursor can be set`);
    check(await cursorsAgree(page), `${name}: the cursor is at the same time in all plots`);
    await page.keyboard.press("ArrowRight");
    check((await page.evaluate(() => window.bristle.cursor())) === Math.min(middle + 1, samples - 1), `${name}: the right arrow moves the cursor by one sample`);
  }
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await settle(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(overflow <= 0, `${name}: fits a window ${width} px wide`, `${overflow} px too wide`);
  }
  check(errors.length === 0, `${name}: no errors in the browser`, errors.join("; "));
  await page.close();
}

async function testSampleInDetail(path, sample) {
  const { page, errors } = await open(path);
  const state = () => page.evaluate(() => ({ cursor: window.bristle.cursor(), linked: window.bristle.linked(), markers: window.bristle.markers() }));

  // what is there
  const count = await page.evaluate(() => window.bristle.plots);
  check(count === (await page.locator(".uplot").count()), "every plot takes part in the shared cursor", String(count));
  check((await page.locator(".loop canvas").count()) === 6, "force over slip and over travel for each of three directions");
  check((await state()).cursor === null && (await state()).markers.every((m) => m === null), "there is no cursor before the reader points at a plot");
  check((await page.textContent("#input code")).includes("</script><b>"), "the input text arrives unharmed");

  const empty = (await canvasPixels(page)).filter((c) => c.ink < 200);
  check(empty.length === 0, "every plot shows a curve or a band", empty.map((c) => `${c.label} (${c.ink})`).join("; "));

  // the mouse leads
  const first = page.locator("#time .plots .u-over").first();
  await first.scrollIntoViewIfNeeded();
  const box = await first.boundingBox();
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 40);
  const near = await state();
  check(Math.abs(near.cursor - 0.3 * (sample.time.length - 1)) < 20, "the mouse sets the cursor at its time", String(near.cursor));
  check(await cursorsAgree(page), "moving the mouse over one plot moves the cursor in all");
  check(markersAt(sample, near.cursor, near.markers), "the markers of the loops are at the sample under the cursor");
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 40);
  const far = await state();
  check(far.cursor > near.cursor && (await cursorsAgree(page)), "the cursor follows the mouse");
  check(markersAt(sample, far.cursor, far.markers), "the markers follow the mouse");
  await page.mouse.move(box.x + 0.7 * box.width, box.y - 60);
  check((await state()).cursor === far.cursor && (await cursorsAgree(page)), "the cursor stays when the mouse leaves");

  // keyboard
  await page.keyboard.press("ArrowLeft");
  check((await state()).cursor === far.cursor - 1, "the left arrow moves the cursor back by one sample");
  await page.keyboard.press("Shift+ArrowRight");
  check((await state()).cursor === far.cursor + 9, "with Shift the arrow moves it by ten");

  // zoom
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  const span = sample.time.at(-1);
  const zoomed = (await state()).linked.map((p) => p.range);
  const near40 = ([from, to]) => Math.abs(from - 0.25 * span) < 0.01 * span && Math.abs(to - 0.4 * span) < 0.01 * span;
  check(zoomed.every(near40), "dragging in one plot zooms all", JSON.stringify(zoomed[0]));
  check(await cursorsAgree(page), "the cursors agree after zooming");
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 60);
  await settle(page);
  check((await state()).linked.every(({ range }) => range[0] === 0 && range[1] === span), "a double click shows the whole run in all plots");

  // pointing at a loop
  await page.evaluate(() => window.bristle.setCursor(0));
  const loop = page.locator(".loop .u-over").first();
  await loop.scrollIntoViewIfNeeded();
  const target = await loop.locator(".marker").boundingBox();
  await page.evaluate(() => window.bristle.setCursor(2500));
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2);
  const back = await state();
  check(back.cursor !== 2500 && (await cursorsAgree(page)), "pointing at a loop moves the cursor of all plots");

  // events
  const event = sample.events.findIndex((e) => e.element === "shoe");
  await page.locator(".events tbody button").nth(event).click();
  const at = sample.time[(await state()).cursor];
  check(Math.abs(at - sample.events[event].t) <= 0.0051, "a click on an event moves the cursor to it", String(at));
  check((await page.locator(".events tr.current").count()) === 1, "the event is marked in the list");
  check((await page.textContent(".readout")).includes("t = 7.44"), "the time is read out", await page.textContent(".readout"));

  // channels
  const plots = page.locator("#time .plots .uplot");
  const before = await plots.count();
  await page.fill("[aria-label='Filter channels']", "normal shoe");
  check((await page.locator(".channels .list label:visible").count()) === 1, "the filter narrows the list of channels");
  await page.locator("[data-channel='shoe.normal_force']").check();
  check((await page.locator("#time .plots .legend button", { hasText: "shoe.normal_force" }).count()) === 1, "a channel can be switched on");
  await page.fill("[aria-label='Filter channels']", "");
  await page.locator(".channels button", { hasText: "None" }).click();
  check((await plots.count()) === 0, "all channels can be switched off");
  await page.locator(".channels button", { hasText: "Initial" }).click();
  check((await plots.count()) === before, "and the first choice comes back");
  await page.selectOption("[aria-label='One plot per']", "channel");
  check((await plots.count()) > before, "plots can be made for single channels");
  await settle(page);
  check(await cursorsAgree(page), "new plots share the cursor");

  // appearance
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "dark" });
  await settle(page);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check(light !== dark && (await canvasPixels(page)).every((c) => c.ink >= 200), "dark mode is drawn");
  check(errors.length === 0, "no errors while using the page", errors.join("; "));
  await page.close();
}

async function testStatus(path, status, message) {
  const { page, errors } = await open(path);
  check(await page.locator(`.badge.${status}`).isVisible(), `${status}: has its badge`);
  check((await page.textContent(".banner")).includes(message), `${status}: says why`);
  check(errors.length === 0, `${status}: no errors in the browser`, errors.join("; "));
  await page.close();
}

async function testTemplate() {
  const { page, errors } = await open(templatePath);
  check((await page.textContent("[role=alert]")).includes("template"), "the unfilled template says that it is one");
  check(errors.length === 0, "template: no errors in the browser", errors.join("; "));
  await page.close();
}

// ---------------------------------------------------------------------------------------------------------------

async function open(path, within = browser) {
  const page = await within.newPage({ viewport: { width: 1280, height: 900 } });
  const errors = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || errors.push(`request to ${request.url()}`));
  await page.goto(pathToFileURL(path).href);
  await settle(page);
  return { page, errors };
}

// two frames: sizes are observed in one and drawn in the next
async function settle(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)))));
}

/** For each canvas: the number of different colours (a blank one has one), and of pixels in the colour of a line or a mode. */
function canvasPixels(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("canvas")].map((canvas) => {
      // read from a copy: reading a canvas itself twice makes the browser warn
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let ink = 0, last = -1;
      const colours = new Set();
      for (const word of new Uint32Array(data.buffer)) {
        if (word !== last) colours.add(word);  // neighbours are mostly alike
        last = word;
        const r = word & 255, g = (word >> 8) & 255, b = (word >> 16) & 255, alpha = word >>> 24;
        // axes, grid and text are nearly grey
        if (alpha > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) ink++;
      }
      return { label: canvas.closest("[aria-label]")?.getAttribute("aria-label") ?? "", colours: colours.size, ink };
    }),
  );
}

/** True when every plot that has samples in view shows the cursor within a pixel of the shared time. */
function cursorsAgree(page) {
  return page.evaluate(() => {
    const data = JSON.parse(document.getElementById("bristle-data").textContent);
    const shared = window.bristle.cursor();
    const t = data.time[shared];
    return window.bristle.linked().every(({ label, index, left, range }) => {
      const width = document.querySelector(`[aria-label="${CSS.escape(label)}"] .u-over`).clientWidth;
      const expected = ((t - range[0]) / (range[1] - range[0])) * width;
      const own = label.startsWith("Step size"); // has the times of the steps, not of the samples
      return Math.abs(left - expected) <= 1 && (own || data.time[index] === t);
    });
  });
}

function markersAt(sample, index, markers) {
  const value = (name) => sample.channels.find((c) => c.name === name).values[index];
  const expected = sample.places.flatMap((place) =>
    place.friction_force.flatMap((force, i) => [[value(place.slip[i]), value(force)], [value(place.travel[i]), value(force)]]),
  );
  return JSON.stringify(expected) === JSON.stringify(markers);
}

function mapSeries(data, change) {
  const energy = Object.fromEntries(Object.entries(data.energy).map(([name, values]) => [name, name === "accounts" ? values : change(values)]));
  return {
    ...data,
    channels: data.channels.map((c) => ({ ...c, values: change(c.values) })),
    energy: { ...energy, accounts: data.energy.accounts.map((a) => ({ ...a, values: change(a.values) })) },
  };
}

function shortened(data, length) {
  return { ...mapSeries(data, (values) => values.slice(0, length)), time: data.time.slice(0, length) };
}

/** A run that ended at once. */
function oneFrame({ scene, ...data }) {
  const poses = Object.fromEntries(Object.entries(scene.poses).map(([body, values]) => [body, values.slice(0, 7)]));
  const channels = data.channels.map((c) => ({ ...c, values: c.values.slice(0, 1) }));
  return { ...data, time: data.time.slice(0, 1), channels, scene: { ...scene, t: scene.t.slice(0, 1), poses } };
}

/** A body that is lost after a while, and one of which nothing is known. */
function withMissingPoses({ scene, ...data }) {
  const { slider, rod, ...others } = scene.poses;
  return { ...data, scene: { ...scene, poses: { ...others, slider: slider.map((x, i) => (i > 2000 ? null : x)), rod: rod.map(() => null) } } };
}

/** Gaps everywhere, one channel with nothing but gaps. */
function withNulls(data) {
  const gaps = mapSeries(data, (values) => values.map((v, i) => (i % 400 < 60 || i % 7 === 3 ? null : v)));
  gaps.channels[1].values = gaps.channels[1].values.map(() => null);
  return { ...gaps, solver: { ...data.solver, step: data.solver.step.map((h, i) => (i % 5 === 0 ? null : h)) } };
}
