/** The window in a real browser: built with its stand-in, served under the app's policy. */
import { once } from "node:events";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds, serves and opens; `close` ends all of it. */
export async function open() {
  await build({ root, mode: "fake", logLevel: "warn" });
  const server = await preview({
    root,
    logLevel: "warn",
    build: { outDir: "visual/dist" },
    preview: { port: 0, open: false },
  });
  if (!server.httpServer.listening) await once(server.httpServer, "listening");
  const { port } = server.httpServer.address();
  const browser = await chromium.launch({
    executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  return {
    browser,
    address: `http://127.0.0.1:${port}`,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** A page that shows one state after another. */
export async function openLane({ browser, address }) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const lane = { page, address, complaints: [] };
  page.on("pageerror", (error) => lane.complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) lane.complaints.push(`console: ${message.text()}`);
  });
  return lane;
}

/** What each scheme asks of the page. Whoever forces colours has few of them, whatever the page wants. */
const plain = { contrast: "no-preference", forcedColors: "none" };
const media = {
  light: { ...plain, colorScheme: "light" },
  dark: { ...plain, colorScheme: "dark" },
  "more-light": { ...plain, colorScheme: "light", contrast: "more" },
  "more-dark": { ...plain, colorScheme: "dark", contrast: "more" },
  "forced-light": { ...plain, colorScheme: "light", forcedColors: "active" },
  "forced-dark": { ...plain, colorScheme: "dark", forcedColors: "active" },
};

/** Shows `state` in a lane; `complaints` gathers what the page's console has to say from then on. */
export async function show(lane, state, { size, scheme, zoom, language }) {
  const { page, address } = lane;
  lane.complaints = [];
  await page.setViewportSize({ width: size.width, height: size.height });
  await page.emulateMedia(media[scheme]);
  await page.goto(`${address}/?fake=${state.scene}&language=${language}`);
  await page.waitForSelector("h1");
  if (zoom !== 100) await page.evaluate((zoom) => (document.documentElement.style.fontSize = `${zoom}%`), zoom);
  if (state.act) {
    // A press right after the first request slid in would be ignored, as it should.
    const appeared = await page.evaluate(() => performance.now());
    await page.waitForFunction((at) => performance.now() > at + 450, appeared);
    for (const act of state.act) await act(page);
  }
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return lane;
}
