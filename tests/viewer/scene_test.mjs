// Tests of the 3-D scene of the report, as a reader uses it. Part of report_test.mjs, which lends its helpers.

import { launchBrowser } from "./browser.mjs";
import { placesAt } from "./make_scene_sample.mjs";

export async function testScene(path, sample, { check, open, settle, cursorsAgree, canvasPixels }) {
  const { page, errors } = await open(path);
  const canvas = page.locator("#scene canvas");
  const scene = () => page.evaluate(() => window.bristle.scene());
  const cursor = () => page.evaluate(() => window.bristle.cursor());
  const picture = async () => {
    await settle(page);
    return page.evaluate(() => document.querySelector("#scene canvas").toDataURL());
  };
  const near = (a, b, tolerance) => a.every((x, k) => Math.abs(x - b[k]) < tolerance);
  const last = sample.time.length - 1;

  const [drawn] = await canvasPixels(page);
  check(drawn.label.includes("3-D") && drawn.colours > 100 && drawn.ink > 2000, "scene: is drawn", JSON.stringify(drawn));
  const first = await scene();
  check(first.drawn && first.time === 0 && (await cursor()) === null, "scene: shows the start before there is a cursor");
  check(near(first.bodies.slider, placesAt(0).slider, 1e-6), "scene: bodies are at their first pose");

  // the plots lead
  const before = await picture();
  const plot = page.locator("#time .plots .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 0.33 * box.width, box.y + 40);
  const led = await scene();
  check(led.time === sample.time[await cursor()] && led.time > 1, "scene: the cursor of the plots moves the scene", String(led.time));
  // poses are interpolated between frames 1/160 s apart: the error is acceleration h²/8, below 50 µm
  check(["crank", "rod", "slider", "ball"].every((b) => near(led.bodies[b], placesAt(led.time)[b], 1e-4)), "scene: bodies are where they are at that time");
  check((await picture()) !== before, "scene: the picture changes with the cursor");
  const value = (name, i) => sample.channels.find((c) => c.name === name).values[i];
  check(led.modes.guide === value("guide.mode", await cursor()) && led.modes.pin === null, "scene: a joint has the colour of its mode");

  // the scene leads
  await page.locator("#scene").scrollIntoViewIfNeeded();
  const scrub = await page.locator("[aria-label='Time of the scene']").boundingBox();
  await page.mouse.click(scrub.x + 0.75 * scrub.width, scrub.y + scrub.height / 2);
  const scrubbed = await cursor();
  check(Math.abs(scrubbed - 0.75 * last) < 0.02 * last, "scene: scrubbing moves the cursor of the plots", String(scrubbed));
  check(await cursorsAgree(page), "scene: the cursors of all plots follow");
  check(Math.abs((await scene()).time - sample.time[scrubbed]) <= 0.0026, "scene: scene and plots show the same time");
  await page.mouse.move(scrub.x, scrub.y - 300);

  await page.locator("#scene .play").click();
  await page.waitForTimeout(700);
  const playing = await scene();
  await page.locator("#scene .play").click();
  const paused = await scene();
  check(playing.playing && playing.time > sample.time[scrubbed] + 0.1, "scene: plays", JSON.stringify(playing.time));
  check(!paused.playing && (await cursor()) > scrubbed && (await cursorsAgree(page)), "scene: takes the plots along while it plays");
  await canvas.focus();
  await page.keyboard.press(" ");
  check((await scene()).playing, "scene: space plays");
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowRight");
  check((await scene()).time === sample.time[await cursor()], "scene: the arrow keys move scene and plots by a sample");

  // forces, trails and names
  const fast = sample.channels.find((c) => c.name === "pin.force.x").values.reduce((best, f, i, all) => (Math.abs(f) > Math.abs(all[best]) ? i : best), 0);
  await page.evaluate((i) => window.bristle.setCursor(i), fast);
  const arrows = (await scene()).arrows;
  check(arrows.pin > 0.05 && Math.abs(arrows.pin - arrows.wrist) < 1e-9 && arrows.main === 0, "scene: forces are arrows where they are recorded", JSON.stringify(arrows));
  const longer = page.locator("[aria-label='Length of the force arrows']");
  await longer.fill("0.5");
  check(Math.abs((await scene()).arrows.pin / arrows.pin - 10 ** 0.5) < 1e-6, "scene: the slider makes arrows longer");
  await longer.fill("0");
  for (const name of ["trails", "joints", "grid", "forces"]) {
    const shown = await picture();
    await page.locator("#scene .switch", { hasText: name }).click();
    check((await picture()) !== shown, `scene: ${name} can be hidden`);
    await page.locator("#scene .switch", { hasText: name }).click();
    check((await picture()) === shown, `scene: ${name} can be shown again`);
  }
  await page.locator("#scene .switch", { hasText: "names" }).click();
  await settle(page);
  const stage = await page.locator("#scene .stage").boundingBox();
  const label = await page.locator("#scene .label.body", { hasText: "slider" }).boundingBox();
  check(label.x > stage.x && label.x < stage.x + stage.width && label.y > stage.y && label.y < stage.y + stage.height, "scene: names are beside the bodies");

  // looking from elsewhere
  const still = await scene();
  const view = await picture();
  await page.mouse.move(stage.x + 300, stage.y + 200);
  await page.mouse.down();
  await page.mouse.move(stage.x + 420, stage.y + 240, { steps: 5 });
  await page.mouse.up();
  check((await picture()) !== view && (await scene()).time === still.time, "scene: dragging turns it");
  await page.waitForTimeout(400); // the view glides out
  for (const name of ["Fit", "Corner", "x", "y", "z"]) {
    const other = await picture();
    await page.locator("#scene .views button", { hasText: new RegExp(`^${name}$`) }).click();
    check((await picture()) !== other, `scene: the view '${name}' is another one`);
  }

  // the wheel is the page's until the reader turned to the scene
  await page.locator("#scene .play").focus();
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.move(640, 600);
  await page.mouse.wheel(0, 120);
  await page.waitForTimeout(200);
  check((await page.evaluate(() => scrollY)) > 50, "scene: the wheel scrolls the page");
  await canvas.focus();
  const [y, far] = [await page.evaluate(() => scrollY), await picture()];
  await page.mouse.wheel(0, 120);
  await page.waitForTimeout(200);
  check((await page.evaluate(() => scrollY)) === y && (await picture()) !== far, "scene: and zooms it when it has the focus");

  await page.locator("#scene button", { hasText: "Keep in view" }).click();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await settle(page);
  const small = await canvas.boundingBox();
  check(small.width < 500 && small.y > 0 && small.y + small.height < 900 && (await canvasPixels(page))[0].colours > 100, "scene: can be kept in view");
  await page.locator("#scene button", { hasText: "Put back" }).click();

  const light = await picture();
  await page.emulateMedia({ colorScheme: "dark" });
  check((await picture()) !== light, "scene: dark mode is drawn");
  check(errors.length === 0, "scene: no errors while using it", errors.join("; "));
  await page.close();
}

/** A browser that cannot draw in three dimensions says so and shows everything else. */
export async function testWithoutWebGL(path, { check, open }) {
  const browser = await launchBrowser({ webgl: false });
  try {
    const { page, errors } = await open(path, browser);
    check((await page.textContent("#scene")).includes("needs WebGL"), "without WebGL: a sentence says so");
    check((await page.locator("#scene canvas").count()) === 0 && (await page.evaluate(() => window.bristle.scene().drawn)) === false, "without WebGL: there is no blank picture");
    check((await page.locator("#time .uplot").count()) > 2, "without WebGL: the plots are there");
    check(errors.length === 0, "without WebGL: no errors in the browser", errors.join("; "));
  } finally {
    await browser.close();
  }
}
