/** Long lists: how soon they are on screen, and whether anything is missing while they are scrolled. */
import { show } from "./browser.mjs";
import { sizes } from "./states.mjs";

const WAITING = 200;
const ROWS = 5_000;
/** From the page being loaded to the list being on screen, in milliseconds. The aim is 400 on a quiet machine. */
const OPENS_WITHIN = 1_500;
/** How many rows may be drawn at most: a list that draws them all is not what is looked at here. */
const DRAWN = 120;

/** Runs in the page: whether every part of `list` that is on screen shows a row, and how many rows are drawn. */
function looked({ list, scroller }) {
  const view = document.querySelector(scroller).getBoundingClientRect();
  const rows = [...document.querySelectorAll(`${list} [role="listitem"]`)];
  const shown = rows
    .filter((row) => getComputedStyle(row).visibility !== "hidden")
    .map((row) => row.getBoundingClientRect());
  const listed = document.querySelector(list).getBoundingClientRect();
  const top = Math.max(view.top, listed.top);
  const bottom = Math.min(view.bottom, listed.bottom, innerHeight);
  const gaps = [];
  for (let y = top + 2; y < bottom - 4; y += 4) {
    if (!shown.some((row) => row.top <= y + 2 && row.bottom >= y - 2)) gaps.push(Math.round(y));
  }
  return { drawn: rows.length, gaps: gaps.length };
}

/** Scrolls through a list in steps; answers what was wrong. */
async function scrolled(page, what, { list, scroller }, steps) {
  const faults = [];
  let most = 0;
  for (let step = 0; step < steps.length; step += 1) {
    await page.evaluate(({ scroller, by }) => document.querySelector(scroller).scrollBy(0, by), {
      scroller,
      by: steps[step],
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const { drawn, gaps } = await page.evaluate(looked, { list, scroller });
    most = Math.max(most, drawn);
    if (gaps) faults.push(`${what}: blank after step ${step} (${steps[step]} px)`);
  }
  if (most > DRAWN) faults.push(`${what}: ${most} rows are drawn at once`);
  console.log(`${what}: ${steps.length} steps, at most ${most} rows drawn`);
  return faults;
}

const form = { size: sizes[0], scheme: "light", zoom: 100, language: "english" };
const inbox = { list: '[aria-label="Waiting requests"]', scroller: '[aria-label="Waiting requests"]' };
const activity = { list: '.page [role="list"][aria-label="Activity"]', scroller: "main .page" };
/** How long after the page was loaded `selector` was there, in milliseconds. */
const since = (page, selector) =>
  page.waitForFunction((selector) => {
    if (!document.querySelector(selector)) return null;
    return performance.now() - performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd;
  }, selector);

/** Everything that is wrong with long lists. */
export async function scrolling(lane) {
  const faults = [];
  const { page } = lane;
  await show(lane, { scene: "crowd" }, form);
  const opened = Math.round(await (await since(page, `${inbox.list} button`)).jsonValue());
  console.log(`inbox of ${WAITING}: on screen ${opened} ms after the page was loaded`);
  if (opened > OPENS_WITHIN) faults.push(`the inbox took ${opened} ms`);
  const down = Array.from({ length: 60 }, (_, step) => (step % 9 === 8 ? 2_500 : 220));
  faults.push(...(await scrolled(page, "inbox", inbox, [...down, -9_000, 500, -9_000])));

  // By keyboard: what is chosen stays in view, and says where it is.
  for (const [key, place] of [...Array(90).fill(["j"]), ["k", 90]]) {
    await page.keyboard.press(key);
    if (!place) continue;
    const row = page.locator(`${inbox.list} [aria-current]`);
    const item = page.locator(`${inbox.list} [role="listitem"]:has([aria-current])`);
    const told = [await item.getAttribute("aria-posinset"), await item.getAttribute("aria-setsize")].join(" of ");
    if (told !== `${place} of ${WAITING}`) faults.push(`inbox: the chosen row says ${told}`);
    const [box, view] = [await row.boundingBox(), await page.locator(inbox.scroller).boundingBox()];
    const inView = box && view && box.y >= view.y - 1 && box.y + box.height <= view.y + view.height + 1;
    if (!inView) faults.push("inbox: the chosen row is out of view");
  }

  const asked = Date.now();
  await page.locator('nav [data-view="activity"]').click();
  await page.waitForSelector(`${activity.list} [role="listitem"]`);
  console.log(`activity: on screen ${Date.now() - asked} ms after the click`);
  // To the end of what is loaded, until all of it is.
  const filled = "That is everything on record.";
  for (let more = 0; more < 400 && !(await page.getByText(filled).count()); more += 1) {
    faults.push(...(await scrolled(page, "activity, growing", activity, [6_000])));
  }
  if (!(await page.getByText(filled).count())) faults.push("activity: not all rows were loaded by scrolling");
  const up = Array.from({ length: 40 }, (_, step) => (step % 5 === 4 ? -9_000 : -300));
  faults.push(...(await scrolled(page, `activity of ${ROWS}`, activity, [...up, -400_000, 300, 700, 40_000, -120])));
  return [...faults, ...lane.complaints].map((fault) => `long lists: ${fault}`);
}
