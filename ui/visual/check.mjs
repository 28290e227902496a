/**
 * Looks at every state, in light and dark, with small and large text, wide and narrow, and fails on what a person would
 * trip over: sideways scrolling, cut words in buttons, anything axe finds, anything the console complains about.
 */
import axe from "axe-core";
import { argv, exit } from "node:process";

import { open, openLane, show } from "./browser.mjs";
import { each, pictures } from "./pool.mjs";
import { scrolling } from "./scrolling.mjs";

/** Runs in the page: what sticks out sideways, and what doesn't fit its button. */
function misfits() {
  const found = [];
  const name = (element) => `<${element.tagName.toLowerCase()} class="${element.className}">`;
  const seen = (element) => element.getClientRects().length > 0 && !element.closest(".unseen");
  for (const element of document.querySelectorAll("body, body *")) {
    if (!seen(element) || element.closest("svg, [data-sideways]")) continue;
    const style = getComputedStyle(element);
    const scrolls = ["auto", "scroll"].includes(style.overflowX);
    if ((scrolls || element === document.body) && element.scrollWidth > element.clientWidth + 1) {
      found.push(`scrolls sideways: ${name(element)} by ${element.scrollWidth - element.clientWidth} px`);
    }
    const { left, right } = element.getBoundingClientRect();
    if (style.clipPath === "none" && right - left > 2 && (right > innerWidth + 1 || left < -1)) {
      found.push(`leaves the window: ${name(element)}`);
    }
  }
  for (const control of document.querySelectorAll("button, .input, kbd, summary")) {
    if (!seen(control)) continue;
    // A field scrolls what is typed into it.
    if (!control.matches(".input") && control.scrollWidth > control.clientWidth + 1 && control.clientWidth > 0) {
      found.push(`too narrow: ${name(control)} "${control.textContent.trim()}"`);
    }
    if (control.scrollHeight > control.clientHeight + 1 && control.clientHeight > 0) {
      found.push(`too low: ${name(control)} "${control.textContent.trim()}"`);
    }
  }
  return found;
}

const stage = await open();
const faults = [];
const picks = argv.slice(2);
const all = pictures(picks);
/** Whether long lists are looked at, too: with everything else, or by that name. */
const scrolled = !picks.length || picks.includes("scrolling");
try {
  if (scrolled) faults.push(...(await scrolling(await openLane(stage))));
  await each(stage, all, async ({ name, state, form }, lane) => {
    const { page, complaints } = await show(lane, state, form);
    const found = [...complaints, ...(await page.evaluate(misfits))];
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
    for (const { id, nodes } of violations) {
      found.push(...nodes.map((node) => `axe ${id}: ${node.target.join(" ")} ${node.failureSummary}`));
    }
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  });
} finally {
  await stage.close();
}
for (const fault of faults.sort()) console.error(fault);
console.log(`${all.length} pictures looked at, ${faults.length} faults`);
exit(faults.length || !(all.length || scrolled) ? 1 : 0);
