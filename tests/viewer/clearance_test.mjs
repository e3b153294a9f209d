// Tests of the joints with clearance in the report, as a reader uses them. Part of report_test.mjs, which lends its helpers.

import { clearance, impact } from "./make_clearance_sample.mjs";

export async function testClearance(path, sample, { check, open, settle, cursorsAgree, canvasPixels }) {
  const { page, errors } = await open(path);
  const section = page.locator("#clearance");
  const orbits = () => page.evaluate(() => window.bristle.orbits());
  const scene = () => page.evaluate(() => window.bristle.scene());
  const cursor = () => page.evaluate(() => window.bristle.cursor());
  const setCursor = (i) => page.evaluate((k) => window.bristle.setCursor(k), i);
  const value = (name, i) => sample.channels.find((c) => c.name === name).values[i];
  const picture = async () => {
    await settle(page);
    return page.evaluate(() => document.querySelector("#clearance .orbit").toDataURL());
  };
  /** How many pixels of the orbit have a colour of the style sheet. */
  const pixels = (variable) =>
    page.evaluate((name) => {
      const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const wanted = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
      const canvas = document.querySelector("#clearance .orbit");
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (wanted.every((c, k) => Math.abs(data[i + k] - c) < 12)) count++;
      return count;
    }, variable);

  // what is there
  check((await page.locator("#clearance option").allTextContents()).slice(0, 2).join() === "pin,wrist", "clearance: every joint with clearance can be chosen");
  check((await section.textContent()).includes("clearance 500 µm"), "clearance: its size is told");
  check((await orbits()).length === 1 && (await orbits())[0].at === null, "clearance: a journal has one orbit, without a mark before there is a cursor");
  for (const mode of ["stick", "slip", "open"]) check((await pixels(`--${mode}`)) > 20, `clearance: the orbit has the colour of ${mode}`, String(await pixels(`--${mode}`)));
  check((await page.locator("#clearance .loop canvas").count()) === 2, "clearance: force over slip and over the path slid are beside it");
  const loops = await page.locator("#loops .card h3").allTextContents();
  check(loops.every((text) => !/^(pin|wrist)/.test(text)), "clearance: and not among the other loops again", loops.join());

  // the plots lead
  const before = await picture();
  const plot = page.locator("#time .plots .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 0.33 * box.width, box.y + 40);
  const led = await cursor();
  const [orbit] = await orbits();
  check(orbit.at[0] === value("pin.x", led) && orbit.at[1] === value("pin.y", led), "clearance: the journal is at the sample under the cursor");
  check((await picture()) !== before, "clearance: the picture changes with the cursor");
  check((await cursorsAgree(page)) && (await page.evaluate(() => window.bristle.linked())).some(({ label }) => label === "Normal force of pin over time"), "clearance: its plot over time shares the cursor");

  // forces and states
  const closed = sample.time.findIndex((_, i) => i > 100 && value("pin.mode", i) === 1 && value("pin.normal_force", i) > 9);
  await setCursor(closed);
  const [x, y] = [value("pin.x", closed), value("pin.y", closed)];
  const [fx, fy] = (await orbits())[0].forces[0];
  const [inward, along] = [-(fx * x + fy * y) / Math.hypot(x, y), (fx * -y + fy * x) / Math.hypot(x, y)];
  check(Math.abs(inward - value("pin.normal_force", closed)) < 1e-6, "clearance: the bearing presses towards its middle", `${inward}`);
  check(Math.abs(along - value("pin.friction_force", closed)) < 1e-6, "clearance: and friction acts along the circle, against the slip of the journal", `${along}`);
  check((await pixels("--series-5")) > 60, "clearance: the force is an arrow", String(await pixels("--series-5")));
  const there = await scene();
  check(there.contacts.pin > 0.01 && there.contacts.wrist > 0 && there.contacts.main === 0, "clearance: it is an arrow in the scene, too", JSON.stringify(there.contacts));
  check(there.modes.pin === 1, "clearance: the sign of the joint has the colour of its state");
  check((await section.textContent()).includes("slip") && (await page.textContent("#clearance tbody tr")).includes("10.00 N"), "clearance: the numbers are told", await page.textContent("#clearance tbody tr"));
  const open_ = sample.time.findIndex((_, i) => i > 100 && value("pin.mode", i) === 2);
  await setCursor(open_);
  check((await scene()).contacts.pin === 0 && (await scene()).modes.pin === 2 && Math.hypot(...(await orbits())[0].forces[0]) === 0, "clearance: a journal in flight has no force");
  check((await page.textContent("#clearance tbody td")).includes("open"), "clearance: and is said to be open");

  await setCursor(impact);
  const peak = (await scene()).contacts.pin / there.contacts.pin;
  check(value("pin.normal_force", impact) > 900 && peak > 2 && peak < 20, "clearance: the arrow of an impact is cut", String(peak));

  // the orbit leads, and playing takes it along
  const canvas = page.locator("#clearance .orbit");
  await canvas.scrollIntoViewIfNeeded();
  const [, , width] = await canvas.evaluate((c) => [0, 0, c.clientWidth]);
  const height = await canvas.evaluate((c) => c.clientHeight);
  const target = 700;
  const scale = Math.min(width, height) / (2 * 1.15 * Math.max(...sample.time.flatMap((_, i) => [clearance.pin, Math.abs(value("pin.x", i)), Math.abs(value("pin.y", i))])));
  const at = await canvas.boundingBox();
  await page.mouse.move(at.x + width / 2 + scale * value("pin.x", target), at.y + height / 2 - scale * value("pin.y", target));
  const found = await cursor();
  const away = Math.hypot(value("pin.x", found) - value("pin.x", target), value("pin.y", found) - value("pin.y", target));
  check(found !== open_ && away < 2 / scale && (await cursorsAgree(page)), "clearance: pointing at the orbit moves the cursor of all plots", `${found}`);
  await page.locator("#scene .play").click();
  await page.waitForTimeout(500);
  await page.locator("#scene .play").click();
  const played = await cursor();
  check(played !== found && (await orbits())[0].at[0] === value("pin.x", played), "clearance: playing moves the journal");
  await page.evaluate(() => window.bristle.setCursor(0));

  // another joint
  const count = await page.evaluate(() => window.bristle.plots);
  await page.selectOption("[aria-label='Joint with clearance']", { label: "wrist" });
  await settle(page);
  check((await orbits()).length === 3 && (await section.textContent()).includes("clearance 200 µm"), "clearance: a ball has three projections");
  check((await page.locator("#clearance .loop canvas").count()) === 2, "clearance: directions in which nothing rubs have no loops");
  check((await page.evaluate(() => window.bristle.plots)) === (await page.locator(".uplot").count()), "clearance: plots of the other joint are gone");
  await setCursor(closed);
  check((await orbits()).every(({ at: mark }, k) => mark[0] === value(`wrist.${"xxy"[k]}`, closed) && mark[1] === value(`wrist.${"yzz"[k]}`, closed)), "clearance: each shows the ball at the cursor");
  check(await cursorsAgree(page), "clearance: new plots share the cursor");
  await page.selectOption("[aria-label='Joint with clearance']", { label: "pin" });
  await settle(page);
  check((await orbits()).length === 1 && (await page.evaluate(() => window.bristle.plots)) === count, "clearance: and the first joint comes back");

  // appearance
  const light = await picture();
  await page.emulateMedia({ colorScheme: "dark" });
  check((await picture()) !== light, "clearance: dark mode is drawn");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 400, height: 800 });
  await settle(page);
  const overflow = await section.evaluate((s) => s.scrollWidth - s.clientWidth);
  check(overflow <= 0 && (await canvas.boundingBox()).width > 250, "clearance: fits a narrow window", `${overflow} px too wide`);
  check((await canvasPixels(page)).every(({ colours }) => colours > 2), "clearance: everything is drawn in a narrow window");
  check(errors.length === 0, "clearance: no errors while using it", errors.join("; "));
  await page.close();
}
