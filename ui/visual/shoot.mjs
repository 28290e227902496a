/** Takes a picture of every state. Words after `npm run shoot --` pick those whose name contains one of them. */
import { mkdir } from "node:fs/promises";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

import { open, show } from "./browser.mjs";
import { each, pictures } from "./pool.mjs";

const folder = fileURLToPath(new URL("shots/", import.meta.url));
await mkdir(folder, { recursive: true });

const stage = await open();
try {
  await each(stage, pictures(argv.slice(2)), async ({ name, state, form }, lane) => {
    const { page, complaints } = await show(lane, state, form);
    await page.screenshot({ path: `${folder}${name}.png` });
    for (const complaint of complaints) console.warn(`${name}: ${complaint}`);
  });
} finally {
  await stage.close();
}
